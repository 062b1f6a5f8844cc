#if Keychain
import CLibSecret
import Harmony

/// Cancels one call, from any thread, whether it waits or runs.
final class Cancellation: @unchecked Sendable {
  // Invariant: the pointer is constant, and what is behind it may be used by any thread.
  let pointer: UnsafeMutablePointer<GCancellable>?

  init() {
    pointer = g_cancellable_new()
  }

  deinit {
    if let pointer { g_object_unref(pointer) }
  }

  var isCancelled: Bool { g_cancellable_is_cancelled(pointer) != 0 }

  func cancel() {
    g_cancellable_cancel(pointer)
  }
}
#endif
