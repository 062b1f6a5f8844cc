#if Keychain
import CLibSecret

extension KeychainError {
  /// Creates an error from a GLib error, and frees that.
  ///
  /// - Parameters:
  ///   - error: The error of a call; nil if it failed without one.
  ///   - doing: The action that failed, for errors that have only a message.
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

  /// The D-Bus errors that mean that no program provides or can start the service.
  private static let absent: Set<Int32> = Set(
    [
      CK_DBUS_ERROR_SERVICE_UNKNOWN, CK_DBUS_ERROR_NAME_HAS_NO_OWNER,
      CK_DBUS_ERROR_SPAWN_EXEC_FAILED,
      CK_DBUS_ERROR_SPAWN_FORK_FAILED, CK_DBUS_ERROR_SPAWN_CHILD_EXITED,
      CK_DBUS_ERROR_SPAWN_CHILD_SIGNALED, CK_DBUS_ERROR_SPAWN_FAILED,
      CK_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND,
    ].map { Int32($0) })
}

/// Returns whether an error means that an object no longer exists, such as an item or a session of
/// a service that was restarted.
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
