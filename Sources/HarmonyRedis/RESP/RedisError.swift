public import Harmony

/// An error of a Redis server or of the connection to it.
///
/// It contains names of commands and addresses, but neither values nor passwords.
public struct RedisError: CodedError, Hashable {
  /// The kinds of failure that a program handles differently.
  public enum Reason: Int, Sendable, Hashable, CaseIterable {
    /// No connection could be made: the address is wrong, or no server runs there.
    case unreachable = 1
    /// The connection was lost, or the client is closed.
    case disconnected = 2
    /// There was no answer within the time limit.
    case timedOut = 3
    /// The other end does not follow the protocol.
    case malformed = 4
    /// A reply exceeds the limits of the client.
    case tooLarge = 5
    /// No secure connection could be made: the certificate is not valid for this server, or OpenSSL
    /// is missing.
    case insecure = 6
    /// The server requires a password, or rejected the one that it got.
    case unauthenticated = 7
    /// The access control list of the server forbids the command.
    case notPermitted = 8
    /// The server is not ready: it is loading its data, or the cluster is incomplete.
    case notReady = 9
    /// The server is a read-only replica, or cannot save its data.
    case readOnly = 10
    /// The server has reached its memory limit.
    case outOfMemory = 11
    /// The key holds a value of another type.
    case wrongType = 12
    /// The nodes of the cluster redirect to each other, or move keys faster than they can be listed.
    case redirected = 13
    /// The entry has changed since it was read.
    case conflict = 14
    /// Any other error that the server sent.
    case refused = 15
  }

  /// The domain of all errors of this type.
  public static var errorDomain: String { "HarmonyRedis.RedisError" }

  /// The domain of all errors of this type.
  public var domain: String { Self.errorDomain }

  /// The code of the reason.
  public var code: Int { reason.rawValue }

  /// The kind of failure.
  public let reason: Reason

  /// The error that the server sent; nil if it sent none.
  public let serverError: RedisServerError?

  /// Whether the command may have been executed although no answer arrived.
  ///
  /// If it is true, read the key before trying again.
  public private(set) var mayHaveExecuted = false

  /// A description of what happened and what to do.
  public let description: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - reason: The kind of failure.
  ///   - description: A description of what happened and what to do.
  public init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
    serverError = nil
  }

  private init(
    _ reason: Reason, _ description: String, serverError: RedisServerError?, mayHaveExecuted: Bool
  ) {
    self.reason = reason
    self.description = description
    self.serverError = serverError
    self.mayHaveExecuted = mayHaveExecuted
  }

  /// Creates the error for one that a server sent.
  ///
  /// - Parameters:
  ///   - error: The error of the server.
  ///   - command: The name of the command.
  init(_ error: RedisServerError, to command: String) {
    let (reason, advice): (Reason, ServerAdvice) =
      switch error.code {
      case "NOAUTH": (.unauthenticated, .password)
      case "WRONGPASS": (.unauthenticated, .credentials)
      case "NOPERM": (.notPermitted, .permission)
      case "LOADING", "BUSY", "CLUSTERDOWN", "MASTERDOWN", "TRYAGAIN": (.notReady, .later)
      case "READONLY", "MISCONF": (.readOnly, .none)
      case "OOM": (.outOfMemory, .none)
      case "WRONGTYPE": (.wrongType, .none)
      case "MOVED", "ASK": (.redirected, .none)
      default: (.refused, .none)
      }
    self.init(
      reason, Self.refusal(error, command) + advice.rawValue, serverError: error,
      mayHaveExecuted: false)
  }

  /// Whether the error says that a server cannot be reached, rather than what it replied.
  package var isOfConnection: Bool {
    reason == .unreachable || reason == .disconnected || reason == .timedOut
  }

  /// Returns this error, or that of an earlier attempt if this attempt only timed out.
  func orReason(of earlier: RedisError?) -> RedisError {
    reason == .timedOut && !mayHaveExecuted ? earlier ?? self : self
  }

  /// Returns this error for a command that may have been executed.
  func afterSending() -> RedisError {
    RedisError(
      reason,
      Self.unknownOutcome(description),
      serverError: serverError, mayHaveExecuted: true)
  }
}
