import Foundation
import HarmonyRedis
import LarderFiles
import LarderModel

/// The location of a server, such as `redis://ada@cache.example:6380/2`.
struct RedisLocation {
  /// The scheme of a Unix socket.
  private static let socketScheme = "redis+unix"
  /// The schemes of connections without and with encryption; the first is the usual one.
  private static let plain = ["redis", "valkey"]
  private static let encrypted = ["rediss", "valkeys"]
  private static let usualPort = 6_379

  /// The schemes of all locations.
  static let schemes = plain + encrypted + [socketScheme]

  let addresses: [RedisAddress]
  let user: String?
  let isEncrypted: Bool
  /// The number of the database; nil if none is named.
  let database: Int?
  /// The location in its canonical form, without the database.
  let path: String
  /// The location without the user, which may be a password by mistake.
  let server: String
  /// The path by which the journal identifies the server, the same for `redis:` and `valkey:`.
  let journalPath: String

  /// Parses a location.
  ///
  /// - Parameter location: The location, which begins with a scheme.
  /// - Throws: ``StoreError``, which does not repeat the location, as that may contain a password.
  init(_ location: String) throws(StoreError) {
    guard let colon = location.firstIndex(of: ":") else { throw .invalidRedisLocation }
    let scheme = String(location[..<colon])
    let rest = String(location[location.index(after: colon)...])
    if scheme == Self.socketScheme {
      let socket = rest.hasPrefix("//") ? String(rest.dropFirst(2)) : rest
      guard !socket.isEmpty else { throw .invalidRedisLocation }
      let place = ResolvedPath.evenIfMissing(socket)
      addresses = [.unix(path: place)]
      (user, isEncrypted, database) = (nil, false, nil)
      path = "\(scheme):\(place)"
      (server, journalPath) = (path, path)
      return
    }
    var text = rest[...]
    let isEncrypted = Self.encrypted.contains(scheme)
    guard text.hasPrefix("//"), isEncrypted || Self.plain.contains(scheme) else {
      throw .invalidRedisLocation
    }
    text = text.dropFirst(2)
    var user: String?
    if let at = text.lastIndex(of: "@") {
      let name = text[..<at]
      guard !name.contains(":") else { throw .passwordInLocation }
      guard let decoded = String(name).removingPercentEncoding else { throw .invalidRedisLocation }
      user = name.isEmpty ? nil : decoded
      text = text[text.index(after: at)...]
    }
    var database: Int?
    if let slash = text.firstIndex(of: "/") {
      let number = text[text.index(after: slash)...]
      if !number.isEmpty {
        guard let parsed = Int(number), parsed >= 0 else { throw .invalidRedisLocation }
        database = parsed
      }
      text = text[..<slash]
    }
    var addresses: [RedisAddress] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      addresses.append(try Self.address(part))
    }
    self.addresses = addresses
    self.user = user
    self.isEncrypted = isEncrypted
    self.database = database
    let name = user?.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    let hosts = addresses.map(\.description).joined(separator: ",")
    server = "\(scheme)://\(hosts)"
    let place = "://" + (name.map { "\($0)@" } ?? "") + hosts
    path = scheme + place
    journalPath = (isEncrypted ? Self.encrypted[0] : Self.plain[0]) + place
  }

  private static func address(_ text: Substring) throws(StoreError) -> RedisAddress {
    var (host, port) = (text, Substring())
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { throw .invalidRedisLocation }
      host = text[text.index(after: text.startIndex)..<end]
      port = text[text.index(after: end)...]
      guard port.isEmpty || port.first == ":" else { throw .invalidRedisLocation }
      port = port.dropFirst()
    } else if let colon = text.firstIndex(of: ":") {
      (host, port) = (text[..<colon], text[text.index(after: colon)...])
    }
    let number = port.isEmpty ? usualPort : Int(port)
    guard let number, (1...65_535).contains(number), !host.contains(where: \.isWhitespace) else {
      throw .invalidRedisLocation
    }
    return .tcp(host: host.isEmpty ? "localhost" : host.lowercased(), port: number)
  }
}
