package import Foundation
package import LarderModel

/// A summary of a store's size and expiries by prefix, by type and by time to expiry.
///
/// Entries are added one by one, in key order if the store has one. Memory does not grow with their
/// number: only the largest and the most frequent prefixes are tracked, and the rest are combined
/// into one sum. In key order the entries of a prefix are adjacent, so the tracked sums are exact;
/// otherwise ``arePrefixesExact`` indicates whether they are.
///
/// ```swift
/// var overview = Overview(delimiter: ":", at: Date())
/// for entry in entries { overview.add(entry) }
/// let largest = overview.groups(by: .size, limit: 10)
/// ```
package struct Overview: Sendable, Equatable {
  /// The common prefix of all keys.
  package let prefix: String
  /// The separator that ends a prefix; nil if it is not known yet, empty to disable prefixes.
  package internal(set) var delimiter: String? {
    didSet { mark = Array((delimiter ?? "").utf8) }
  }
  /// The time at which entries are considered fresh or expired.
  package let date: Date
  /// The sum over all entries.
  package private(set) var total = OverviewSum()
  /// The sums by type name, with an empty name for entries of unknown type.
  package private(set) var types: [String: OverviewSum] = [:]
  /// The largest entries, in descending order of size.
  package private(set) var largest: [LargeEntry] = []
  /// Whether all entries were added.
  package internal(set) var isWhole = false

  private let largestCount: Int
  private var mark: [UInt8]
  /// The sum over the entries without a prefix.
  private var loose = OverviewSum()
  /// The prefix of the last entry that had one.
  private var current: Current?
  /// The other tracked prefixes, by their keys.
  private var kept: [EntryKey: Kept] = [:]
  private var others = OverviewSum()
  private var otherCount = 0
  private var keptNumber = 0
  private var isInOrder = true

  private struct Kept: Sendable, Equatable {
    var sum = OverviewSum()
    /// The order of first appearance among all prefixes.
    var number: Int
  }

  private struct Current: Sendable, Equatable {
    var bytes: [UInt8]
    var key: EntryKey
    var kept: Kept
  }

  /// The minimum number of tracked prefixes, half of them chosen by size and half by count.
  package static let keptCount = 4_096
  /// The maximum number of large entries to track.
  package static let maximumLargestCount = 1_000
  /// The maximum length of a prefix in bytes after the common prefix; longer ones are not
  /// recognized.
  package static let maximumLength = 1_024

  /// Creates an empty overview.
  ///
  /// - Parameters:
  ///   - prefix: The common prefix of all keys.
  ///   - delimiter: The separator that ends a prefix; nil to let
  ///     ``read(from:guessing:adjusting:progress:)`` guess it.
  ///   - largestCount: The number of large entries to track, at most ``maximumLargestCount``.
  ///   - date: The time at which entries are considered fresh or expired.
  package init(prefix: String = "", delimiter: String?, largestCount: Int = 10, at date: Date) {
    self.prefix = prefix
    self.delimiter = delimiter
    self.date = date
    self.largestCount = max(0, min(largestCount, Self.maximumLargestCount))
    mark = Array((delimiter ?? "").utf8)
  }

  /// Adds an entry.
  package mutating func add(_ entry: Entry) {
    total.add(entry, at: date)
    types[entry.contentTypeName ?? "", default: OverviewSum()]
      .add(entry, at: date)
    if isInPrefix(entry.key) {
      current?.kept.sum.add(entry, at: date)
    } else {
      loose.add(entry, at: date)
    }
    keepIfLarge(entry)
  }

  private mutating func keepIfLarge(_ entry: Entry) {
    guard let size = entry.size, largestCount > 0 else { return }
    if largest.count == largestCount {
      guard let last = largest.last, size > last.size else { return }
      largest.removeLast()
    }
    let place = largest.firstIndex { $0.size < size } ?? largest.count
    largest.insert(LargeEntry(entry, size: size), at: place)
  }

  // MARK: Prefixes

  /// Makes the key's prefix the current one, and returns false if the key has none.
  private mutating func isInPrefix(_ key: EntryKey) -> Bool {
    guard !mark.isEmpty else { return false }
    switch key {
    case .text(var text): return text.withUTF8 { isInPrefix($0) }
    case .malformedText(let bytes): return bytes.withUnsafeBufferPointer { isInPrefix($0) }
    case .null, .integer, .real, .bytes, .composite: return false
    }
  }

  private mutating func isInPrefix(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    // In key order, the next key usually has the same prefix.
    if let current, key.starts(with: current.bytes) { return true }
    guard key.starts(with: prefix.utf8) else { return false }
    var place = prefix.utf8.count
    let end = min(key.count, place + Self.maximumLength) - mark.count
    while place <= end, !key[place...].starts(with: mark) { place += 1 }
    guard place <= end else { return false }
    let bytes = Array(key[..<(place + mark.count)])
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    go(to: .text(text), bytes)
    return true
  }

  private mutating func go(to key: EntryKey, _ bytes: [UInt8]) {
    if let current {
      kept[current.key] = current.kept
      if !current.bytes.lexicographicallyPrecedes(bytes) { isInOrder = false }
    }
    keptNumber += 1
    current = Current(
      bytes: bytes, key: key, kept: kept.removeValue(forKey: key) ?? Kept(number: keptNumber))
    if kept.count >= 2 * Self.keptCount { dropSmallPrefixes() }
  }

  private mutating func dropSmallPrefixes() {
    let all = Array(kept)
    var isLarge = [Bool](repeating: false, count: all.count)
    for order in [Order.size, .count] {
      let ranks = all.map { (Self.rank($0.value.sum, by: order), $0.value.number) }
      // Ties are resolved by first appearance, so that the result is deterministic.
      let places = all.indices.sorted {
        ranks[$0].0 == ranks[$1].0 ? ranks[$0].1 < ranks[$1].1 : ranks[$0].0 > ranks[$1].0
      }
      for place in places.prefix(Self.keptCount / 2) { isLarge[place] = true }
    }
    kept.removeAll(keepingCapacity: true)
    for ((key, value), isLarge) in zip(all, isLarge) {
      if isLarge {
        kept[key] = value
      } else {
        others.add(value.sum)
        otherCount += 1
      }
    }
  }
}

