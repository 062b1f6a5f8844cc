package import LarderModel
package import Foundation
package import Harmony

/// Finds out what others change in a store while somebody looks at it.
///
/// The store says that something has changed; then all its entries are compared with what they
/// were. Of each a digest is kept, and small values too. A store with more entries than can be
/// remembered is not read at all: then it is only told that something changed. Where entries have a
/// time until which they count, it is told too when that comes. Looks are at least a second apart,
/// and four times as long as the last one took, up to ten seconds.
package struct StoreWatcher: Sendable {
  /// What a user is told of changes.
  package enum Extent: Sendable, Hashable {
    /// Each change of this many entries.
    case entries(Int)
    /// That there was one: there are more than this many entries.
    case more(than: Int)
  }

  /// The maximum number of entries whose changes are told.
  package static let maximumCount = 100_000
  /// The maximum value that is read to be compared, where a store knows sizes and times.
  private static let maximumValue = 16 << 20
  /// The least time between two looks.
  private static let interval = Duration.seconds(1)
  /// The most time between two looks: a user waits for what is told.
  private static let maximumInterval = Duration.seconds(10)
  /// How often a store that cannot be read is looked at again before it is gone for good.
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
  private var known = KnownEntries()
  private var extent = Extent.entries(0)
  private var pause = Self.interval

  /// Prepares to watch the entries of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - prefix: The start of the keys that are watched.
  ///   - limit: The maximum number of entries whose changes are told.
  ///   - expires: Until when an entry counts, by what a list says of it.
  ///   - now: The time.
  ///   - instant: The clock that says how long a look takes.
  ///   - sleep: Waits, less long where its task is cancelled.
  ///   - stop: Is complete once nobody wants to be told any more: what has changed until then still is.
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

  /// Why changes may be told late, as a sentence; nil where they are told as they come.
  package var limitation: String? { feed?.limitation }

  /// Begins to watch, and remembers what is there.
  ///
  /// - Returns: What will be told of changes.
  /// - Throws: What the store throws; ``StoreError/notSupported(_:)`` where it cannot be watched.
  package mutating func begin() async throws -> Extent {
    guard let feed else {
      throw StoreError.notSupported(
        "changes that other programs make are not reported for this store")
    }
    try await feed.next()
    if try await hasTooMany() {
      extent = .more(than: limit)
    } else {
      // What is there, and what has expired before, is no news.
      _ = try await look { _ in }
      // The first look reads every value, which the next ones do not.
      pause = Self.interval
    }
    return extent
  }

  /// Whether there are more entries than can be remembered, by their number or their keys alone.
  ///
  /// An estimate may be far too high; it only saves a small store the second look at its keys.
  private func hasTooMany() async throws -> Bool {
    let estimate = CountQuery(prefix: prefix, precision: .estimate)
    do {
      let answer = try await source.get(estimate).getCancelling()
      if case .integer(let count) = answer.value, count <= limit { return false }
    } catch is CoreError.QueryNotSupported {
      // Then only the keys tell.
    }
    let keys = EntryPageQuery(prefix: prefix, limit: limit + 1)
    return try await source.getAll(keys).getCancelling().count > limit
  }

  /// Waits until something changes or expires, and tells what.
  ///
  /// Returns without telling anything where all is as it was after all.
  ///
  /// A document that cannot be read as it is, as somebody edits it, is waited for as long as it takes.
  ///
  /// - Parameters:
  ///   - pause: Is told why the store cannot be read, once until it can be read again.
  ///   - tell: Takes each change: those of keys that are there in the order of the store, then those
  ///     of keys that are gone, then what has expired.
  /// - Returns: Whether there were changes that ``Extent/more(than:)`` does not let be told.
  /// - Throws: What the store throws once it was given time to come back.
  package mutating func next(
    pausing pause: (StoreError) async -> Void = { _ in }, _ tell: (EntryDifference) -> Void
  ) async throws -> Bool {
    try await wait { [self] in
      try await sleep(self.pause)
      try await waitForChange()
    }
    // Whether there was one of those that are not told is not known then.
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
        // Programs that replace a file may take a moment; those that hold a lock, any time.
        if case .busy = error { failures -= 1 }
        failures += 1
        if failures >= Self.patience {
          guard isDocument, case .corrupt = error else { throw error }
          if !isPaused { await pause(error) }
          isPaused = true
          failures = 0
          // Nothing that expires meanwhile makes it another.
          try await wait { [feed] in try await feed?.next() }
        }
      }
      try await wait { [sleep] in try await sleep(Self.interval) }
    }
  }

  /// Waits for something, or until nobody wants to be told any more.
  private func wait(_ body: @escaping @Sendable () async throws -> Void) async throws {
    guard let stop else { return try await body() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await body() }
      group.addTask { _ = try await stop.get() }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// Waits until something may have changed, or the next entry expires.
  private func waitForChange() async throws {
    let feed = feed
    guard let expiry = known.nextExpiry else {
      try await feed?.next()
      return
    }
    // A date far ahead is more seconds than a duration can hold; looking once a day costs nothing.
    let delay = min(max(0, now().distance(to: expiry)), 86_400)
    let sleep = sleep
    // A notice that comes as the time does is not lost: all entries are looked at after either.
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await feed?.next() }
      group.addTask { try await sleep(.seconds(delay)) }
      try await group.next()
      group.cancelAll()
    }
  }

  /// Compares all entries with what they were.
  private mutating func look(_ tell: (EntryDifference) -> Void) async throws -> Bool {
    if case .more = extent {
      // Reads one key, which tells whether the store is still there.
      _ = try await source.getAll(EntryPageQuery(prefix: prefix, limit: 1)).getCancelling()
      return true
    }
    let start = instant()
    known.beginRound()
    var count = 0
    var pageLimit = PageLimit(16)
    var query = EntryPageQuery(
      prefix: prefix, limit: hasTimes ? PageLimit.maximum : pageLimit.count,
      detail: hasTimes ? .summary : .values)
    while true {
      let time = now()
      let page = try await source.getAll(query).getCancelling()
      count += page.count
      guard count <= limit else {
        known = KnownEntries()
        extent = .more(than: limit)
        return true
      }
      var size = 0
      for listed in page {
        if !hasTimes || !known.isUnchanged(listed) {
          guard let entry = try await whole(listed) else { continue }
          let (sum, isTooGreat) = size.addingReportingOverflow(entry.size ?? 0)
          size = isTooGreat ? .max : sum
          if let difference = known.take(entry, listed: listed, at: time) { tell(difference) }
        }
        known.setExpiry(expires(listed), of: listed.key)
      }
      guard page.count >= query.limit, let last = page.last else { break }
      query.after = last.key
      if !hasTimes {
        pageLimit.adapt(to: size)
        query.limit = pageLimit.count
      }
    }
    for difference in known.endRound() { tell(difference) }
    for difference in known.takeExpired(at: now()) { tell(difference) }
    extent = .entries(known.count)
    pause = min(max(Self.interval, (instant() - start) * 4), Self.maximumInterval)
    return false
  }

  /// The entry with its value, or as it was listed where that is not read; nil where it is gone.
  private func whole(_ listed: Entry) async throws -> Entry? {
    guard hasTimes, listed.size ?? 0 <= Self.maximumValue else { return listed }
    do {
      return try await source.get(EntryQuery(listed.key)).getCancelling()
    } catch is CancellationError {
      throw CancellationError()
    } catch is CoreError.NotFound {
      return nil
    } catch {
      // One file that cannot be read is no reason not to watch the others.
      return listed
    }
  }
}
