import Foundation
import Harmony
import LarderModel

/// Expiries stored separately from their entries, recorded in the journal before they change.
struct JournaledExpiries: SeparateExpiries {
  /// The service that writes the expiries.
  let setter: any SeparateExpiries
  let writer: JournaledDataSource

  /// Writes expiries in one change.
  func set(_ changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    let items = try await writer.items(changes.map(\.key), scan, .expiry) { place, entry in
      // The store reports the error for a missing entry.
      entry.map {
        JournalItem(
          key: $0.key, before: .init(expires: $0.expires),
          after: .init(expires: changes[place].expires), subject: .expiry)
      }
    }
    guard items.count == changes.count else { return try await setter.set(changes, scan) }
    guard !items.isEmpty else { return [] }
    return try await writer.recorded(.touch, items) { _, _ in try await setter.set(changes, scan) }
  }
}

extension JournaledDataSource {
  /// Restores the expiries that entries had before a change, or after it.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - expired: The keys of entries that have expired since, and are left out.
  ///   - isUndo: Whether the earlier expiries are restored.
  /// - Returns: The entries.
  /// - Throws: ``StoreError``, such as a conflict.
  func retime(
    _ items: [JournalItem], except expired: Set<EntryKey>, isUndo: Bool
  ) async throws -> [Entry] {
    var expiries: [ExpiryChange] = []
    try await store.source.forEachEntry(items.map(\.key)) { place, entry in
      let item = items[place]
      if entry == nil, expired.contains(item.key) { return }
      guard let entry, item.side(of: entry)?.value == item[after: isUndo]?.value else {
        throw StoreError.conflict(current: entry)
      }
      expiries.append(
        ExpiryChange(
          entry.key, expires: item[after: !isUndo]?.expires, expecting: entry.fingerprint))
    }
    guard let setter = store.separateExpiries else { throw StoreError.noLongerExpires }
    return try await setter.set(expiries, nil)
  }
}

extension JournalItem {
  /// The maximum difference between two readings of one expiry, in seconds: a cache reports the
  /// remaining time, and an answer takes a moment.
  private static let tolerance = 1.0

  /// Returns the expiry of an entry, as recorded before or after the change if it matches either.
  func time(of entry: Entry) -> Side {
    let found = Side(expires: entry.expires)
    return side(nearest: found) { side in
      guard let one = side.expires, let other = found.expires else {
        return side.value == found.value
      }
      return abs(one.timeIntervalSince(other)) <= Self.tolerance
    }
  }
}

extension JournalItem.Side {
  /// Creates the state of an entry with an expiry, or nil for one that never expires.
  fileprivate init(expires: Date?) {
    self.init(value: expires.map { .date($0) } ?? .null)
  }

  var expires: Date? {
    if case .date(let date) = value { date } else { nil }
  }
}
