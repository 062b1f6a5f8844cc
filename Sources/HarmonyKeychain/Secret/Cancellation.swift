#if Keychain
import CLibSecret
import Harmony

/// The cancellation of a call, which may be canceled from any thread while it waits or runs.
final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    /// The address of the `GCancellable`, which is thread-safe; 0 before it is created.
    var address: UInt = 0

    var pointer: UnsafeMutablePointer<CKCancellable>? { UnsafeMutablePointer(bitPattern: address) }
  }

  private let state = Locked(State())

  deinit {
    if let pointer { libsecret.g_object_unref(pointer) }
  }

  /// The `GCancellable` to pass to calls of the library; nil before ``begin()``.
  var pointer: UnsafeMutablePointer<CKCancellable>? {
    state.withLock { $0 }.pointer
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Creates the `GCancellable`; the library must have been loaded.
  func begin() {
    let address = UInt(bitPattern: libsecret.g_cancellable_new())
    let now = state.withLock { state in
      state.address = address
      return state
    }
    if now.isCancelled { libsecret.g_cancellable_cancel(now.pointer) }
  }

  func cancel() {
    let before = state.withLock { state in
      defer { state.isCancelled = true }
      return state
    }
    if before.address != 0 { libsecret.g_cancellable_cancel(before.pointer) }
  }
}
#endif
