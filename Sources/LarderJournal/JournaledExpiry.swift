import Foundation
import Harmony
import LarderCore

/// Expiries that are stored beside the entries, of which it is recorded what they were.
struct JournaledExpiry: ExpiryService, SeparateExpiries {
  let expiry: any ExpiryService
  /// What the changes are made by.
  let setter: any SeparateExpiries
  let writer: JournaledWriter

  var separate: (any SeparateExpiries)? { self }

  var areWrittenWithValues: Bool { expiry.areWrittenWithValues }

  func entry(_ entry: Entry, expiring expires: Date?) async throws -> Entry {
    try await expiry.entry(entry, expiring: expires)
  }

  func value(
    _ value: StoredValue, expiringExactly expires: Date?
  ) async throws -> StoredValue {
    try await expiry.value(value, expiringExactly: expires)
  }

  func entries(after changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    try await expiry.entries(after: changes, scan)
  }

  /// Writes expiries in one step.
  func set(_ changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    var items: [JournalItem] = []
    try await writer.source.forEachEntry(changes.map(\.key)) { place, entry in
      try scan?.reportRead(place)
      // The store says what it thinks of one that is not there.
      guard let entry else { return }
      items.append(
        JournalItem(
          key: entry.key, before: JournalItem.time(entry.expires),
          after: JournalItem.time(changes[place].expires), isTime: true))
    }
    guard items.count == changes.count else { return try await setter.set(changes, scan) }
    guard !items.isEmpty else { return [] }
    return try await writer.recorded(.touch, items) { _ in try await setter.set(changes, scan) }
  }
}

extension JournaledWriter {
  /// Gives entries back the times that they had before a step, or those that the step gave them.
  func retime(_ items: [JournalItem], isUndo: Bool) async throws -> [Entry] {
    var expiries: [ExpiryChange] = []
    try await source.forEachEntry(items.map(\.key)) { place, entry in
      let item = items[place]
      let (from, to) = isUndo ? (item.after, item.before) : (item.before, item.after)
      guard let entry, item.mark(of: entry) == from else {
        throw StoreError.conflict(current: entry)
      }
      let date: Date? = if case .date(let date)? = to { date } else { nil }
      expiries.append(ExpiryChange(entry.key, expires: date, expecting: entry.fingerprint))
    }
    guard let setter = expiry?.separate else {
      throw StoreError.notSupported("the store keeps no expiries any more; nothing was written")
    }
    return try await setter.set(expiries, nil)
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
