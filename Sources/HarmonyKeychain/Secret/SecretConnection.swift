#if Keychain
import CLibSecret
import Dispatch
import Harmony

/// A connection to the session bus and to the Secret Service on it, with its own serial queue.
///
/// It connects on first use, and reconnects after the bus or the service was restarted. The
/// connections of a process share only what GLib shares. It may be used from any thread.
final class SecretConnection: @unchecked Sendable {
  // Invariant: all variables are accessed only on `queue`, or in `deinit`, when the queue is empty.
  private let address: String?
  private let queue = DispatchQueue(label: "HarmonyKeychain.service")
  private var context: OpaquePointer?
  private var connection: OpaquePointer?
  private var service: UnsafeMutablePointer<CKService>?
  private var owner: String?

  /// The queue of time limits, which is independent of the queues of keychains.
  private static let timers = DispatchQueue(label: "HarmonyKeychain.timers", qos: .userInitiated)

  /// Creates a connection.
  ///
  /// - Parameter address: The address of the bus; nil for the session bus.
  init(address: String?) {
    self.address = address
  }

  deinit {
    if let service { libsecret.g_object_unref(service) }
    if let connection { libsecret.g_object_unref(UnsafeMutableRawPointer(connection)) }
    if let context { libsecret.g_main_context_unref(context) }
  }

  /// Performs an action with the service, in the order of the calls.
  ///
  /// - Parameters:
  ///   - limit: The maximum time for the call, including its wait for earlier calls. After that the
  ///     future fails, and the action is canceled.
  ///   - isWrite: Whether the action may have changed something when the time is over.
  ///   - body: The action.
  /// - Returns: A future that is completed on the queue, or when the time is over.
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
    // Signals of the bus are dispatched to the thread's own main context, which is drained here:
    // the program's main context, if any, must not handle the work of this queue.
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

  /// Returns the service, opening it again if it was restarted.
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
    // Opening the session may have started the service.
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

/// An action to perform after a time, unless it is canceled before.
///
/// Ringing or cancelling releases the action, even though the timer itself keeps running, because a
/// result may contain a secret.
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
