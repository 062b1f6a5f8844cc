public import Foundation

/// An error of exposing or inspecting live sources.
public enum InspectionError: Error, Hashable {
  /// The path of a socket is longer than the maximum of 107 bytes.
  case pathTooLong(String)
  /// The path exists, but is not that of a socket.
  case noSocket(String)
  /// Another process exposes its sources at the path.
  case inUse(String)
  /// Nobody shows sources at the path: the process has ended, or has not begun.
  case notListening(String)
  /// The process at the other end belongs to another user.
  case stranger(user: UInt32)
  /// A system call failed.
  case system(doing: String, number: Int32)
  /// Both ends have no version of the protocol in common.
  case otherVersion
  /// A message violates the protocol.
  case malformed(String)
  /// There was no answer within the time limit.
  case timedOut
  /// The process at the other end is running but accepts no further connections, with this number
  /// of clients connected: its maximum, unless it hangs.
  case crowded(by: Int)
  /// The other end closed the connection, or its process ended.
  case disconnected
  /// A message would exceed the limit in bytes.
  case tooLarge(limit: Int)
  /// The other end has too many requests to process.
  case busy
  /// The source is read-only.
  case readOnly(String)
  /// No source of this name is exposed.
  case unknownSource(String)
  /// The entry has changed.
  case conflict
}

extension InspectionError: LocalizedError, CustomStringConvertible {
  /// A description of what happened and what to do.
  public var description: String {
    switch self {
    case .pathTooLong(let path):
      "\(path): too long for a socket; use a path of at most \(SocketAddress.longestPath) bytes"
    case .noSocket(let path): "\(path): is there already, and no socket; use another path"
    case .inUse(let path): "\(path): another process listens there; use another path"
    case .notListening(let path): "\(path): no process listens there; start the program"
    case .stranger(let user):
      "the process at the other end belongs to the user with the number \(user)"
    case .system(let doing, let number): "cannot \(doing): \(String(cString: strerror(number)))"
    case .otherVersion: "the other end speaks another version of the protocol; update the older one"
    case .malformed(let what): "the other end does not keep to the protocol: \(what)"
    case .timedOut: "no answer came in time; try again"
    case .crowded(let count) where count < InspectionLimits().connections:
      "the process takes no further connection while \(count) \(count == 1 ? "looks" : "look") at it; it "
        + "hangs, or its program lets no more look at a time: see what it does, or end another that looks"
    case .crowded(let count):
      "the process serves as many as it may already, which is \(count), and no place became free; "
        + "end another that looks at it"
    case .disconnected: "the process has ended or closed the connection; start it again"
    case .tooLarge(let limit): "more than a message can hold, which is \(limit) bytes; ask for less"
    case .busy: "the process has too many requests to answer; try again"
    case .readOnly(let name): "\(name) may only be read: the program did not make it writable"
    case .unknownSource(let name): "the program shows no source named \(name)"
    case .conflict: "the entry has changed since it was read"
    }
  }

  /// The same as the description.
  public var errorDescription: String? { description }
}
