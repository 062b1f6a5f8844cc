package import LarderModel
package import Foundation
package import Harmony

/// Detects changes by other programs in a store.
///
/// A signal from the store starts a scan, which compares all entries with a snapshot that has a
/// digest of each entry and the values of small ones. If there are too many entries for a snapshot,
/// the store is not scanned, and the watcher only reports that something changed. Expiries are
/// reported, too. The pause between scans is four times the duration of the last scan, but at least
/// one second and at most ten.
package struct StoreWatcher: Sendable {
  /// The level of detail of the reports.
  package enum Extent: Sendable, Hashable {
    /// Each change is reported, among the given number of entries.
    case entries(Int)
    /// Only the fact of a change is reported, because there are more entries than the given
    /// maximum.
    case more(than: Int)
  }

  /// The maximum number of entries whose changes are reported individually.
  package static let maximumCount = 100_000
  /// The maximum size of a value that is read for comparison, if the store has modification dates.
  private static let maximumValue = 16 << 20
  /// The minimum pause between scans.
  private static let interval = Duration.seconds(1)
  /// The maximum pause between scans, which limits the delay of reports.
  private static let maximumInterval = Duration.seconds(10)
  /// The number of failed attempts to read the store before watching ends.
  private static let patience = 3

  private let source: AnyDataSource<Entry>
  private let prefix: String
  private let hasTimes: Bool
  private let isDocument: Bool
  private let limit: Int
  private let expires: @Sendable (Entry) -> Date?
  private let now: @Sendable () -> Date
  private let instant: @Sendable () -> ContinuousClock.Instant
  private let sleep: @Sendable (Duration) async throws -> Void
  private let stop: Future<Int32>?
  private let feed: (any ChangeFeed)?
  private var known = StoreSnapshot()
  private var extent = Extent.entries(0)
  private var pause = Self.interval

  /// Creates a watcher for the entries of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - prefix: The prefix of the watched keys.
  ///   - limit: The maximum number of entries whose changes are reported individually.
  ///   - expires: Returns the expiry of a listed entry.
  ///   - now: Returns the current date.
  ///   - instant: Returns the current time of the clock that measures the duration of scans.
  ///   - sleep: Waits for a duration, or less if its task is canceled.
  ///   - stop: A future that resolves when watching should end; changes up to then are still
  ///     reported.
  package init(
    _ store: Store, prefix: String = "", limit: Int = Self.maximumCount,
    expires: @escaping @Sendable (Entry) -> Date? = \.expires,
    now: @escaping @Sendable () -> Date = { Date() },
    instant: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    stop: Future<Int32>? = nil
  ) {
    source = store.source
    feed = store.changeFeed?()
    hasTimes = store.capabilities.contains(.modified)
    isDocument = store.kind.keysArePaths
    self.prefix = prefix
    self.limit = limit
    self.expires = expires
    self.now = now
    self.instant = instant
    self.sleep = sleep
    self.stop = stop
  }

  /// A sentence about why changes may be reported late, or `nil` if they are reported immediately.
  package var limitation: String? { feed?.limitation }

  /// Starts watching and takes the first snapshot.
  ///
  /// - Returns: The level of detail of the reports.
  /// - Throws: Any error of the store, or ``StoreError/notSupported(_:)`` if it cannot be watched.
  package mutating func begin() async throws -> Extent {
    guard let feed else {
      throw StoreError.notSupported(Messages.notReported)
    }
    try await feed.next()
    if try await hasTooMany() {
      extent = .more(than: limit)
    } else {
      // Existing entries and earlier expiries are not changes.
      _ = try await look { _ in }
      // The first scan is slower than later ones, because it reads every value.
      pause = Self.interval
    }
    return extent
  }

  /// Returns whether there are too many entries for a snapshot, based on their count or keys alone.
  ///
  /// An estimate may be far too high, so it can only rule this out for small stores without listing
  /// their keys.
  private func hasTooMany() async throws -> Bool {
    let estimate = CountQuery(prefix: prefix, precision: .estimate)
    do {
      let answer = try await source.get(estimate).getCancelling()
      if case .integer(let count) = answer.value, count <= limit { return false }
    } catch is CoreError.QueryNotSupported {
      // Count the keys instead.
    }
    let keys = EntryPageQuery(prefix: prefix, limit: limit + 1)
    return try await source.getAll(keys).getCancelling().count > limit
  }

  /// Waits for changes or expiries, and reports them.
  ///
  /// It returns without a report if all entries turn out to be unchanged. While a document cannot
  /// be parsed, for example while it is being edited, it waits for as long as necessary.
  ///
  /// - Parameters:
  ///   - pause: A function that receives the error when the store becomes unreadable, once until it
  ///     can be read again.
  ///   - tell: A function that receives each change: those of existing keys in the order of the
  ///     store, then those of removed keys, then expiries.
  /// - Returns: Whether there were changes that cannot be reported individually, as
  ///   ``Extent/more(than:)`` says.
  /// - Throws: Any error of the store that persists after several attempts.
  package mutating func next(
    pausing pause: (StoreError) async -> Void = { _ in }, _ tell: (EntryDifference) -> Void
  ) async throws -> Bool {
    try await wait { [self] in
      try await sleep(self.pause)
      try await waitForChange()
    }
    // After a stop, it is not known whether there was such a change.
    if stop?.isResolved == true, case .more = extent { return false }
    var failures = 0
    var isPaused = false
    while true {
      do {
        return try await look(tell)
      } catch {
        let error = StoreError(error)
        if case .cancelled = error { throw CancellationError() }
        if stop?.isResolved == true { throw error }
        // Replacing a file takes only a moment, but a lock may be held for any time.
        if case .busy = error { failures -= 1 }
        failures += 1
        if failures >= Self.patience {
          guard isDocument, case .corrupt = error else { throw error }
          if !isPaused { await pause(error) }
          isPaused = true
          failures = 0
          // Only a change can make the document readable again; expiries cannot.
          try await wait { [feed] in try await feed?.next() }
        }
      }
      try await wait { [sleep] in try await sleep(Self.interval) }
    }
  }

  /// Waits for an operation, or until watching should end.
  private func wait(_ body: @escaping @Sendable () async throws -> Void) async throws {
    guard let stop else { return try await body() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await body() }
      group.addTask { _ = try await stop.get() }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// Waits for a possible change or the next expiry.
  private func waitForChange() async throws {
    let feed = feed
    guard let expiry = known.nextExpiry else {
      try await feed?.next()
      return
    }
    // A duration cannot represent a date far in the future; a scan once a day costs nothing.
    let delay = min(max(0, now().distance(to: expiry)), 86_400)
    let sleep = sleep
    // A change at the time of an expiry is not missed, because both lead to a full scan.
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await feed?.next() }
      group.addTask { try await sleep(.seconds(delay)) }
      try await group.next()
      group.cancelAll()
    }
  }

  /// Compares all entries with the snapshot.
  private mutating func look(_ tell: (EntryDifference) -> Void) async throws -> Bool {
    if case .more = extent {
      // Read one key to check that the store is still available.
      _ = try await source.getAll(EntryPageQuery(prefix: prefix, limit: 1)).getCancelling()
      return true
    }
    let start = instant()
    known.beginRound()
    var count = 0
    let query = EntryPageQuery(
      prefix: prefix, limit: PageLimit.maximum, detail: hasTimes ? .summary : .values)
    var time = now()
    for try await page in EntryPages(of: source, query) {
      count += page.count
      guard count <= limit else {
        known = StoreSnapshot()
        extent = .more(than: limit)
        return true
      }
      for listed in page {
        if !hasTimes || !known.isUnchanged(listed) {
          guard let entry = try await whole(listed) else { continue }
          if let difference = known.take(entry, listed: listed, at: time) { tell(difference) }
        }
        known.setExpiry(expires(listed), of: listed.key)
      }
      // The next page is read after this.
      time = now()
    }
    for difference in known.endRound() { tell(difference) }
    for difference in known.takeExpired(at: now()) { tell(difference) }
    extent = .entries(known.count)
    pause = min(max(Self.interval, (instant() - start) * 4), Self.maximumInterval)
    return false
  }

  /// Returns the complete entry, or the listed one if its value is not read, or `nil` if it was
  /// removed.
  private func whole(_ listed: Entry) async throws -> Entry? {
    guard hasTimes, listed.size ?? 0 <= Self.maximumValue else { return listed }
    do {
      return try await source.get(EntryQuery(listed.key)).getCancelling()
    } catch is CancellationError {
      throw CancellationError()
    } catch is CoreError.NotFound {
      return nil
    } catch {
      // A single unreadable file does not prevent watching the others.
      return listed
    }
  }
}
