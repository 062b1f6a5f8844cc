import Foundation

/// An object that wakes a thread which polls descriptors.
package final class Alarm: Sendable {
  private let reading: Descriptor
  private let writing: Descriptor

  /// Creates an alarm; nil if the system has no descriptors left, for a reason in `errno`.
  package init?() {
    var ends: (Int32, Int32) = (-1, -1)
    let kind = Int32(
      SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let result = withUnsafeMutableBytes(of: &ends) { bytes in
      bytes.withMemoryRebound(to: Int32.self) { socketpair(AF_UNIX, kind, 0, $0.baseAddress) }
    }
    guard result == 0 else { return nil }
    reading = Descriptor(ends.0)
    writing = Descriptor(ends.1)
  }

  /// The descriptor, which becomes readable when the alarm rings.
  package var descriptor: Int32 { reading.number }

  /// Wakes the thread, or prevents its next wait.
  package func ring() {
    var byte: UInt8 = 1
    // If the buffer is full, the thread wakes up in any case.
    _ = write(writing.number, &byte, 1)
  }

  /// Resets the alarm for the next ring.
  package func reset() {
    var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    while read(reading.number, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
  }
}
