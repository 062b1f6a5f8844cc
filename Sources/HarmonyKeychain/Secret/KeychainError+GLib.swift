#if Keychain
import CLibSecret

extension KeychainError {
  /// What the desktop's error means, which is freed.
  ///
  /// - Parameters:
  ///   - error: The error of a call; nil where it failed without one.
  ///   - doing: What was being done, for errors that are no more than their message.
  init(consuming error: UnsafeMutablePointer<CKError>?, _ doing: String) {
    guard let error else {
      self.init(.failed, "the keychain did not \(doing), and did not say why")
      return
    }
    defer { libsecret.g_error_free(error) }
    let code = error.pointee.code
    let message = error.pointee.message.map { String(cString: $0) } ?? ""
    switch error.pointee.domain {
    case libsecret.secret_error_get_quark() where code == Int32(CK_ERROR_IS_LOCKED):
      self = .locked(nil)
    case libsecret.g_dbus_error_quark() where Self.absent.contains(code): self = .noService
    default: self.init(.failed, "the keychain did not \(doing): \(message)")
    }
  }

  /// Errors of the bus that mean that there is no service, nor any program that could start it.
  private static let absent: Set<Int32> = Set(
    [
      CK_DBUS_ERROR_SERVICE_UNKNOWN, CK_DBUS_ERROR_NAME_HAS_NO_OWNER,
      CK_DBUS_ERROR_SPAWN_EXEC_FAILED,
      CK_DBUS_ERROR_SPAWN_FORK_FAILED, CK_DBUS_ERROR_SPAWN_CHILD_EXITED,
      CK_DBUS_ERROR_SPAWN_CHILD_SIGNALED, CK_DBUS_ERROR_SPAWN_FAILED,
      CK_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND,
    ].map { Int32($0) })
}

/// Whether an error says that what was meant is gone, such as an item or a session of a service
/// that was started again.
func isOfLostObject(_ error: UnsafeMutablePointer<CKError>?) -> Bool {
  guard let error else { return false }
  let code = error.pointee.code
  if error.pointee.domain == libsecret.secret_error_get_quark() {
    return code == Int32(CK_ERROR_NO_SUCH_OBJECT)
  }
  return error.pointee.domain == libsecret.g_dbus_error_quark()
    && [CK_DBUS_ERROR_UNKNOWN_METHOD, CK_DBUS_ERROR_UNKNOWN_OBJECT]
      .contains(Int(code))
}
#endif
