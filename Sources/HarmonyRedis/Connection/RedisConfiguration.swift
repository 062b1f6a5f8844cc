/// The server to connect to, and how.
public struct RedisConfiguration: Sendable {
  /// The address of the server, or of some nodes of a cluster; the others are found by themselves.
  public var addresses: [RedisAddress]

  /// The user of the server's access control list; nil for the default user.
  public var user: String?

  /// The password; nil if the server needs none.
  public var password: RedisPassword?

  /// The number of the database; a cluster only has 0.
  public var database = 0

  /// The settings of encrypted connections; nil to connect without encryption.
  public var tls: RedisTLS?

  /// The maximum time for a call, including connecting, redirections and retries.
  public var timeLimit: Duration = .seconds(5)

  /// The limits on the replies of a server.
  public var limits = RedisLimits()

  /// Creates a configuration.
  ///
  /// - Parameter addresses: The address of the server, or of some nodes of a cluster.
  public init(_ addresses: RedisAddress...) {
    self.addresses = addresses
  }
}

/// The address of a Redis server.
public enum RedisAddress: Sendable, Hashable, CustomStringConvertible {
  /// A host name or an IP address, and a port.
  case tcp(host: String, port: Int)
  /// The path of a Unix socket.
  case unix(path: String)

  /// The address in the usual form.
  public var description: String {
    switch self {
    case .tcp(let host, let port): host.utf8.contains(58) ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): path
    }
  }
}

/// A password that is never printed.
public struct RedisPassword: Sendable, Hashable, ExpressibleByStringLiteral,
  CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// The bytes of the password.
  let bytes: [UInt8]

  /// Creates a password.
  ///
  /// - Parameter text: The password.
  public init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Creates a password from a literal, for tests.
  ///
  /// - Parameter value: The password.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// Dots instead of the password.
  public var description: String { "•••" }

  /// Dots instead of the password.
  public var debugDescription: String { description }

  /// A mirror without the password.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The settings of encrypted connections.
///
/// OpenSSL is loaded when the first such connection is made. The certificate of the server must be
/// signed by a trusted authority and be valid for the server's name.
public struct RedisTLS: Sendable, Hashable {
  /// The file of the trusted authorities, in PEM format; nil for those of the system.
  public var authorityFile: String?

  /// The name in the server's certificate; nil for the host of the address.
  public var serverName: String?

  /// The file of the client's certificate, in PEM format; nil for none.
  public var certificateFile: String?

  /// The file of the client's private key, in PEM format.
  public var keyFile: String?

  /// Creates settings that trust the authorities of the system.
  ///
  /// - Parameters:
  ///   - authorityFile: The file of the trusted authorities; nil for those of the system.
  ///   - serverName: The name in the server's certificate; nil for the host of the address.
  ///   - certificateFile: The file of the client's certificate; nil for none.
  ///   - keyFile: The file of the client's private key.
  public init(
    authorityFile: String? = nil, serverName: String? = nil, certificateFile: String? = nil,
    keyFile: String? = nil
  ) {
    self.authorityFile = authorityFile
    self.serverName = serverName
    self.certificateFile = certificateFile
    self.keyFile = keyFile
  }
}

extension RedisAddress {
  /// The host; nil for a Unix socket.
  var host: String? {
    if case .tcp(let host, _) = self { host } else { nil }
  }
}
