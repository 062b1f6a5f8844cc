import Foundation
import Harmony
import LarderModel

/// Expiries that are stored beside the entries, of which it is recorded what they were.
struct JournaledExpiries: SeparateExpiries {
  /// What the changes are made by.
  let setter: any SeparateExpiries
  let writer: JournaledWriter

  /// Writes expiries in one step.
  func set(_ changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    var items: [JournalItem] = []
    try await writer.store.source.forEachEntry(changes.map(\.key)) { place, entry in
      try scan?.reportRead(place)
      // The store says what it thinks of one that is not there.
      guard let entry else { return }
      items.append(
        JournalItem(
          key: entry.key, before: .init(expires: entry.expires),
          after: .init(expires: changes[place].expires), subject: .expiry))
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
    try await store.source.forEachEntry(items.map(\.key)) { place, entry in
      let item = items[place]
      guard let entry, item.mark(of: entry) == item[after: isUndo]?.value else {
        throw StoreError.conflict(current: entry)
      }
      expiries.append(
        ExpiryChange(
          entry.key, expires: item[after: !isUndo]?.expires, expecting: entry.fingerprint))
    }
    guard let setter = store.separateExpiries else {
      throw StoreError.notSupported("the store keeps no expiries any more; nothing was written")
    }
    return try await setter.set(expiries, nil)
  }
}

extension JournalItem {
  /// How far two answers about one time may be apart, in seconds: a cache knows what is left of it,
  /// and answers take a while.
  private static let tolerance = 1.0

  /// When an entry expires: what it had before the step, or was given by it, if it is that.
  func time(of entry: Entry) -> StoredValue {
    let found = Side(expires: entry.expires)
    return value(nearest: found) { side in
      guard let one = side.expires, let other = found.expires else {
        return side.value == found.value
      }
      return abs(one.timeIntervalSince(other)) <= Self.tolerance
    }
  }
}

extension JournalItem.Side {
  /// The state of an entry that expires at an instant; nil for never.
  fileprivate init(expires: Date?) {
    self.init(value: expires.map { .date($0) } ?? .null)
  }

  fileprivate var expires: Date? {
    if case .date(let date) = value { date } else { nil }
  }
}
