import Foundation
import Harmony
import HarmonySQLite
import LarderCore

extension TableLayout {
  /// A value with another expiry.
  ///
  /// - Throws: ``StoreError`` where the table has no way to say it.
  func value(_ value: StoredValue, expiring date: Date?) throws(StoreError) -> StoredValue {
    guard let timing else {
      let reason = expiry.obstacle.map { ": \($0)" } ?? ""
      throw .notSupported(
        "\(name) keeps no expiry times\(reason); nothing was written. --expires-column names a "
          + "column that does")
    }
    guard values.first(where: { $0.name.hasBytes(of: timing.column) })?.isGenerated == false else {
      throw .notSupported(
        "the database computes \(timing.column) of \(name); nothing was written")
    }
    guard case .record(var fields) = value, !isSingleValue else {
      let old = try SQLiteValue(value, column: timing.column)
      return StoredValue(try timing.value(date, like: old, since: .null))
    }
    func stored(_ name: String) -> SQLiteValue {
      let value = fields.first { $0.name.hasBytes(of: name) }?.value
      return value.flatMap { try? SQLiteValue($0, column: name) } ?? .null
    }
    let new = StoredValue(
      try timing.value(
        date, like: stored(timing.column), since: timing.since.map(stored) ?? .null))
    if let place = fields.firstIndex(where: { $0.name.hasBytes(of: timing.column) }) {
      fields[place].value = new
    } else {
      fields.append(StoredValue.Field(timing.column, new))
    }
    return .record(fields)
  }
}

extension RowReader {
  /// The entries with other expiries, as they would be written; each with the fingerprint of what
  /// is there.
  func timed(_ query: ExpiriesQuery, _ session: SQLiteSession) throws -> [Entry] {
    try query.expiries.enumerated().map { place, expiry in
      try query.scan?.reportRead(place)
      let current = try read(expiry.entryKey, session)
      guard let current, let old = current.value,
        expiry.expecting.map({ $0 == current.fingerprint }) ?? true
      else { throw StoreError.conflict(current: current) }
      var entry = current
      let value = try layout.value(old, expiring: expiry.expires)
      entry.value = value
      entry.expires = layout.expiry(of: value)
      return entry
    }
  }
}

extension RowWriter {
  /// Writes expiries, in the transaction of the caller.
  ///
  /// - Returns: The entries as stored.
  func make(_ query: ExpiriesQuery) throws -> [Entry] {
    let changes = try reader.timed(query, session).map {
      EntryChange($0.key, value: $0.value, expecting: $0.fingerprint)
    }
    return try make(ChangesQuery(changes, scan: query.scan))
  }
}
