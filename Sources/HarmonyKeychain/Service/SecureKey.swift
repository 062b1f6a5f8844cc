#if Keychain
public import Foundation
import Harmony

/// A random key, such as one for encrypting a file, that is made once and kept in the keychain.
///
/// Its calls wait for the keychain. May be used from several threads.
public final class SecureKey: Sendable {
  private let identifier: String
  private let length: Int
  private let keychain: KeychainService

  /// Describes a key; nothing is made before it is asked for.
  ///
  /// - Parameters:
  ///   - identifier: Its name in the keychain.
  ///   - length: How many random bytes it has.
  ///   - keychain: Where it is kept.
  public init(
    identifier: String, length: size_t = 64,
    keychain: KeychainService = KeychainService("com.mobilejazz.core.SecureKey")
  ) {
    self.identifier = identifier
    self.length = length
    self.keychain = keychain
  }

  /// Forgets the key, and with it all that was encrypted with it; the next one is another.
  ///
  /// - Throws: ``KeychainError`` where the keychain cannot be changed.
  @available(*, noasync, message: "blocks the thread")
  public func reset() throws {
    _ = try keychain.remove(identifier).result.get()
  }

  /// The key, which is made if there is none.
  ///
  /// - Returns: As many bytes as were asked for when it was made.
  /// - Throws: ``KeychainError`` where the keychain cannot be reached: then no key is made.
  @available(*, noasync, message: "blocks the thread")
  public func key() throws -> Data {
    let identifier = identifier
    let length = length
    // One call, so that two threads get one key.
    return try keychain.perform([identifier], isWrite: true) { call in
      if let key = try call.read(identifier, { Data($0) }) { return key }
      var generator = SystemRandomNumberGenerator()
      let key = Data((0..<max(length, 0)).map { _ in UInt8.random(in: 0...255, using: &generator) })
      try key.withUnsafeBytes { try call.write($0, under: identifier) }
      return key
    }.result.get()
  }
}

extension Future.Result {
  fileprivate func get() throws -> T {
    switch self {
    case .value(let value): return value
    case .error(let error): throw error
    }
  }
}
#endif
