import Foundation

/// Wakes a thread that waits for descriptors.
final class Alarm: Sendable {
  private let reading: Descriptor
  private let writing: Descriptor

  init() throws(InspectionError) {
    var ends: (Int32, Int32) = (-1, -1)
    let kind = Int32(
      SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let result = withUnsafeMutableBytes(of: &ends) { bytes in
      bytes.withMemoryRebound(to: Int32.self) { socketpair(AF_UNIX, kind, 0, $0.baseAddress) }
    }
    guard result == 0 else { throw .system(doing: "make a pair of sockets", number: errno) }
    reading = Descriptor(ends.0)
    writing = Descriptor(ends.1)
  }

  /// What can be read once somebody has rung.
  var descriptor: Int32 { reading.number }

  /// Wakes the thread, or lets it not fall asleep.
  func ring() {
    var byte: UInt8 = 1
    // A full pipe wakes it, too.
    _ = write(writing.number, &byte, 1)
  }

  /// Makes ready for the next ring.
  func reset() {
    var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    while read(reading.number, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
  }
}
