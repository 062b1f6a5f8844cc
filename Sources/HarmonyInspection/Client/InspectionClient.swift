import Dispatch
import Foundation
public import Harmony

/// Looks at the live sources of another process, which an ``Inspector`` shows there.
///
/// It connects when something is asked first, and again after the other process has ended and
/// another listens at the path. Nothing waits longer than the time limit. Everything here can be
/// called from any thread, and no call waits on it.
public final class InspectionClient: Sendable {
  /// The path of the socket.
  public let path: String

  /// What is asked where the sources are those of this process.
  private let own: ExposedSources?
  private let timeLimit: Double
  private let sizeLimit: Int
  private let connection = Locked<InspectionConnection?>(nil)
  /// Who was connected to last and has not greeted yet.
  private let greeting = Locked<InspectedProcess?>(nil)
  /// Connecting and sending may take a while.
  private let queue = DispatchQueue(label: "inspection client")

  /// Creates a client; nothing is connected yet.
  ///
  /// - Parameters:
  ///   - path: The path of the socket.
  ///   - timeLimit: How many seconds an answer may take.
  ///   - sizeLimit: How many bytes an answer may have.
  public init(socket path: String, timeLimit: Double = 10, sizeLimit: Int = 64 << 20) {
    self.path = path
    own = nil
    self.timeLimit = timeLimit.isFinite ? min(max(timeLimit, 0.001), 86_400) : 10
    self.sizeLimit = min(max(sizeLimit, 1), Int(Int32.max))
  }

  /// Creates a client of the sources of this process, which are asked without a socket.
  package init(_ sources: ExposedSources, timeLimit: Double = 10) {
    path = ""
    own = sources
    self.timeLimit = timeLimit.isFinite ? min(max(timeLimit, 0.001), 86_400) : 10
    sizeLimit = Int(Int32.max)
  }

  /// Lists the sources that the other process shows.
  ///
  /// - Returns: A future of the sources in the order of their names, that fails with an
  ///   ``InspectionError`` where there is nobody, or nobody who answers.
  public func sources() -> Future<[InspectedSource]> {
    ask(InspectionRequest(.sources)).map { try $0.part(\.sources) }
  }

  /// A source of the other process, whether it shows one of this name or not.
  ///
  /// - Parameter name: The name that it is shown under.
  /// - Returns: A source that asks the other process.
  public func source(_ name: String) -> RemoteDataSource {
    RemoteDataSource(self, name)
  }

  /// Who shows the sources.
  ///
  /// - Returns: A future of the process at the other end, that fails as ``sources()`` does.
  public func process() -> Future<InspectedProcess> {
    if own != nil { return Future(InspectedProcess(id: getpid(), user: geteuid())) }
    return onQueue { Future(try $0.process()) }
  }

  /// The version of the protocol that is spoken with the other process.
  ///
  /// - Returns: A future of the number, that fails as ``sources()`` does.
  package func version() -> Future<Int> {
    if own != nil { return Future(Int(InspectionVersion.current)) }
    return onQueue { Future(Int($0.version)) }
  }

  /// Waits until the other process has ended, or has closed the connection.
  ///
  /// Nothing is asked meanwhile, and it may last for ever.
  ///
  /// - Returns: A future that is there once nobody is at the other end of the connection that there
  ///   is, or that is made for this; it fails as ``sources()`` does where none can be made.
  public func departure() -> Future<Void> {
    // This process sees its own end from nowhere.
    own == nil ? onQueue(isBounded: false) { $0.departure() } : Future()
  }

  /// Asks something that is known since a version of the protocol.
  func ask(_ request: InspectionRequest, since version: UInt16 = 1) -> Future<InspectionAnswer> {
    if let own { return ask(request, of: own) }
    let timeLimit = timeLimit
    return onQueue { connection in
      guard connection.version >= version else {
        throw CoreError.NotImplemented(
          "the program was made with an older HarmonyInspection, which does not know how to")
      }
      return connection.ask(request, within: timeLimit).map { try $0.checked() }
    }
  }

  /// Asks the sources of this process, which are given as much time as those of another.
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

  /// Does something with the connection, for which one may have to be made first.
  ///
  /// - Parameters:
  ///   - isBounded: Whether it is given up after the time limit, whatever it waits for.
  ///   - body: What is done.
  /// - Returns: A future of what comes of it.
  private func onQueue<Value: Sendable>(
    isBounded: Bool = true,
    _ body: @escaping @Sendable (InspectionConnection) throws -> Future<Value>
  ) -> Future<Value> {
    let future = Future<Value>()
    let deadline = DispatchTime.now() + timeLimit
    queue.async { [self] in
      do {
        // Others may have waited before for a process that does not greet.
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

  /// Why there is no answer in time.
  private var silence: InspectionError {
    greeting.withLock { $0 }.map { InspectionConnection.silence(of: $0, at: path) } ?? .timedOut
  }

  /// The connection, a new one where the last has ended.
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
  /// This answer, unless it is a failure.
  func checked() throws -> InspectionAnswer {
    if let failure { throw failure.error }
    return self
  }

  /// A part of this answer that has to be there.
  func part<Part>(_ path: KeyPath<InspectionAnswer, Part?>) throws -> Part {
    guard let part = self[keyPath: path] else {
      throw InspectionError.malformed("an answer without what was asked for")
    }
    return part
  }
}
