#if Keychain
import CLibSecret
import Harmony

/// Cancels one call, from any thread, whether it waits or runs.
final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    /// Where the library's own cancellation is, which any thread may use; 0 before there is one.
    var address: UInt = 0

    var pointer: UnsafeMutablePointer<CKCancellable>? { UnsafeMutablePointer(bitPattern: address) }
  }

  private let state = Locked(State())

  deinit {
    if let pointer { libsecret.g_object_unref(pointer) }
  }

  /// What calls of the library are given; nil before ``begin()``.
  var pointer: UnsafeMutablePointer<CKCancellable>? {
    state.withLock { $0 }.pointer
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Makes what calls of the library are given; not before the library is known to be there.
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
