import Dispatch
import Foundation
import Harmony

/// Waits until one of some places may have changed.
///
/// The kernel says so where it can; where it cannot, as when it has no watches left, the places are
/// taken for changed once a second. Between notices no thread waits and nothing runs.
final class PlaceWatch: Sendable {
  private struct State {
    var watched: WatchedPlaces?
    /// Whether a notice was taken by a wait that was cancelled at that moment.
    var isMissed = false
  }

  private let places: [WatchedPlace]
  private let usesNotices: Bool
  private let interval: Double
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "larder.watch")

  /// How often places are looked at that the kernel does not watch, in seconds.
  static let second = 1.0
  /// How often they are where it watches most of them, and to look at all takes long.
  private static let longInterval = 10.0

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - places: What to watch.
  ///   - usesNotices: Whether the kernel is asked; not where programs write through memory, of
  ///     which it tells nobody.
  ///   - interval: How often places that the kernel does not watch are looked at, in seconds.
  init(
    _ places: [WatchedPlace], usesNotices: Bool = true, interval: Double = PlaceWatch.second
  ) {
    self.interval = interval
    self.places = places
    self.usesNotices = usesNotices
    begin()
  }

  private func begin() {
    let watched = usesNotices ? WatchedPlaces(places) : nil
    state.withLock { $0.watched = watched }
  }

  /// Why changes may be told late, as a sentence; nil where the kernel tells of all of them.
  var limitation: String? {
    let watched = state.withLock { $0.watched }
    guard watched?.isComplete != true else { return nil }
    let path = places.first?.path ?? ""
    guard watched != nil else {
      return "the system does not tell of changes to \(path), perhaps as its limit "
        + "fs.inotify.max_user_watches is reached; all of it is looked at once a second instead, "
        + "which takes processor time"
    }
    return "\(path) has more than \(WatchedPlaces.maximumCount) folders, of which so many are "
      + "watched; changes in the others are found every \(Int(Self.longInterval)) seconds"
  }

  /// Completes once a place may have changed since the last time that this did.
  func next() -> Future<Void> {
    Future { resolver in
      if takeMissed() { return resolver.set() }
      // A watch that could not begin may do so now: something else ended, or the folder is there.
      if state.withLock({ $0.watched == nil }) { begin() }
      let watched = state.withLock { $0.watched }
      if let watched { wait(notices: watched, resolver) }
      if watched?.isComplete != true {
        wait(seconds: watched == nil ? interval : Self.longInterval, resolver)
      }
    }
  }

  private func wait(notices watched: WatchedPlaces, _ resolver: FutureResolver<Void>) {
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

  /// A source of the queue's events.
  ///
  /// Invariant: it is configured before it starts, and then only cancelled, which libdispatch allows
  /// from any thread.
  private final class Source: @unchecked Sendable {
    private let source: any DispatchSourceProtocol

    init(_ source: any DispatchSourceProtocol) {
      self.source = source
    }

    /// Completes the future with the first event that counts.
    ///
    /// - Parameters:
    ///   - resolver: The future's.
    ///   - isLost: Called on the queue where the future was cancelled while an event was counted.
    ///   - counts: Whether an event does, asked on the queue.
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
      // What the closure holds, such as a descriptor, stays open until nobody waits for it.
      source.setCancelHandler { withExtendedLifetime(counts) {} }
      resolver.onCancel { [self] in
        source.cancel()
        resolver.set(CancellationError())
      }
      source.resume()
    }
  }
}
