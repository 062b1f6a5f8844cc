import Foundation
import HarmonySQLite
import LarderCore

extension JournalTable {
  /// An entry as it was before its last settled change that was not taken back.
  ///
  /// An element of a list is followed back to the place that it had.
  ///
  /// - Returns: The entry with the time of the change, and without a value where that added it; nil
  ///   where no change of it is known.
  /// - Throws: ``StoreError`` where it cannot be told which element it was.
  func entry(
    before key: EntryKey, from turn: Int64, at location: StoreLocation
  ) throws -> Entry? {
    var key = key
    var turn = turn
    while let found = try change(of: key, before: turn, at: location) {
      turn = found.turn
      let date = Date(timeIntervalSince1970: found.time)
      if found.isShifted {
        // What is there now was added since, or nothing is.
        if found.isEnd { return nil }
        guard let move = try move(of: found.key, in: found.step) else {
          throw StoreError.failed(
            "which value it was before \(Timestamp.text(of: date)) is not known: places in its list "
              + "have moved then")
        }
        let isWhole = found.key == key
        key = key.replacing(found.key, with: move.key)
        // In the same step it may have got another value.
        if isWhole, move.before != move.after {
          return move.before.map { Entry(key: key, value: $0, modified: date) }
        }
        continue
      }
      if found.isRenamed {
        // It was renamed, of which the journal keeps no value: that is with the change before.
        key = found.key
        continue
      }
      guard let before = try Self.decoded(found.before, EntryCoding.value) else {
        return Entry(key: key, modified: date)
      }
      return Entry(
        key: key, value: before, modified: date, form: Self.bytes(found.before).flatMap(Self.form))
    }
    return nil
  }

  /// The last step between two turns that is done, and of which only the first of several entries is
  /// listed.
  func countedStep(
    between first: Int64, and last: Int64, at location: StoreLocation
  ) throws -> (step: Step, turn: Int64)? {
    let found = try session.rows(
      "SELECT number, turn FROM steps AS s WHERE path = ?1 AND collection IS ?2 AND turn > ?3 "
        + "AND turn < ?4 AND \(count) IS NOT NULL AND NOT pending AND \(Self.isDone) "
        + "ORDER BY turn DESC LIMIT 1",
      Self.values(location) + [.integer(first), .integer(last)]
    ).first
    guard let found, case .integer(let number) = found[0], case .integer(let turn) = found[1],
      let record = try record(number)
    else { return nil }
    return (try step(record), turn)
  }

  /// What the store's own word for a value says of the value, and not of its place.
  private static func form(_ bytes: [UInt8]) -> String? {
    // Earlier versions kept the rowid of a row in its place.
    EntryCoding.form(bytes).flatMap { $0.hasPrefix("row ") ? nil : $0 }
  }

  struct Change: Sendable {
    var step: Int64
    var turn: Int64
    var time: Double
    /// The key before; of what has moved, that of the element after it.
    var key: EntryKey
    var isRenamed: Bool
    var before: SQLiteValue
    var isShifted: Bool
    /// Whether nothing was at the key afterwards.
    var isEnd: Bool
  }

  /// The last change of an entry, or move of it or of what it is inside.
  func change(
    of key: EntryKey, before turn: Int64, at location: StoreLocation
  ) throws -> Change? {
    let places = key.documentPath?.indices.map { end in
      SQLiteValue.blob(
        EntryCoding.encode(EntryKey(path: Array((key.documentPath ?? []).prefix(end + 1)))))
    }
    let valueless = [JournalStep.Action.touch, .refresh, .evict].map { "'\($0.rawValue)'" }
      .joined(separator: ", ")
    let holders = (places ?? []).indices.map { "?\($0 + 5)" }.joined(separator: ", ")
    let row = try session.rows(
      "SELECT s.turn, s.time, i.key, i.new_key, i.before, i.shifted, s.number, i.after FROM steps AS s "
        + "JOIN items AS i ON i.step = s.number WHERE s.path = ?1 AND s.collection IS ?2 "
        + "AND s.turn < ?3 AND NOT s.pending AND i.done "
        // Those say until when it counts, or what a cache holds, and change no value.
        + "AND s.action NOT IN (\(valueless)) "
        + "AND (NOT i.shifted AND (i.new_key = ?4 OR i.new_key IS NULL AND i.key = ?4) "
        + "OR i.shifted AND i.key IN (\(holders))) "
        + "ORDER BY s.turn DESC, i.number DESC LIMIT 1",
      Self.values(location) + [.integer(turn), .blob(EntryCoding.encode(key))] + (places ?? [])
    ).first
    guard let row, row.count == 8, case .integer(let found) = row[0], case .real(let time) = row[1],
      case .integer(let step) = row[6], let old = Self.bytes(row[2]).flatMap(EntryCoding.key)
    else { return nil }
    return Change(
      step: step, turn: found, time: time, key: old, isRenamed: row[3] != .null, before: row[4],
      isShifted: row[5] == .integer(1), isEnd: row[7] == .null)
  }

  /// Where an element was before a step moved it, and its value before and after; nil where that
  /// cannot be told, as several were removed.
  private func move(
    of key: EntryKey, in step: Int64
  ) throws -> (key: EntryKey, before: StoredValue?, after: StoredValue?)? {
    guard var path = key.documentPath, let last = path.popLast() else { return nil }
    let next =
      switch last {
      case .index(let place): DocumentStep.index(place + 1)
      case .name(let name, let place): DocumentStep.name(name, repetition: place + 1)
      }
    let rows = try session.rows(
      "SELECT key, before, after FROM items WHERE step = ?1 AND shifted", [.integer(step)])
    var removed = 0
    var (before, after): (StoredValue?, StoredValue?) = (nil, nil)
    let old = EntryKey(path: path + [next])
    for row in rows where row.count == 3 {
      guard let found = Self.bytes(row[0]).flatMap(EntryCoding.key), let place = found.documentPath,
        place.count == path.count + 1, Array(place.dropLast()) == path,
        place.last?.isInList(of: last) == true
      else { continue }
      if row[2] == .null { removed += 1 }
      if found == old { before = try Self.decoded(row[1], EntryCoding.value) }
      if found == key { after = try Self.decoded(row[2], EntryCoding.value) }
    }
    return removed == 1 && before != nil ? (old, before, after) : nil
  }
}

extension EntryKey {
  /// The key with another beginning of its path.
  fileprivate func replacing(_ start: EntryKey, with other: EntryKey) -> EntryKey {
    guard let path = documentPath, let old = start.documentPath, let new = other.documentPath,
      path.starts(with: old)
    else { return self }
    return EntryKey(path: new + path.dropFirst(old.count))
  }
}

extension DocumentStep {
  /// Whether both are places in one array, or repetitions of one name.
  fileprivate func isInList(of other: DocumentStep) -> Bool {
    switch (self, other) {
    case (.index, .index): true
    case (.name(let name, _), .name(let own, _)): name.hasBytes(of: own)
    default: false
    }
  }
}
