import Dispatch
import Foundation
public import Harmony

/// A client for the live sources of another process, which an ``Inspector`` exposes there.
///
/// It connects on the first request, and reconnects if the other process has ended and another one
/// listens at the path. No request takes longer than the time limit. All methods may be called from
/// any thread and never block it.
public final class InspectionClient: Sendable {
  /// The path of the socket.
  public let path: String

  /// The sources to query without a socket, if they are those of this process.
  private let own: ExposedSources?
  private let timeLimit: Double
  private let sizeLimit: Int
  private let connection = Locked<InspectionConnection?>(nil)
  /// The process that has been connected to but has not sent its greeting yet.
  private let greeting = Locked<InspectedProcess?>(nil)
  /// A queue for connecting and sending, which may block.
  private let queue = DispatchQueue(label: "inspection client")

  /// Creates a client without connecting it.
  ///
  /// - Parameters:
  ///   - path: The path of the socket.
  ///   - timeLimit: The maximum time for an answer, in seconds.
  ///   - sizeLimit: The maximum size of an answer, in bytes.
  public init(socket path: String, timeLimit: Double = 10, sizeLimit: Int = 64 << 20) {
    self.path = path
    own = nil
    self.timeLimit = timeLimit.isFinite ? min(max(timeLimit, 0.001), 86_400) : 10
    self.sizeLimit = min(max(sizeLimit, 1), Int(Int32.max))
  }

  /// Creates a client of the sources of this process, without a socket.
  package init(_ sources: ExposedSources, timeLimit: Double = 10) {
    path = ""
    own = sources
    self.timeLimit = timeLimit.isFinite ? min(max(timeLimit, 0.001), 86_400) : 10
    sizeLimit = Int(Int32.max)
  }

  /// Lists the sources that the other process exposes.
  ///
  /// - Returns: A future of the sources in the order of their names. It fails with an
  ///   ``InspectionError`` if no process listens or answers.
  public func sources() -> Future<[InspectedSource]> {
    ask(InspectionRequest(.sources)).map { try $0.part(\.sources) }
  }

  /// Returns a source of the other process, whether or not one of this name is exposed.
  ///
  /// - Parameter name: The name of the source.
  /// - Returns: A source that sends requests to the other process.
  public func source(_ name: String) -> RemoteDataSource {
    RemoteDataSource(self, name)
  }

  /// Returns the process that exposes the sources.
  ///
  /// - Returns: A future of the process at the other end, which fails like ``sources()``.
  public func process() -> Future<InspectedProcess> {
    if own != nil { return Future(InspectedProcess(id: getpid(), user: geteuid())) }
    return onQueue { Future(try $0.process()) }
  }

  /// Returns the version of the protocol in use with the other process.
  ///
  /// - Returns: A future of the version, which fails like ``sources()``.
  package func version() -> Future<Int> {
    if own != nil { return Future(Int(InspectionVersion.current)) }
    return onQueue { Future(Int($0.version)) }
  }

  /// Waits until the other process has ended or has closed the connection.
  ///
  /// This sends no requests and may take forever.
  ///
  /// - Returns: A future that completes when the current connection, or one made for this call, has
  ///   ended. It fails like ``sources()`` if there is no connection.
  public func departure() -> Future<Void> {
    // This process cannot observe its own end.
    own == nil ? onQueue(isBounded: false) { $0.departure() } : Future()
  }

  /// Sends a request that requires a minimum version of the protocol.
  func ask(_ request: InspectionRequest, since version: UInt16 = 1) -> Future<InspectionAnswer> {
    if let own { return ask(request, of: own) }
    let timeLimit = timeLimit
    return onQueue { connection in
      guard connection.version >= version else {
        throw CoreError.NotImplemented.olderProgram
      }
      return connection.ask(request, within: timeLimit).map { try $0.checked() }
    }
  }

  /// Queries the sources of this process, with the same time limit as those of another.
  private func ask(
    _ request: InspectionRequest, of own: ExposedSources
  ) -> Future<InspectionAnswer> {
    let limits = InspectionLimits(messageSize: sizeLimit)
    let future = Future<InspectionAnswer> { resolver in
      let task = Task(executorPreference: PeerQueue()) {
        do {
          resolver.set(try await own.answer(request, limits))
        } catch {
          resolver.set(error)
        }
      }
      resolver.onCancel { task.cancel() }
    }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + timeLimit) {
      [weak future] in
      future?.set(InspectionError.timedOut)
    }
    return future
  }

  /// Performs an action with the connection, after connecting if necessary.
  ///
  /// - Parameters:
  ///   - isBounded: Whether the time limit applies to the whole call.
  ///   - body: The action.
  /// - Returns: A future of the result.
  private func onQueue<Value: Sendable>(
    isBounded: Bool = true,
    _ body: @escaping @Sendable (InspectionConnection) throws -> Future<Value>
  ) -> Future<Value> {
    let future = Future<Value>()
    let deadline = DispatchTime.now() + timeLimit
    queue.async { [self] in
      do {
        // Earlier requests may have waited for a process that does not send its greeting.
        guard !isBounded || DispatchTime.now() < deadline else { throw InspectionError.timedOut }
        future.set(try body(try open()))
      } catch {
        future.set(error)
      }
    }
    if isBounded {
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: deadline) {
        [weak future, weak self] in
        future?.set(self?.silence ?? .timedOut)
      }
    }
    return future
  }

  /// The error for a missing answer.
  private var silence: InspectionError {
    greeting.withLock { $0 }.map { InspectionConnection.silence(of: $0, at: path) } ?? .timedOut
  }

  /// Returns the connection, or a new one if the last one has ended.
  private func open() throws -> InspectionConnection {
    if let connection = connection.withLock({ $0 }), connection.isOpen { return connection }
    greeting.withLock { $0 = nil }
    let new = try InspectionConnection(path, limit: sizeLimit, patience: timeLimit) { process in
      greeting.withLock { $0 = process }
    }
    greeting.withLock { $0 = nil }
    connection.withLock { $0 = new }
    return new
  }
}

extension InspectionAnswer {
  /// Returns this answer, or throws its failure.
  func checked() throws -> InspectionAnswer {
    if let failure { throw failure.error }
    return self
  }

  /// Returns a required part of this answer.
  func part<Part>(_ path: KeyPath<InspectionAnswer, Part?>) throws -> Part {
    guard let part = self[keyPath: path] else {
      throw InspectionError.incompleteAnswer
    }
    return part
  }
}
