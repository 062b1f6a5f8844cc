#if Keychain
import CLibSecret

extension KeychainError {
  /// What the desktop's error means, which is freed.
  ///
  /// - Parameters:
  ///   - error: The error of a call; nil where it failed without one.
  ///   - doing: What was being done, for errors that are no more than their message.
  init(consuming error: UnsafeMutablePointer<GError>?, _ doing: String) {
    guard let error else {
      self.init(.failed, "the keychain did not \(doing), and did not say why")
      return
    }
    defer { g_error_free(error) }
    let code = error.pointee.code
    let message = error.pointee.message.map { String(cString: $0) } ?? ""
    switch error.pointee.domain {
    case secret_error_get_quark() where code == Int32(SECRET_ERROR_IS_LOCKED.rawValue):
      self = .locked(nil)
    case g_dbus_error_quark() where Self.absent.contains(code): self = .noService
    default: self.init(.failed, "the keychain did not \(doing): \(message)")
    }
  }

  /// Errors of the bus that mean that there is no service, nor any program that could start it.
  private static let absent: Set<Int32> = Set(
    [
      G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER, G_DBUS_ERROR_SPAWN_EXEC_FAILED,
      G_DBUS_ERROR_SPAWN_FORK_FAILED, G_DBUS_ERROR_SPAWN_CHILD_EXITED,
      G_DBUS_ERROR_SPAWN_CHILD_SIGNALED, G_DBUS_ERROR_SPAWN_FAILED,
      G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND,
    ].map { Int32(bitPattern: $0.rawValue) })
}

/// Whether an error says that what was meant is gone, such as an item or a session of a service
/// that was started anew.
func isOfLostObject(_ error: UnsafeMutablePointer<GError>?) -> Bool {
  guard let error else { return false }
  let code = error.pointee.code
  if error.pointee.domain == secret_error_get_quark() {
    return code == Int32(SECRET_ERROR_NO_SUCH_OBJECT.rawValue)
  }
  return error.pointee.domain == g_dbus_error_quark()
    && [G_DBUS_ERROR_UNKNOWN_METHOD, G_DBUS_ERROR_UNKNOWN_OBJECT]
      .contains { Int32(bitPattern: $0.rawValue) == code }
}
#endif
