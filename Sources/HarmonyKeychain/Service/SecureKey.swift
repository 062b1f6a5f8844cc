#if Keychain
public import Foundation
import Harmony

/// A random key, for example for encrypting a file, that is generated once and stored in the
/// keychain.
///
/// Its calls block until the keychain answers. It may be used from several threads.
public final class SecureKey: Sendable {
  private let identifier: String
  private let length: Int
  private let keychain: KeychainService

  /// Creates a description of a key, which is generated on first use.
  ///
  /// - Parameters:
  ///   - identifier: The name of the key in the keychain.
  ///   - length: The number of random bytes.
  ///   - keychain: The keychain that stores the key.
  public init(
    identifier: String, length: size_t = 64,
    keychain: KeychainService = KeychainService("com.mobilejazz.core.SecureKey")
  ) {
    self.identifier = identifier
    self.length = length
    self.keychain = keychain
  }

  /// Removes the key, so that everything encrypted with it is lost; the next key will be different.
  ///
  /// - Throws: ``KeychainError`` if the keychain cannot be changed.
  @available(*, noasync, message: "blocks the thread")
  public func reset() throws {
    _ = try keychain.remove(identifier).result.get()
  }

  /// Returns the key, after generating it if there is none.
  ///
  /// - Returns: The key, with the length requested when it was generated.
  /// - Throws: ``KeychainError`` if the keychain cannot be reached; no key is generated then.
  @available(*, noasync, message: "blocks the thread")
  public func key() throws -> Data {
    let identifier = identifier
    let length = length
    // A single call, so that concurrent threads get the same key.
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
