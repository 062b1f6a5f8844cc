import Foundation
import Harmony
import HarmonySQLite
import LarderModel

extension TableLayout {
  /// Returns a value with a different expiry.
  ///
  /// - Throws: ``StoreError`` if the table cannot store that expiry.
  func value(_ value: StoredValue, expiring date: Date?) throws(StoreError) -> StoredValue {
    guard let timing else { throw .noExpiry(of: name, expiry.obstacle) }
    guard column(timing.column)?.isGenerated == false else {
      throw .computedExpiry(timing.column, of: name)
    }
    let new = StoredValue(
      try timing.value(
        date, like: stored(timing.column, of: value) ?? .null,
        since: timing.since.flatMap { stored($0, of: value) } ?? .null))
    return isSingleValue ? new : value.setting(timing.column, to: new)
  }
}

extension SQLiteEntrySource: ExpiryService {
  var areWrittenWithValues: Bool { true }

  func entry(_ entry: Entry, expiring expires: Date?) async throws -> Entry {
    guard let value = entry.value else { return entry }
    var entry = entry
    entry.value = try await future(.page) { _, layout in
      try layout.value(value, expiring: expires)
    }.getCancelling()
    entry.expires = expires
    return entry
  }

  func value(
    _ value: StoredValue, expiringExactly expires: Date?
  ) async throws -> StoredValue {
    try await future(.page) { session, layout in
      try layout.value(value, counting: expires, session)
    }.getCancelling()
  }

  func entries(after changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    try await future(.page) { session, layout in
      let reader = RowReader(layout)
      // In one transaction, so that all entries are read from the same state.
      return try session.read {
        try changes.enumerated().map { place, change in
          try scan?.reportRead(place)
          var entry = try change.checked(try reader.read(change.key, session))
          guard let old = entry.value else { throw StoreError.conflict(current: entry) }
          let value = try layout.value(old, expiring: change.expires)
          entry.value = value
          // Only the row is written, even if its value is in a file.
          entry.isWhole = true
          entry.expires = layout.expiry(of: value)
          return entry
        }
      }
    }.getCancelling()
  }
}
