import Foundation
import Harmony
import LarderCore

/// Until when entries count, where that is no part of what is stored: a cache knows it, or keeps it
/// beside its values.
extension JournaledWriter {
  /// Says until when entries count, in one step.
  func retime(_ query: ExpiriesQuery) async throws -> [Entry] {
    var items: [JournalItem] = []
    try await source.forEachEntry(query.expiries.map(\.entryKey)) { place, entry in
      try query.scan?.reportRead(place)
      // The store says what it thinks of one that is not there.
      guard let entry else { return }
      items.append(
        JournalItem(
          key: entry.key, before: JournalItem.time(entry.expires),
          after: JournalItem.time(query.expiries[place].expires), isTime: true))
    }
    guard items.count == query.expiries.count else {
      return try await source.putAll([], in: query).get()
    }
    guard !items.isEmpty else { return [] }
    return try await recorded(.touch, items) { _ in
      try await source.putAll([], in: query).get()
    }
  }

  /// Gives entries back the times that they had before a step, or those that the step gave them.
  func retime(_ items: [JournalItem], isUndo: Bool) async throws -> [Entry] {
    var expiries: [ExpiryQuery] = []
    try await source.forEachEntry(items.map(\.key)) { place, entry in
      let item = items[place]
      let (from, to) = isUndo ? (item.after, item.before) : (item.before, item.after)
      guard let entry, item.mark(of: entry) == from else {
        throw StoreError.conflict(current: entry)
      }
      let date: Date? = if case .date(let date)? = to { date } else { nil }
      expiries.append(ExpiryQuery(entry.key, expires: date, expecting: entry.fingerprint))
    }
    return try await source.putAll([], in: ExpiriesQuery(expiries)).get()
  }
}

extension JournalItem {
  /// How far two answers about one time may be apart, in seconds: a cache knows what is left of it,
  /// and answers take a while.
  private static let tolerance = 1.0

  /// What is kept of until when an entry counts.
  static func time(_ expires: Date?) -> StoredValue { expires.map { .date($0) } ?? .null }

  /// Until when an entry counts: what it had before the step, or was given by it, if it is that.
  func time(of entry: Entry) -> StoredValue {
    let found = Self.time(entry.expires)
    let known = isDone ? [after, before] : [before, after]
    return known.compactMap { $0 }.first { Self.isSame($0, found) } ?? found
  }

  private static func isSame(_ one: StoredValue, _ other: StoredValue) -> Bool {
    guard case .date(let one) = one, case .date(let other) = other else { return one == other }
    return abs(one.timeIntervalSince(other)) <= tolerance
  }
}
