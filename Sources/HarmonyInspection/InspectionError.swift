public import Foundation
import Harmony

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
  /// The process at the other end serves other clients and accepts no further connections.
  case crowded
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
    case .noSocket(let path): "\(path): already exists and is not a socket; use another path"
    case .inUse(let path): "\(path): another process is listening there; use another path"
    case .notListening(let path): "\(path): no process is listening there; start the program"
    case .stranger(let user):
      "the process at the other end belongs to another user (ID \(user))"
    case .system(let doing, let number): "cannot \(doing): \(String(cString: strerror(number)))"
    case .otherVersion: "the protocol versions of the two ends differ; update the older program"
    case .malformed(let what): "the other end violates the protocol: \(what)"
    case .timedOut: "no answer came in time; try again"
    case .crowded:
      "the process has clients and accepts no more; it may have reached its maximum, or be stopped. "
        + "Close another client, or resume the process"
    case .disconnected: "the process ended or closed the connection; start it again"
    case .tooLarge(let limit): "larger than the maximum message size (\(limit) bytes); request less"
    case .busy: "the process has too many pending requests; try again"
    case .readOnly(let name): "\(name) is read-only: the program does not allow writing"
    case .unknownSource(let name): "the program exposes no source named “\(name)”"
    case .conflict: "the entry has changed since it was read"
    }
  }

  /// The same as the description.
  public var errorDescription: String? { description }
}

// MARK: Violations of the protocol

extension InspectionError {
  static let noGreeting = malformed("there is no greeting")
  static let unknownRequest = malformed("there is no such request")
  static let misplacedList = malformed("a source cannot list the sources")
  static let invalidAnswer = malformed("an answer is not valid")
  static let incompleteAnswer = malformed("an answer lacks what was requested")
  static let repeatedKeys = malformed("keys were sent more than once")

  static func request(without part: String) -> InspectionError {
    malformed("a request has no \(part)")
  }
}

// MARK: Refusals

extension CoreError.NotImplemented {
  static let olderProgram = Self(
    "the program uses an older HarmonyInspection, which does not support this")

  static func notCache(_ name: String) -> Self { Self("\(name) is not a timed cache") }
}

extension CoreError.IllegalArgument {
  /// Returns the error for a value of another kind than the source stores.
  static func wrongKind(_ value: InspectedValue, not wanted: String) -> Self {
    Self("the source stores \(wanted), not \(value.kind)")
  }
}

extension DecodingError {
  /// Returns a description of the error and its position, for the user who entered the JSON.
  func sentence(for type: Any.Type) -> String {
    switch self {
    case .typeMismatch(let wanted, let context):
      "\(context.place)is not of type \(wanted)"
    case .valueNotFound(let wanted, let context):
      "\(context.place)is null, but must be of type \(wanted)"
    case .keyNotFound(let key, let context):
      "\(context.place)has no member \(key.stringValue), which \(type) needs"
    case .dataCorrupted(let context):
      "\(context.place)is not valid: \(context.debugDescription)"
    @unknown default:
      "the value is not of type \(type)"
    }
  }
}
