import Foundation
import Harmony

/// A connected client, as seen by the thread of the ``InspectionLoop``.
struct InspectionPeer {
  let number: Int
  let descriptor: Descriptor
  let queue = PeerQueue()
  var messages: MessageReader
  /// The first bytes until the greeting is complete; nil afterwards.
  var greeting: [UInt8]? = []
  /// The messages to send; `sent` is the offset in the first one.
  var outgoing: [Data] = []
  var sent = 0
  /// The requests in progress.
  var tasks: [UInt64: Task<Void, Never>] = [:]
  var taskNumber: UInt64 = 0
  /// The time by which the client must make progress, in seconds; nil if nothing is expected of it.
  var deadline: Double?
  /// Whether to disconnect the client once everything has been sent.
  var isLeaving = false

  init(_ number: Int, _ descriptor: Descriptor, _ limits: InspectionLimits, now: Double) {
    self.number = number
    self.descriptor = descriptor
    messages = MessageReader(limit: limits.messageSize)
    deadline = now + limits.patience
  }

  /// Whether to read more messages: not while too many requests or answers are pending.
  func isReadable(_ limits: InspectionLimits) -> Bool {
    !isLeaving && tasks.count < limits.requests
      && outgoing.reduce(0, { $0 + $1.count }) <= limits.messageSize
  }

  /// Whether the client has to make progress by itself.
  func isAwaited(_ limits: InspectionLimits) -> Bool {
    greeting != nil || !outgoing.isEmpty || messages.isWithin && isReadable(limits)
  }

  /// Sends as much as possible without blocking.
  ///
  /// - Returns: Whether anything was sent; nil if the client has disconnected.
  mutating func flush() -> Bool? {
    var isMoving = false
    while let first = outgoing.first {
      let count = first.withUnsafeBytes { bytes in
        send(
          descriptor.number, bytes.baseAddress.map { $0 + sent }, bytes.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      if count < 0 {
        if errno == EINTR { continue }
        return errno == EAGAIN || errno == EWOULDBLOCK ? isMoving : nil
      }
      isMoving = true
      sent += count
      if sent == first.count {
        outgoing.removeFirst()
        sent = 0
      }
    }
    return isMoving
  }
}