extension Overview {
  /// The sort order of groups.
  package enum Order: String, Sendable, CaseIterable {
    /// By size in bytes, in descending order.
    case size
    /// By number of entries, in descending order.
    case count
    /// By prefix, in key order.
    case name
  }

  /// A group of entries.
  package struct Group: Sendable, Equatable {
    /// The criterion that defines a group.
    package enum Name: Sendable, Equatable {
      /// The entries with a prefix.
      case prefix(String)
      /// The entries without a prefix.
      case withoutPrefix
      /// The entries of the given number of other prefixes.
      case others(Int)
    }

    package let name: Name
    package let sum: OverviewSum
  }

  /// One of the largest entries.
  package struct LargeEntry: Sendable, Equatable {
    package let key: EntryKey
    package let size: Int
    /// The name of the entry's type, if known.
    package let type: String?
    package let expires: Date?

    fileprivate init(_ entry: Entry, size: Int) {
      key = entry.key
      self.size = size
      type = entry.contentTypeName
      expires = entry.expires
    }
  }

  /// Whether the sum of each prefix covers all its entries.
  ///
  /// Otherwise, a prefix that reappeared after it was dropped is missing its earlier entries, which
  /// are counted among the others.
  package var arePrefixesExact: Bool { isInOrder || otherCount == 0 }

  /// Whether any prefix was found.
  package var hasPrefixes: Bool { current != nil }

  /// Whether any entry has an expiry.
  package var hasExpiry: Bool { total.timedCount > 0 }

  /// Returns the entries grouped by prefix, followed by one group for all remaining prefixes.
  ///
  /// The sums of all groups add up to ``total``.
  ///
  /// - Parameters:
  ///   - order: The sort order.
  ///   - limit: The maximum number of groups, not counting the last one.
  /// - Returns: The groups, ending with the remaining prefixes if there are any.
  package func groups(by order: Order, limit: Int = .max) -> [Group] {
    var groups = kept.map { Self.group($0.key, $0.value.sum) }
    if let current { groups.append(Self.group(current.key, current.kept.sum)) }
    if loose.count > 0 { groups.append(Group(name: .withoutPrefix, sum: loose)) }
    groups.sort { Self.precedes($0, $1, by: order) }
    var rest = others
    var count = otherCount
    for group in groups.dropFirst(max(0, limit)) {
      rest.add(group.sum)
      count += 1
    }
    let shown = Array(groups.prefix(max(0, limit)))
    return count == 0 ? shown : shown + [Group(name: .others(count), sum: rest)]
  }

  /// Returns the types in descending order of size, with an empty name for unknown types.
  package func types(limit: Int = .max) -> [(name: String, sum: OverviewSum)] {
    let sorted = types.sorted {
      let (left, right) = (Self.rank($0.value, by: .size), Self.rank($1.value, by: .size))
      return left == right ? $0.key < $1.key : left > right
    }
    return sorted.prefix(max(0, limit)).map { ($0.key, $0.value) }
  }

  /// Returns the share of the total, from 0 to 1, by bytes, or by entries if no sizes are known.
  package func share(of sum: OverviewSum) -> Double {
    if let bytes = total.bytes, bytes > 0 { return min(1, Double(sum.bytes ?? 0) / Double(bytes)) }
    return total.count == 0 ? 0 : Double(sum.count) / Double(total.count)
  }

  private static func group(_ key: EntryKey, _ sum: OverviewSum) -> Group {
    guard case .text(let text) = key else { return Group(name: .withoutPrefix, sum: sum) }
    return Group(name: .prefix(text), sum: sum)
  }

  fileprivate static func rank(_ sum: OverviewSum, by order: Order) -> (Int, Int) {
    order == .count ? (sum.count, sum.bytes ?? 0) : (sum.bytes ?? 0, sum.count)
  }

  private static func precedes(_ left: Group, _ right: Group, by order: Order) -> Bool {
    if order != .name {
      let (first, second) = (rank(left.sum, by: order), rank(right.sum, by: order))
      if first != second { return first > second }
    }
    guard case .prefix(let first) = left.name else { return false }
    guard case .prefix(let second) = right.name else { return true }
    return first.utf8.lexicographicallyPrecedes(second.utf8)
  }
}
