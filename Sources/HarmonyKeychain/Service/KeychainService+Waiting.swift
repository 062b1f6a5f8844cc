#if Keychain
public import Foundation
import Harmony

// Harmony's calls, which wait for the keychain. Where the reason matters there are the calls with
// futures.
extension KeychainService {
  /// How a call that waits has ended.
  public enum Result: Error, Sendable, Hashable {
    /// What was asked for is done.
    case success
    /// It is not done; the number is that of ``KeychainError/status``.
    case failed(OSStatus)
  }

  /// Reads the secret of a key, while the thread waits.
  ///
  /// - Parameter key: The key.
  /// - Returns: The bytes; nil where there is no such key, or the keychain cannot be read.
  @available(*, noasync, message: "blocks the thread; use value(of:)")
  public func get(_ key: String) -> Data? {
    try? waited(value(of: key)).get()
  }

  /// Stores a secret in one step, in place of what was there, while the thread waits.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - key: The key, which is not secret.
  /// - Returns: How it has ended.
  @available(*, noasync, message: "blocks the thread; use put(_:under:)")
  @discardableResult
  public func set(_ data: Data, forKey key: String) -> Result {
    Self.result(waited(put(data, under: key)))
  }

  /// Removes a key, while the thread waits; a missing one is removed already.
  ///
  /// - Parameter key: The key.
  /// - Returns: How it has ended.
  @available(*, noasync, message: "blocks the thread; use remove(_:)")
  @discardableResult
  public func delete(_ key: String) -> Result {
    Self.result(waited(remove(key)))
  }

  /// Reads a value, while the thread waits.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value, as ``KeychainDataSource`` stores it; nil where there is none of the type,
  ///   or the keychain cannot be read.
  @available(*, noasync, message: "blocks the thread; use a KeychainDataSource")
  public func get<T: Codable>(_ key: String) -> T? {
    guard var data = try? waited(value(of: key)).get() else { return nil }
    defer { data.wipe() }
    return try? SecretCoding<T>.decode(data)
  }

  /// Stores a value, while the thread waits.
  ///
  /// - Parameters:
  ///   - value: The value, which is stored as ``KeychainDataSource`` does.
  ///   - key: The key, which is not secret.
  /// - Returns: How it has ended.
  @available(*, noasync, message: "blocks the thread; use a KeychainDataSource")
  @discardableResult
  public func set<T: Codable>(_ value: T, forKey key: String) -> Result {
    guard var data = try? SecretCoding<T>.encode(value) else { return .failed(Self.notEncoded) }
    defer { data.wipe() }
    return set(data, forKey: key)
  }

  /// Reads an object that archives itself, while the thread waits.
  ///
  /// - Parameter key: The key.
  /// - Returns: The object; nil where there is none of the type, or the keychain cannot be read.
  @available(*, noasync, message: "blocks the thread; use value(of:)")
  public func get<T: NSCoding>(_ key: String) -> T? {
    guard var data = try? waited(value(of: key)).get() else { return nil }
    defer { data.wipe() }
    return try? DataToNSCodingMapper<T>().map(data)
  }

  /// Stores an object that archives itself, while the thread waits.
  ///
  /// - Parameters:
  ///   - value: The object.
  ///   - key: The key, which is not secret.
  /// - Returns: How it has ended.
  @available(*, noasync, message: "blocks the thread; use put(_:under:)")
  @discardableResult
  public func set<T: NSCoding>(_ value: T, forKey key: String) -> Result {
    guard var data = try? NSCodingToDataMapper<T>().map(value) else {
      return .failed(Self.notEncoded)
    }
    defer { data.wipe() }
    return set(data, forKey: key)
  }

  /// That a value cannot be made bytes: a wrong parameter, on Apple's systems.
  private static let notEncoded: OSStatus = -50

  @available(*, noasync)
  private func waited<Value>(_ future: Future<Value>) -> Swift.Result<Value, any Error> {
    switch future.result {
    case .value(let value): .success(value)
    case .error(let error): .failure(error)
    }
  }

  private static func result<Value>(_ result: Swift.Result<Value, any Error>) -> Result {
    switch result {
    case .success: .success
    case .failure(let error as KeychainError): .failed(error.status)
    case .failure: .failed(notEncoded)
    }
  }
}
#endif
