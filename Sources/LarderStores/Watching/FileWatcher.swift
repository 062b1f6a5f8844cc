import Dispatch
import Foundation
import Harmony

/// A watch on files and folders that reports when one of them may have changed.
///
/// The watch uses the kernel's notifications if possible. Otherwise, for example if the system has
/// no watches left, it assumes a change once a second. Waiting does not block a thread.
final class FileWatcher: Sendable {
  private struct State {
    var watched: WatchedPaths?
    /// Whether a notification was consumed by a wait that was canceled at that moment.
    var isMissed = false
  }

  private let places: [WatchedPath]
  private let usesNotices: Bool
  private let interval: Double
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "larder.watch")

  /// The polling interval for places that the kernel does not watch, in seconds.
  static let second = 1.0
  /// The polling interval if the kernel watches most folders and checking all takes long, in
  /// seconds.
  private static let longInterval = 10.0

  /// Starts watching.
  ///
  /// - Parameters:
  ///   - places: The places to watch.
  ///   - usesNotices: Whether to use the kernel's notifications, which do not cover writes through
  ///     memory mappings.
  ///   - interval: The polling interval for places that the kernel does not watch, in seconds.
  init(
    _ places: [WatchedPath], usesNotices: Bool = true, interval: Double = FileWatcher.second
  ) {
    self.interval = interval
    self.places = places
    self.usesNotices = usesNotices
    begin()
  }

  private func begin() {
    let watched = usesNotices ? WatchedPaths(places) : nil
    state.withLock { $0.watched = watched }
  }

  /// The reason that changes may be reported late, as a sentence, or nil if the kernel reports all.
  var limitation: String? {
    let watched = state.withLock { $0.watched }
    guard watched?.isComplete != true else { return nil }
    let path = places.first?.path ?? ""
    guard watched != nil else {
      return Messages.noNotices(path)
    }
    return Messages.manyFolders(
      path, maximum: WatchedPaths.maximumCount, interval: Int(Self.longInterval))
  }

  /// Returns a future that completes once a place may have changed since the last one completed.
  func next() -> Future<Void> {
    Future { resolver in
      if takeMissed() { return resolver.set() }
      // A watch that failed before may succeed now, if another one has ended or the folder exists.
      if state.withLock({ $0.watched == nil }) { begin() }
      let watched = state.withLock { $0.watched }
      if let watched { wait(notices: watched, resolver) }
      if watched?.isComplete != true {
        wait(seconds: watched == nil ? interval : Self.longInterval, resolver)
      }
    }
  }

  private func wait(notices watched: WatchedPaths, _ resolver: FutureResolver<Void>) {
    let source = Source(
      DispatchSource.makeReadSource(fileDescriptor: watched.inotify.descriptor, queue: queue))
    source.start(resolver, isLost: { [self] in state.withLock { $0.isMissed = true } }) { [self] in
      switch watched.take() {
      case .nothing: return takeMissed()
      case .changed: return true
      case .moved:
        begin()
        return true
      }
    }
  }

  private func takeMissed() -> Bool {
    state.withLock { state in
      defer { state.isMissed = false }
      return state.isMissed
    }
  }

  private func wait(seconds: Double, _ resolver: FutureResolver<Void>) {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + seconds)
    Source(timer).start(resolver) { true }
  }

  /// A dispatch source for events on the queue.
  ///
  /// Invariant: it is configured before it starts, and then only canceled, which libdispatch
  /// allows from any thread.
  private final class Source: @unchecked Sendable {
    private let source: any DispatchSourceProtocol

    init(_ source: any DispatchSourceProtocol) {
      self.source = source
    }

    /// Completes a future with the first event that counts.
    ///
    /// - Parameters:
    ///   - resolver: The resolver of the future.
    ///   - isLost: A closure that is called on the queue if the future was canceled while an event
    ///     was processed.
    ///   - counts: A closure that returns whether an event counts, called on the queue.
    func start(
      _ resolver: FutureResolver<Void>, isLost: @escaping @Sendable () -> Void = {},
      counts: @escaping @Sendable () -> Bool
    ) {
      source.setEventHandler { [self] in
        guard !resolver.isResolved else { return source.cancel() }
        guard counts() else { return }
        source.cancel()
        if !resolver.resolve(.value(())) { isLost() }
      }
      // Keep the closure's captures, such as a descriptor, alive until the source is canceled.
      source.setCancelHandler { withExtendedLifetime(counts) {} }
      resolver.onCancel { [self] in
        source.cancel()
        resolver.set(CancellationError())
      }
      source.resume()
    }
  }
}
