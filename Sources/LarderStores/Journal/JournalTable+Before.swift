import Foundation
import HarmonySQLite
import LarderCore

extension JournalTable {
  /// An entry as it was before its last settled change that was not taken back.
  ///
  /// - Returns: The entry with the time of the change, and without a value where that added it; nil
  ///   where no change of it is known.
  func entry(before key: EntryKey, at location: StoreLocation) throws -> Entry? {
    var key = key
    var turn = Int64.max
    while true {
      let row = try session.rows(
        "SELECT s.turn, s.time, i.key, i.new_key, i.before FROM steps AS s "
          + "JOIN items AS i ON i.step = s.number WHERE s.path = ?1 AND s.collection IS ?2 "
          + "AND s.turn < ?3 AND NOT s.pending AND i.done AND NOT i.shifted "
          + "AND (i.new_key = ?4 OR i.new_key IS NULL AND i.key = ?4) "
          + "ORDER BY s.turn DESC, i.number DESC LIMIT 1",
        Self.values(location) + [.integer(turn), .blob(EntryCoding.encode(key))]
      ).first
      guard let row, row.count == 5, case .integer(let found) = row[0],
        case .real(let time) = row[1]
      else { return nil }
      guard row[3] == .null else {
        // It was renamed, of which the journal keeps no value: that is with the change before.
        guard let old = Self.bytes(row[2]).flatMap(EntryCoding.key) else { return nil }
        (key, turn) = (old, found)
        continue
      }
      let date = Date(timeIntervalSince1970: time)
      guard let before = try Self.decoded(row[4], EntryCoding.value) else {
        return Entry(key: key, modified: date)
      }
      return Entry(key: key, value: before, modified: date)
    }
  }
}
