#if Keychain
import CLibSecret
import Dispatch
import Harmony

/// A connection to the session bus and to the Secret Service on it, on a serial queue of its own.
///
/// Made when first used, and again when the bus or the service was started again. The calls of all
/// keychains of the process share nothing but what GLib shares. May be used from any thread.
final class SecretConnection: @unchecked Sendable {
  // Invariant: all variables are touched on `queue` only, and in `deinit`, when nothing is on it.
  private let address: String?
  private let queue = DispatchQueue(label: "HarmonyKeychain.service")
  private var context: OpaquePointer?
  private var connection: OpaquePointer?
  private var service: UnsafeMutablePointer<CKService>?
  private var owner: String?

  /// Where time limits run out, whatever the queues of keychains do.
  private static let timers = DispatchQueue(label: "HarmonyKeychain.timers", qos: .userInitiated)

  /// - Parameter address: The address of the bus; nil for that of the session.
  init(address: String?) {
    self.address = address
  }

  deinit {
    if let service { libsecret.g_object_unref(service) }
    if let connection { libsecret.g_object_unref(UnsafeMutableRawPointer(connection)) }
    if let context { libsecret.g_main_context_unref(context) }
  }

  /// Does something at the service, in the order of the calls.
  ///
  /// - Parameters:
  ///   - limit: How long it may take, waiting for its turn included; then the future fails, and
  ///     what still runs is cancelled.
  ///   - isWrite: Whether something may have changed when the time is over.
  ///   - body: What to do.
  /// - Returns: A future that the queue completes, or the end of the time.
  func perform<Answer: Sendable>(
    limit: Duration, isWrite: Bool = false,
    _ body: @escaping @Sendable (SecretSession) throws -> Answer
  ) -> Future<Answer> {
    Future { resolver in
      let cancellation = Cancellation()
      resolver.onCancel { cancellation.cancel() }
      let alarm = Alarm {
        resolver.resolve(.error(KeychainError.timedOut(limit, isWrite: isWrite)))
        cancellation.cancel()
      }
      Self.timers.asyncAfter(deadline: .now() + limit.inSeconds) { alarm.ring() }
      queue.async { [self] in
        defer { alarm.cancel() }
        guard !resolver.isResolved, !cancellation.isCancelled else {
          resolver.resolve(.error(CancellationError()))
          return
        }
        guard SecretLibrary.isLoaded else {
          resolver.resolve(.error(KeychainError.noLibrary))
          return
        }
        cancellation.begin()
        do {
          let answer = try withService(cancellation, body)
          resolver.resolve(.value(answer))
        } catch {
          resolver.resolve(.error(error))
        }
      }
    }
  }

  private func withService<Answer>(
    _ cancellation: Cancellation, _ body: (SecretSession) throws -> Answer
  ) throws -> Answer {
    // What the bus tells of changes is put down for the thread's own loop, which is emptied here:
    // the program's main loop, if it has one, is not for work of this queue.
    if context == nil { context = libsecret.g_main_context_new() }
    libsecret.g_main_context_push_thread_default(context)
    defer {
      while libsecret.g_main_context_iteration(context, 0) != 0 {}
      libsecret.g_main_context_pop_thread_default(context)
    }
    let bus = try connected(cancellation)
    let service = try ready(bus, cancellation)
    return try body(
      SecretSession(
        service: service, bus: bus, context: context, cancellation: cancellation))
  }

  /// The service as it runs now.
  private func ready(
    _ bus: OpaquePointer, _ cancellation: Cancellation
  ) throws -> UnsafeMutablePointer<CKService> {
    let current = currentOwner(bus, cancellation)
    if let service, current != nil, current == owner { return service }
    if let service { libsecret.g_object_unref(service) }
    service = nil
    var error: UnsafeMutablePointer<CKError>?
    guard
      let opened = ck_open_service(
        SecretLibrary.functions, SecretLibrary.serviceType, bus, cancellation.pointer, &error)
    else {
      let failure = KeychainError(consuming: error, "open a session")
      throw cancellation.isCancelled ? CancellationError() : failure
    }
    service = opened
    // It may have been started by that.
    owner = currentOwner(bus, cancellation)
    return opened
  }

  private func currentOwner(_ bus: OpaquePointer, _ cancellation: Cancellation) -> String? {
    guard
      let name = ck_service_owner(
        SecretLibrary.functions, bus, cancellation.pointer, nil)
    else { return nil }
    defer { libsecret.g_free(name) }
    return String(cString: name)
  }

  private func connected(_ cancellation: Cancellation) throws -> OpaquePointer {
    if let connection, libsecret.g_dbus_connection_is_closed(connection) == 0 { return connection }
    if let service { libsecret.g_object_unref(service) }
    service = nil
    if let connection { libsecret.g_object_unref(UnsafeMutableRawPointer(connection)) }
    connection = nil
    var error: UnsafeMutablePointer<CKError>?
    let place: UnsafeMutablePointer<CChar>? =
      address.map { libsecret.g_strdup($0) }
      ?? libsecret.g_dbus_address_get_for_bus_sync(
        UInt32(CK_BUS_SESSION), cancellation.pointer, &error)
    defer { libsecret.g_free(place) }
    var made: OpaquePointer?
    if let place {
      let flags = UInt32(CK_CONNECTION_AUTHENTICATION_CLIENT | CK_CONNECTION_MESSAGE_BUS)
      made = libsecret.g_dbus_connection_new_for_address_sync(
        place, flags, nil, cancellation.pointer, &error)
    }
    guard let made else {
      if let error { libsecret.g_error_free(error) }
      throw cancellation.isCancelled ? CancellationError() : KeychainError.noBus
    }
    connection = made
    return made
  }
}

/// Something to do when a time is over, unless it is cancelled before.
///
/// Then nothing of it is kept, while the timer itself runs on: a call may have answered with a
/// secret.
private final class Alarm: Sendable {
  private let action: Locked<(@Sendable () -> Void)?>

  init(_ action: @escaping @Sendable () -> Void) {
    self.action = Locked(action)
  }

  func ring() {
    take()?()
  }

  func cancel() {
    _ = take()
  }

  private func take() -> (@Sendable () -> Void)? {
    action.withLock { action in
      defer { action = nil }
      return action
    }
  }
}
#endif
