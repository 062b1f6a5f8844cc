import LarderModel

#if Keychain
import HarmonyKeychain
#endif

extension StoreError {
  static let missingService = StoreError.cannotOpen(
    "keychain: needs the name of a service, as in keychain:com.example.app")
  static let secretsNotSearched = StoreError.notSupported(
    "larder searches only the keys of a keychain, not its secrets")

  static func builtWithoutKeychain(_ location: String) -> Self {
    .cannotOpen(
      "\(location): this larder was built without the keychain; build it without "
        + "--disable-default-traits")
  }

  static func notSecret(_ key: EntryKey, _ type: StoredType) -> Self {
    .notSupported(
      "a keychain stores only text and data, so \(key.spoken) cannot be \(type.rawValue); nothing was "
        + "written")
  }

  static func notSecretKey(_ key: EntryKey) -> Self {
    .notSupported(
      "keychain keys are text without a NUL, and \(key.spoken) is not; nothing was written")
  }
}

#if Keychain

extension StoreError {
  /// Creates the error for a failure of a keychain.
  ///
  /// - Parameters:
  ///   - error: The error that the keychain threw.
  ///   - location: The location of the store.
  init(keychain error: any Error, at location: StoreLocation) {
    guard let error = error as? KeychainError else {
      self.init(error)
      return
    }
    let place = location.path
    switch error.reason {
    case .unavailable: self = .cannotOpen("\(place): \(error.description)")
    case .locked:
      self = .busy(
        "\(place): the keychain is locked; unlock it in the desktop's password manager, or pass "
          + "--unlock to be asked for the password")
    case .timedOut, .dismissed, .failed: self = .failed("\(place): \(error.description)")
    }
  }
}
#endif
