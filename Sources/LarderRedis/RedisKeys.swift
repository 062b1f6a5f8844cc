import Foundation
import Harmony
import HarmonyRedis
import LarderModel

/// The keys of a database in order, sorted here because the server has no order.
///
/// Each listing passes over all keys of the server, and stores as many of the next ones as fit in
/// memory. They serve the following pages for a while, if the listing took long: for a multiple of
/// its time, so that most of the time is never spent on listing.
final class RedisKeys: Sendable {
  private struct Stored {
    let keys: SortedKeys
    let expiry: ContinuousClock.Instant
  }

  private struct State {
    var stored: Stored?
    /// The number of times that keys may have changed; a listing in progress then may lack some.
    var changes = 0
  }

  private let client: RedisClient
  private let state = Locked(State())
  private let capacity: Int

  /// The minimum time of a listing that is used again.
  private static let minimumTime = Duration.milliseconds(50)
  /// The time for which a listing is used, as a multiple of the time that it took.
  private static let factor = 4

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - capacity: The maximum number of bytes in memory.
  init(_ client: RedisClient, capacity: Int = 32 << 20) {
    self.client = client
    self.capacity = capacity
  }

  /// Makes the next page list the keys again, as some may have changed.
  func forget() {
    state.withLock { $0 = State(changes: $0.changes + 1) }
  }

  /// Returns keys that have a prefix and follow another in a direction.
  ///
  /// - Parameters:
  ///   - count: The maximum number of keys.
  ///   - prefix: The prefix.
  ///   - after: The key that precedes them; nil for none.
  ///   - isBackward: Whether the order is descending.
  ///   - scan: The scan that the number of listed keys is reported to.
  /// - Returns: The keys; none at the end.
  /// - Throws: ``RedisError``.
  func next(
    _ count: Int, below prefix: [UInt8], after: [UInt8]?, isBackward: Bool, _ scan: Scan?
  ) async throws -> [[UInt8]] {
    let changes = state.withLock { $0.changes }
    if let page = state.withLock({ state -> [[UInt8]]? in
      guard let stored = state.stored, ContinuousClock.now < stored.expiry else { return nil }
      return stored.keys.page(count, below: prefix, after: after, isBackward: isBackward)
    }) {
      return page
    }
    let start = ContinuousClock.now
    var keys = SortedKeys(
      below: prefix, after: after, isBackward: isBackward, capacity: capacity)
    var listed = 0
    for try await part in client.scan(prefix: prefix) {
      try Task.checkCancellation()
      for key in part { keys.add(key) }
      listed += part.count
      try scan?.reportRead(listed)
    }
    keys.sort()
    let now = ContinuousClock.now
    let page = keys.page(count, below: prefix, after: after, isBackward: isBackward)
    if now - start >= Self.minimumTime {
      let expiry = now + (now - start) * Self.factor
      let ended = keys
      state.withLock { state in
        if state.changes == changes { state.stored = Stored(keys: ended, expiry: expiry) }
      }
    }
    return page ?? []
  }
}

/// The first keys after a position, in bounded memory.
struct SortedKeys: Sendable {
  private struct Place {
    /// The first bytes, which decide most comparisons.
    let head: UInt64
    let start: Int32
    let count: Int32
  }

  private let prefix: [UInt8]
  private let after: [UInt8]?
  private let isBackward: Bool
  private let capacity: Int
  private var bytes: [UInt8] = []
  private var places: [Place] = []
  /// The last stored key, if there are others behind it.
  private var last: [UInt8]?

  init(below prefix: [UInt8], after: [UInt8]?, isBackward: Bool, capacity: Int) {
    self.prefix = prefix
    self.after = after
    self.isBackward = isBackward
    self.capacity = capacity
  }

  /// Adds a key, which may be there already.
  mutating func add(_ key: [UInt8]) {
    guard key.starts(with: prefix), after.map({ isOrdered($0, key) }) ?? true,
      last.map({ isOrdered(key, $0) }) ?? true
    else { return }
    let head = key.prefix(8).reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
    places.append(
      Place(
        head: head << UInt64(8 * (8 - min(key.count, 8))), start: Int32(bytes.count),
        count: Int32(key.count)))
    bytes += key
    // One key alone may be larger.
    if places.count > 1, bytes.count + places.count * MemoryLayout<Place>.stride > capacity {
      sort()
      cut()
    }
  }

  /// Sorts the keys in ascending order, and removes duplicates.
  mutating func sort() {
    bytes.withUnsafeBytes { bytes in
      places.sort { Self.compare($0, $1, bytes) < 0 }
      var end = 0
      for place in places.indices
      where end == 0 || Self.compare(places[end - 1], places[place], bytes) != 0 {
        places[end] = places[place]
        end += 1
      }
      places.removeSubrange(end...)
    }
  }

  /// Removes the half that is farther away.
  private mutating func cut() {
    let count = max(places.count / 2, 1)
    let kept = isBackward ? Array(places.suffix(count)) : Array(places.prefix(count))
    var (packed, moved): ([UInt8], [Place]) = ([], [])
    for place in kept {
      moved.append(Place(head: place.head, start: Int32(packed.count), count: place.count))
      packed += key(place)
    }
    (bytes, places) = (packed, moved)
    last = (isBackward ? moved.first : moved.last).map(key)
  }

  private static func compare(
    _ left: Place, _ right: Place, _ bytes: UnsafeRawBufferPointer
  ) -> Int {
    if left.head != right.head { return left.head < right.head ? -1 : 1 }
    let common = Int(min(left.count, right.count))
    guard let base = bytes.baseAddress, common > 0 else { return Int(left.count - right.count) }
    let order = memcmp(base + Int(left.start), base + Int(right.start), common)
    return order != 0 ? Int(order) : Int(left.count - right.count)
  }

  private func key(_ place: Place) -> [UInt8] {
    Array(bytes[Int(place.start)..<Int(place.start + place.count)])
  }

  /// Whether a key comes before another in the direction.
  private func isOrdered(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    isBackward ? right.lexicographicallyPrecedes(left) : left.lexicographicallyPrecedes(right)
  }

  /// Returns the next keys that have a prefix and follow another in a direction, or nil if they are
  /// not stored.
  func page(
    _ count: Int, below wanted: [UInt8], after: [UInt8]?, isBackward: Bool
  ) -> [[UInt8]]? {
    // Not all keys are stored on the other side of a position, and in the other direction.
    let isPart = self.after != nil || last != nil
    guard wanted.starts(with: prefix), !isPart || isBackward == self.isBackward else { return nil }
    if let start = self.after {
      guard let after, !isOrdered(after, start) else { return nil }
    }
    let start = index { !$0.lexicographicallyPrecedes(wanted) }
    let end = index { !$0.starts(with: wanted) && wanted.lexicographicallyPrecedes($0) }
    let page: [Place]
    if isBackward {
      let bound = after.map { after in index { !$0.lexicographicallyPrecedes(after) } } ?? end
      page = places[start..<max(min(bound, end), start)].suffix(count).reversed()
    } else {
      let bound = after.map { after in index { after.lexicographicallyPrecedes($0) } } ?? start
      page = Array(places[min(max(bound, start), end)..<end].prefix(count))
    }
    // More keys may follow behind the last one.
    if page.isEmpty, last != nil, isBackward ? start == 0 : end == places.count { return nil }
    return page.map(key)
  }

  /// Returns the index of the first key that satisfies a condition, which all later ones do too.
  private func index(_ condition: ([UInt8]) -> Bool) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = low + (high - low) / 2
      if condition(key(places[middle])) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
