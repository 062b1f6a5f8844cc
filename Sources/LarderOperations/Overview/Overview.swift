package import Foundation
package import LarderModel

/// Who takes the space of a store, and when it expires: sums by prefix, by type and by expiry.
///
/// Entries are added one by one, in the order of their keys where the store has one. Memory does not
/// grow with their number: of the prefixes the largest and the most frequent are kept, and the others
/// are one sum. In the order of keys the entries of a prefix come together, so that what is kept is
/// exact; else ``arePrefixesExact`` says whether it is.
///
/// ```swift
/// var overview = Overview(delimiter: ":", at: Date())
/// for entry in entries { overview.add(entry) }
/// let largest = overview.groups(by: .size, limit: 10)
/// ```
package struct Overview: Sendable, Equatable {
  /// What the keys of all entries begin with.
  package let prefix: String
  /// What ends a prefix; nil where that is still to be guessed, empty for no prefixes.
  package internal(set) var delimiter: String? {
    didSet { mark = Array((delimiter ?? "").utf8) }
  }
  /// The time that decides what has expired.
  package let date: Date
  /// The sum over all entries.
  package private(set) var total = OverviewSum()
  /// The sums by the name of the type; the empty name is for entries whose type is not known.
  package private(set) var types: [String: OverviewSum] = [:]
  /// The largest entries, the largest first.
  package private(set) var largest: [LargeEntry] = []
  /// Whether all entries were added.
  package internal(set) var isWhole = false

  private let largestCount: Int
  private var mark: [UInt8]
  /// The entries in no prefix.
  private var loose = OverviewSum()
  /// The prefix of the entry that was added last.
  private var current: Current?
  /// The other prefixes, by their bytes.
  private var kept: [EntryKey: Kept] = [:]
  private var others = OverviewSum()
  private var otherCount = 0
  private var keptNumber = 0
  private var isInOrder = true

  private struct Kept: Sendable, Equatable {
    var sum = OverviewSum()
    /// The place among all prefixes, in the order in which they came.
    var number: Int
  }

  private struct Current: Sendable, Equatable {
    var bytes: [UInt8]
    var key: EntryKey
    var kept: Kept
  }

  /// The number of prefixes that are kept for certain: half of them for their sizes, half for their counts.
  package static let keptCount = 4_096
  /// The maximum number of large entries that are kept.
  package static let maximumLargestCount = 1_000
  /// The maximum number of bytes of a prefix behind that of all keys: what is longer is none.
  package static let maximumLength = 1_024

  /// Begins an overview of no entries.
  ///
  /// - Parameters:
  ///   - prefix: What the keys of all entries begin with.
  ///   - delimiter: What ends a prefix; nil where ``read(from:guessing:progress:)`` is to guess it.
  ///   - largestCount: The number of large entries to keep, at most ``maximumLargestCount``.
  ///   - date: The time that decides what has expired.
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
    types[entry.specialType ?? entry.type?.rawValue ?? "", default: OverviewSum()]
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

  /// Makes the prefix that a key is in the current one; false where it is in none.
  private mutating func isInPrefix(_ key: EntryKey) -> Bool {
    guard !mark.isEmpty else { return false }
    switch key {
    case .text(var text): return text.withUTF8 { isInPrefix($0) }
    case .malformedText(let bytes): return bytes.withUnsafeBufferPointer { isInPrefix($0) }
    case .null, .integer, .real, .bytes, .composite: return false
    }
  }

  private mutating func isInPrefix(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    // In the order of keys the next one mostly begins as the one before.
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
      // Of equal prefixes the first ones stay, in every run.
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
  /// What groups are sorted by.
  package enum Order: String, Sendable, CaseIterable {
    /// The bytes that they take, the most first.
    case size
    /// The number of entries, the most first.
    case count
    /// The prefix, in the order of keys.
    case name
  }

  /// Some entries of the store.
  package struct Group: Sendable, Equatable {
    /// Which entries of the store are in a group.
    package enum Name: Sendable, Equatable {
      /// Those with a prefix.
      case prefix(String)
      /// Those in no prefix.
      case withoutPrefix
      /// Those of so many further prefixes.
      case others(Int)
    }

    package let name: Name
    package let sum: OverviewSum
  }

  /// An entry that takes much space.
  package struct LargeEntry: Sendable, Equatable {
    package let key: EntryKey
    package let size: Int
    /// The name of its type, where that is known.
    package let type: String?
    package let expires: Date?

    fileprivate init(_ entry: Entry, size: Int) {
      key = entry.key
      self.size = size
      type = entry.specialType ?? entry.type?.rawValue
      expires = entry.expires
    }
  }

  /// Whether the sum of each prefix is that of all its entries.
  ///
  /// Where it is not, a prefix that came again after it was dropped has lost what it had by then to
  /// the sum of the others.
  package var arePrefixesExact: Bool { isInOrder || otherCount == 0 }

  /// Whether there are prefixes.
  package var hasPrefixes: Bool { current != nil }

  /// Whether any entry expires.
  package var hasExpiry: Bool { total.timedCount > 0 }

  /// The entries by prefix, then those of all prefixes that are left out as one group.
  ///
  /// The sums of all groups make ``total``.
  ///
  /// - Parameters:
  ///   - order: What they are sorted by.
  ///   - limit: The maximum number of groups beside that of the others.
  /// - Returns: The groups, that of the others last.
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

  /// The types, those that take the most space first; the empty name is for what is not known.
  package func types(limit: Int = .max) -> [(name: String, sum: OverviewSum)] {
    let sorted = types.sorted {
      let (left, right) = (Self.rank($0.value, by: .size), Self.rank($1.value, by: .size))
      return left == right ? $0.key < $1.key : left > right
    }
    return sorted.prefix(max(0, limit)).map { ($0.key, $0.value) }
  }

  /// The part of all that some entries take, from 0 to 1: of the bytes, or of the entries where no
  /// sizes are known.
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
