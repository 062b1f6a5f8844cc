import Foundation
import Harmony

// The messages of this module's errors. They may contain names, types and addresses, but never
// values or passwords.

// MARK: Connections

extension RedisError {
  static let noAddress = RedisError(.unreachable, "there is no address to connect to")
  static let closed = RedisError(.disconnected, "the client is closed")

  static func notSocketPath(_ path: String) -> RedisError {
    RedisError(.unreachable, "\(path) cannot be the path of a socket")
  }

  static func notAddress(_ address: RedisAddress) -> RedisError {
    RedisError(.unreachable, "\(address) is not an address")
  }

  static func notFound(_ host: String, _ number: Int32) -> RedisError {
    RedisError(.unreachable, "\(host): \(String(cString: gai_strerror(number)))")
  }

  static func unreachable(_ address: RedisAddress, _ reason: RedisError) -> RedisError {
    RedisError(.unreachable, "\(address): \(reason.description)")
  }

  static func system(_ action: SystemAction, _ number: Int32) -> RedisError {
    RedisError(.unreachable, "cannot \(action.rawValue): \(String(cString: strerror(number)))")
  }

  static func disconnected(_ address: RedisAddress, _ loss: ConnectionLoss) -> RedisError {
    RedisError(.disconnected, "\(address): \(loss.rawValue)")
  }

  static func timedOut(_ address: RedisAddress) -> RedisError {
    RedisError(.timedOut, "\(address): no answer within the time limit")
  }
}

/// The actions of the system without which there is no connection.
enum SystemAction: String, CaseIterable {
  case connect
  case createSocket = "create a socket"
  case createSockets = "create a pair of sockets"
}

/// The ways in which a connection ends.
enum ConnectionLoss: String, CaseIterable {
  case invalidReply = "the connection ended after an invalid reply"
  case silence = "the server stopped answering"
  case lost = "the connection was lost"
  case closed = "the server closed the connection"
}

// MARK: Encryption

extension RedisError {
  static let noOpenSSL = RedisError(
    .insecure,
    "encrypted connections need OpenSSL 3, which could not be loaded; install it (on Debian and "
      + "Ubuntu: apt-get install libssl3)")

  /// Creates the error for a failure of OpenSSL, with the reason that it gives, if any.
  static func insecure(_ problem: EncryptionProblem, _ reason: String?) -> RedisError {
    RedisError(.insecure, problem.text + (reason.map { ": \($0)" } ?? ""))
  }

  static func noServerName(_ address: RedisAddress) -> RedisError {
    RedisError(.insecure, "\(address): name the server that its certificate is for")
  }

  static func untrusted(_ address: RedisAddress, _ reason: String) -> RedisError {
    RedisError(.insecure, "\(address): the certificate is not trusted: \(reason)")
  }
}

/// The failures of OpenSSL.
enum EncryptionProblem {
  case setup
  case noAuthorities(file: String?)
  case noCertificate(file: String)
  case noKey(file: String)
  case notServerName(String)
  case outOfMemory(RedisAddress)
  case encryption(RedisAddress)
  case handshake(RedisAddress)

  fileprivate var text: String {
    switch self {
    case .setup: "encryption cannot be set up"
    case .noAuthorities(let file): "\(file ?? "the system") has no certificates to trust"
    case .noCertificate(let file): "\(file) has no certificate to use"
    case .noKey(let file): "\(file) has no private key for the certificate"
    case .notServerName(let name): "\(name) cannot be the name of a server"
    case .outOfMemory(let address): "\(address): out of memory"
    case .encryption(let address): "\(address): bytes cannot be encrypted"
    case .handshake(let address):
      "\(address): no encrypted connection; does the port expect TLS?"
    }
  }
}

// MARK: Replies

extension RedisError {
  static func malformed(_ fault: ProtocolFault) -> RedisError {
    RedisError(.malformed, "the server does not follow the protocol: \(fault.rawValue)")
  }

  static func tooLarge(_ limits: RedisLimits) -> RedisError {
    RedisError(
      .tooLarge,
      "a reply exceeds \(limits.replyBytes) bytes or \(limits.replyElements) elements; request less, "
        + "or raise the limits of the client")
  }

  static func refusal(_ error: RedisServerError, _ command: String) -> String {
    "\(command): \(error.code) \(error.message)"
  }

  static func unknownOutcome(_ description: String) -> String {
    "\(description); the write may have been executed: read the key before you try again"
  }
}

extension RedisServerError {
  /// A message that is shown instead of one with the password.
  static let hidden = "(the message contains the password)"
}

/// The ways in which a server can violate the protocol.
enum ProtocolFault: String, CaseIterable {
  case unaskedReply = "a reply without a command"
  case nestedPush = "a push message inside a reply"
  case emptyLine = "an empty line"
  case integer = "an invalid integer"
  case number = "an invalid number"
  case depth = "arrays nested too deeply"
  case type = "a reply of an unknown type; is this a Redis server?"
  case length = "an invalid length"
  case longString = "a string longer than its length"
  case endlessLine = "an endless line"
  case brokenLine = "a line without its end"
  case scan = "an invalid reply to SCAN"
  case script = "an invalid reply to EVAL"
  case noSlots = "a cluster without slots"
  case slotRange = "an invalid range of slots"
}

/// What to do about an error of the server.
enum ServerAdvice: String, CaseIterable {
  case none = ""
  case password = "; give a password"
  case credentials = "; check the user name and the password"
  case permission = "; ask for permission in the server's access control list"
  case later = "; try again later"
}

// MARK: Clusters

extension RedisError {
  static let forbiddenSlots = RedisError(
    .notPermitted,
    "this user may not run CLUSTER SLOTS, without which not all keys of a cluster can be found")
  static let noSlots = RedisError(
    .notReady, "no node of the cluster has any slots; try again later")
  static let circularRedirection = RedisError(
    .redirected, "the nodes of the cluster redirect to each other")
  static let movingKeys = RedisError(
    .redirected, "the cluster moves keys faster than they can be listed; try again later")
}

// MARK: Entries

extension RedisError {
  static func changed(_ key: String) -> RedisError {
    RedisError(.conflict, "\(key.debugDescription) changed since you read it; read it again")
  }
}

extension CoreError.DataSerialization {
  static func notText(keysWith prefix: String) -> Self {
    Self("A key with the prefix \(prefix) is not UTF-8")
  }
}

extension CoreError.IllegalArgument {
  static let noValue = Self("Value cannot be nil")
  static let unequalCounts = Self("There must be as many values as identifiers")
}
