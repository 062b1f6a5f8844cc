import Foundation
import Harmony

/// One of those who look, as the thread of the ``InspectionLoop`` knows it.
struct InspectionPeer {
  let number: Int
  let descriptor: Descriptor
  let queue = PeerQueue()
  var messages: MessageReader
  /// The first bytes, until they are enough for a greeting; nil after that.
  var greeting: [UInt8]? = []
  /// Bytes that are still to be sent, with the place in the first of them.
  var outgoing: [Data] = []
  var sent = 0
  /// What is being answered.
  var tasks: [UInt64: Task<Void, Never>] = [:]
  var taskNumber: UInt64 = 0
  /// When it has to have gone on, in seconds; nil while nothing is expected of it.
  var deadline: Double?
  /// Whether it is to be disconnected once everything is sent.
  var isLeaving = false

  init(_ number: Int, _ descriptor: Descriptor, _ limits: InspectionLimits, now: Double) {
    self.number = number
    self.descriptor = descriptor
    messages = MessageReader(limit: limits.messageSize)
    deadline = now + limits.patience
  }

  /// Whether something more is read from it: not before what it has asked for is answered.
  func isReadable(_ limits: InspectionLimits) -> Bool {
    !isLeaving && tasks.count < limits.requests
      && outgoing.reduce(0, { $0 + $1.count }) <= limits.messageSize
  }

  /// Whether it has to go on by itself.
  func isAwaited(_ limits: InspectionLimits) -> Bool {
    greeting != nil || !outgoing.isEmpty || messages.isWithin && isReadable(limits)
  }

  /// Sends as much as there is room for.
  ///
  /// - Returns: Whether anything was sent, nil where the other end has gone.
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
