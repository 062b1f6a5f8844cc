#if Keychain
import HarmonyKeychain
import LarderModel

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
