#if Keychain
public import Foundation
public import Harmony

/// The keys of a service in the desktop's keychain, the Secret Service.
///
/// GNOME Keyring, KWallet and KeePassXC provide it. A key is an item with the attributes `service`
/// and `account`, so that `secret-tool lookup service NAME account KEY` prints a secret stored by
/// this library, and vice versa. Items of other programs with `username` instead of `account` are
/// found and changed too. Services and keys are not secret: the keychain shows them even while it
/// is locked.
///
/// Calls never block. They run one after another, in the order in which they were made, on a queue
/// of the keychain, which also completes their futures. Only the calls without futures, such as
/// ``get(_:)``, block, and they are unavailable in asynchronous code. No call takes longer than the
/// time limit, including its wait for earlier calls; after that it fails with ``KeychainError``. An
/// instance may be used by several threads, and several processes may use one service.
///
/// A locked keychain is never unlocked implicitly, because that would open a window; see
/// ``unlock()``.
///
/// ```swift
/// let keychain = KeychainService("com.example.app")
/// try await keychain.put(Data("secret".utf8), under: "token").get()
/// let token = try await keychain.value(of: "token").get()
/// ```
///
/// Copies of a secret that this library makes are overwritten before their memory is freed. Data
/// that a caller passes or receives belongs to the caller and is not overwritten.
public final class KeychainService: Sendable {
  /// The name of the service, which all of its keys share.
  public let service: String

  /// The maximum time for a call.
  public let timeLimit: Duration

  /// The maximum time for the user to answer the prompt of ``unlock()``.
  public let promptTimeLimit: Duration

  private let connection: SecretConnection

  /// Creates a keychain without connecting to it.
  ///
  /// - Parameters:
  ///   - service: The name that all keys share, such as the identifier of the program.
  ///   - timeLimit: The maximum time for a call.
  ///   - promptTimeLimit: The maximum time for the user to answer a prompt.
  ///   - busAddress: The address of the keychain's bus; nil for the session bus.
  public init(
    _ service: String = "com.default.service", timeLimit: Duration = .seconds(5),
    promptTimeLimit: Duration = .seconds(60), busAddress: String? = nil
  ) {
    self.service = service
    self.timeLimit = timeLimit
    self.promptTimeLimit = promptTimeLimit
    connection = SecretConnection(address: busAddress)
  }

  /// Reads the secret of a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: A future of the secret; nil if there is no such key. It fails with
  ///   ``KeychainError`` if that is unknown.
  public func value(of key: String) -> Future<Data?> {
    perform([key]) { store in try store.read(key) { Data($0) } }
  }

  /// Stores a secret, atomically replacing any previous one.
  ///
  /// - Parameters:
  ///   - data: The secret.
  ///   - key: The key, which is not secret.
  /// - Returns: A future that completes once the secret is stored, or fails with ``KeychainError``.
  @discardableResult
  public func put(_ data: Data, under key: String) -> Future<Void> {
    perform([key], isWrite: true) { store in
      try data.withUnsafeBytes { try store.write($0, under: key) }
    }
  }

  /// Removes a key; succeeds if there is none.
  ///
  /// - Parameter key: The key.
  /// - Returns: A future of whether the key existed, which fails with ``KeychainError``.
  @discardableResult
  public func remove(_ key: String) -> Future<Bool> {
    perform([key], isWrite: true) { try $0.remove(key) }
  }

  /// Atomically renames a key, without reading its secret.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - newKey: The new name. An existing item of that name stays; one of the two then hides the
  ///     other.
  /// - Returns: A future of whether the key existed, which fails with ``KeychainError``.
  @discardableResult
  public func rename(_ key: String, to newKey: String) -> Future<Bool> {
    perform([key, newKey], isWrite: true) { try $0.rename(key, to: newKey) }
  }

  /// Lists the keys of the service, without their secrets.
  ///
  /// - Returns: A future of the keys in the order of their UTF-8. It fails with ``KeychainError``,
  ///   also if one of them is locked, because the list would be incomplete.
  public func items() -> Future<[KeychainItem]> {
    perform([]) { store in try store.all().map { KeychainItem($0.item, key: $0.key) } }
  }

  /// Returns whether the collection for new keys is locked.
  ///
  /// - Returns: A future that fails with ``KeychainError`` if there is no keychain.
  public func isLocked() -> Future<Bool> {
    perform([]) { try $0.session.isLocked() }
  }

  /// Lets the desktop ask the user for the password of the keychain, if it is locked.
  ///
  /// If the user does not answer in time or the future is canceled, the prompt stays on screen,
  /// and answering it later still unlocks the keychain. It is not dismissed, because GNOME Keyring
  /// 42 would crash.
  ///
  /// - Returns: A future that completes when the keychain is unlocked. It fails with
  ///   ``KeychainError/Reason/dismissed`` if the user dismissed the prompt or the desktop could not
  ///   show it, and with ``KeychainError/Reason/timedOut`` after ``promptTimeLimit``.
  @discardableResult
  public func unlock() -> Future<Void> {
    let service = service
    return connection.perform(limit: promptTimeLimit) { session in
      try session.unlock(try session.items(SecretAttributes(["service": service])))
    }
  }

  /// Performs an action with the keys of the service, serialized with other calls of this instance.
  package func perform<Answer: Sendable>(
    _ keys: [String], isWrite: Bool = false,
    _ body: @escaping @Sendable (KeychainCall) throws -> Answer
  ) -> Future<Answer> {
    guard !service.utf8.contains(0), !keys.contains(where: { $0.utf8.contains(0) }) else {
      return Future(
        CoreError.IllegalArgument("Names and keys in a keychain cannot contain NUL"))
    }
    let service = service
    return connection.perform(limit: timeLimit, isWrite: isWrite) { session in
      try body(KeychainCall(store: KeychainStore(session: session, service: service)))
    }
  }
}
#endif
