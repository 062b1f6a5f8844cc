#if Keychain
public import Foundation
public import Harmony

/// The keys of one service in the desktop's keychain, the Secret Service.
///
/// GNOME Keyring, KWallet and KeePassXC provide it. A key is an item with the attributes
/// `service` and `account`, so that `secret-tool lookup service NAME account KEY` prints what is
/// stored here, and what `secret-tool store` has stored with them is found; items of other programs
/// that have `username` in place of `account` are found and changed, too. Service and key are not
/// secret: the keychain shows them also while it is locked.
///
/// Calls never block: they are carried out one after the other, in the order in which they were
/// made, on a queue of the keychain, which also completes their futures; those with labels such as
/// ``get(_:)`` wait for that and are not for asynchronous code. No call takes longer than the time
/// limit, its wait for the calls before included: it fails with ``KeychainError`` then. One
/// instance may be used by several threads, and several processes may use one service.
///
/// A keychain is never unlocked by the way, which would open a window; see ``unlock()``.
///
/// ```swift
/// let keychain = KeychainService("com.example.app")
/// try await keychain.put(Data("secret".utf8), under: "token").get()
/// let token = try await keychain.value(of: "token").get()
/// ```
///
/// Copies of a secret that this library makes are overwritten before their memory is given back.
/// What a caller gets or gives is the caller's, and not overwritten.
public final class KeychainService: Sendable {
  /// The name of the service, which all of its keys share.
  public let service: String

  /// How long one call may take.
  public let timeLimit: Duration

  /// How long a user has to answer a question of the desktop, in ``unlock()``.
  public let promptTimeLimit: Duration

  private let connection: SecretConnection

  /// Describes a keychain; nothing is reached before the first call.
  ///
  /// - Parameters:
  ///   - service: The name that all keys share, such as the identifier of the program.
  ///   - timeLimit: How long one call may take.
  ///   - promptTimeLimit: How long a user has to answer a question of the desktop.
  ///   - busAddress: The address of the bus on which the keychain is; nil for that of the session.
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
  /// - Returns: A future of the bytes, nil where there is no such key, that fails with
  ///   ``KeychainError`` where that cannot be told.
  public func value(of key: String) -> Future<Data?> {
    perform([key]) { store in try store.read(key) { Data($0) } }
  }

  /// Stores a secret in one step, in place of what was there.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - key: The key, which is not secret.
  /// - Returns: A future of the end, that fails with ``KeychainError``.
  @discardableResult
  public func put(_ data: Data, under key: String) -> Future<Void> {
    perform([key], isWrite: true) { store in
      try data.withUnsafeBytes { try store.write($0, under: key) }
    }
  }

  /// Removes a key; a missing one is removed already.
  ///
  /// - Parameter key: The key.
  /// - Returns: A future of whether there was one, that fails with ``KeychainError``.
  @discardableResult
  public func remove(_ key: String) -> Future<Bool> {
    perform([key], isWrite: true) { try $0.remove(key) }
  }

  /// Gives a key another name in one step, without a look at its secret.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - newKey: Its new name; what has that already stays, and is hidden by this one or hides it.
  /// - Returns: A future of whether there was such a key, that fails with ``KeychainError``.
  @discardableResult
  public func rename(_ key: String, to newKey: String) -> Future<Bool> {
    perform([key, newKey], isWrite: true) { try $0.rename(key, to: newKey) }
  }

  /// Lists the keys of the service, without their secrets.
  ///
  /// - Returns: A future of the keys in the order of their UTF-8, that fails with
  ///   ``KeychainError``: also where one of them is locked, as nobody knows then which there are.
  public func items() -> Future<[KeychainItem]> {
    perform([]) { store in try store.all().map { KeychainItem($0.item, key: $0.key) } }
  }

  /// Tells whether the part of the keychain that takes new keys is locked.
  ///
  /// - Returns: A future that fails with ``KeychainError`` where there is no keychain.
  public func isLocked() -> Future<Bool> {
    perform([]) { try $0.session.isLocked() }
  }

  /// Lets the desktop ask the user for the password of the keychain, if it is locked.
  ///
  /// A question that is not answered in time, or whose future is cancelled, stays on the screen: to
  /// answer it later unlocks the keychain, too. GNOME Keyring 42 would end itself if it was told to
  /// dismiss it.
  ///
  /// - Returns: A future of the end, with the keychain unlocked, that fails with
  ///   ``KeychainError/Reason/dismissed`` where nobody has answered or the desktop could not ask,
  ///   and with ``KeychainError/Reason/timedOut`` after ``promptTimeLimit``.
  @discardableResult
  public func unlock() -> Future<Void> {
    let service = service
    return connection.perform(limit: promptTimeLimit) { session in
      try session.unlock(try session.items(SecretAttributes(["service": service])))
    }
  }

  /// Does something with the keys of the service while no other call of this instance does.
  package func perform<Answer: Sendable>(
    _ keys: [String], isWrite: Bool = false,
    _ body: @escaping @Sendable (KeychainCall) throws -> Answer
  ) -> Future<Answer> {
    guard !service.utf8.contains(0), !keys.contains(where: { $0.utf8.contains(0) }) else {
      return Future(
        CoreError.IllegalArgument("A keychain has no names and keys with a NUL character in them"))
    }
    let service = service
    return connection.perform(limit: timeLimit, isWrite: isWrite) { session in
      try body(KeychainCall(store: KeychainStore(session: session, service: service)))
    }
  }
}
#endif
