#if Keychain
public import Foundation
import Harmony

// Harmony's calls, which block until the keychain answers. The calls with futures report the reason
// of a failure.
extension KeychainService {
  /// The result of a blocking call.
  public enum Result: Error, Sendable, Hashable {
    /// The call succeeded.
    case success
    /// The call failed with the status of ``KeychainError/status``.
    case failed(OSStatus)
  }

  /// Reads the secret of a key, blocking the thread.
  ///
  /// - Parameter key: The key.
  /// - Returns: The secret; nil if there is no such key or the keychain cannot be read.
  @available(*, noasync, message: "blocks the thread; use value(of:)")
  public func get(_ key: String) -> Data? {
    try? waited(value(of: key)).get()
  }

  /// Stores a secret, atomically replacing any previous one and blocking the thread.
  ///
  /// - Parameters:
  ///   - data: The secret.
  ///   - key: The key, which is not secret.
  /// - Returns: The result.
  @available(*, noasync, message: "blocks the thread; use put(_:under:)")
  @discardableResult
  public func set(_ data: Data, forKey key: String) -> Result {
    Self.result(waited(put(data, under: key)))
  }

  /// Removes a key, blocking the thread; succeeds if there is none.
  ///
  /// - Parameter key: The key.
  /// - Returns: The result.
  @available(*, noasync, message: "blocks the thread; use remove(_:)")
  @discardableResult
  public func delete(_ key: String) -> Result {
    Self.result(waited(remove(key)))
  }

  /// Reads a value, blocking the thread.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value, in the format of ``KeychainDataSource``; nil if there is none of the
  ///   type or the keychain cannot be read.
  @available(*, noasync, message: "blocks the thread; use a KeychainDataSource")
  public func get<T: Codable>(_ key: String) -> T? {
    guard var data = try? waited(value(of: key)).get() else { return nil }
    defer { data.wipe() }
    return try? PortableCoding<T>.decode(data)
  }

  /// Stores a value, blocking the thread.
  ///
  /// - Parameters:
  ///   - value: The value, which is stored in the format of ``KeychainDataSource``.
  ///   - key: The key, which is not secret.
  /// - Returns: The result.
  @available(*, noasync, message: "blocks the thread; use a KeychainDataSource")
  @discardableResult
  public func set<T: Codable>(_ value: T, forKey key: String) -> Result {
    guard var data = try? PortableCoding<T>.encode(value) else { return .failed(Self.notEncoded) }
    defer { data.wipe() }
    return set(data, forKey: key)
  }

  /// Reads an archived object, blocking the thread.
  ///
  /// - Parameter key: The key.
  /// - Returns: The object; nil if there is none of the type or the keychain cannot be read.
  @available(*, noasync, message: "blocks the thread; use value(of:)")
  public func get<T: NSCoding>(_ key: String) -> T? {
    guard var data = try? waited(value(of: key)).get() else { return nil }
    defer { data.wipe() }
    return try? DataToNSCodingMapper<T>().map(data)
  }

  /// Archives and stores an object, blocking the thread.
  ///
  /// - Parameters:
  ///   - value: The object.
  ///   - key: The key, which is not secret.
  /// - Returns: The result.
  @available(*, noasync, message: "blocks the thread; use put(_:under:)")
  @discardableResult
  public func set<T: NSCoding>(_ value: T, forKey key: String) -> Result {
    guard var data = try? NSCodingToDataMapper<T>().map(value) else {
      return .failed(Self.notEncoded)
    }
    defer { data.wipe() }
    return set(data, forKey: key)
  }

  /// The status of a value that cannot be encoded, as on Apple platforms: an invalid parameter.
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
