import HarmonySQLite
import LarderCore

/// Brings rows back that triggers changed along with a step, if they are as the step left them.
struct SideRestoration {
  /// A row that is as the step left it.
  private struct Part {
    let row: SideRows.Row
    let writer: RowWriter

    /// Makes the row what it was.
    func restore() throws {
      if let before = row.before {
        _ = try writer.put(before, WriteRequest(row.key, .anything), row: row.number)
      } else {
        try writer.delete(.one(row.key, .anything))
      }
    }
  }

  /// A row that is not as the step left it.
  private struct Other {
    let row: SideRows.Row
    let reader: RowReader
    /// What it is before the step is taken back.
    let found: StoredValue?
  }

  private let session: SQLiteSession
  /// The table of the step.
  private let table: String
  /// Rows that are in the place of ones that the step deleted.
  private var intruders: [Part] = []
  private var parts: [Part] = []
  private var others: [Other] = []
  /// Those that could not be brought back.
  private var lost: Set<SideRows.Row> = []
  /// What a person has to be told of rows that do not come back.
  private(set) var sentences: [String] = []
  /// Why the first row does not come back that could not be brought back.
  private(set) var loss: String?

  /// Looks at the rows before anything is changed.
  ///
  /// - Parameters:
  ///   - rows: What the step has recorded.
  ///   - table: The table of the step.
  ///   - keys: The rows of the table that the step itself brings back.
  ///   - renamed: The rows of it that get their keys back, by those that they have.
  ///   - session: The connection, in a transaction.
  /// - Throws: ``SQLiteError`` where the database cannot be read.
  init(
    _ rows: SideRows?, of table: String, beside keys: Set<EntryKey>, but renamed: Set<EntryKey>,
    _ session: SQLiteSession
  ) throws {
    self.session = session
    self.table = table
    var layouts: [String: TableLayout] = [:]
    for row in rows?.rows ?? [] where row.table != table || !renamed.contains(row.key) {
      if layouts[row.table] == nil {
        layouts[row.table] = try TableCatalogue.layouts(session, named: row.table).first
      }
      guard let layout = layouts[row.table], layout.isWritable else {
        say(row, "cannot be brought back: the table is gone, or is another one now")
        continue
      }
      var writer = RowWriter(layout, session)
      writer.isRestoring = true
      writer.isUndo = true
      let current: StoredValue?
      do {
        current = try writer.reader.read(row.key, session)?.value
      } catch let error as StoreError {
        say(row, "cannot be brought back: \(error.message)")
        continue
      }
      if current != row.after, layout.hasOtherColumns(than: row.after) {
        say(
          row,
          "cannot be compared with what the step left: the table has other columns now; it stays as "
            + "it is")
      } else if current != row.after {
        others.append(Other(row: row, reader: writer.reader, found: current))
      } else if row.table == table, keys.contains(row.key) {
        intruders.append(Part(row: row, writer: writer))
      } else {
        parts.append(Part(row: row, writer: writer))
      }
    }
  }

  /// The rows that are brought back, by their keys.
  var known: Set<TriggerWatch.Place> {
    Set((intruders + parts).map { TriggerWatch.Place(table: $0.row.table, row: $0.row.key) })
  }

  /// The rows that are under the keys of ones that come back.
  var taken: [EntryKey: StoredValue] {
    var taken: [EntryKey: StoredValue] = [:]
    for part in intruders { taken[part.row.key] = part.row.after }
    return taken
  }

  /// Takes rows away that triggers added to the table of the step: they may be in the place of ones
  /// that come back, by their rowids, or by their keys, where these are meant.
  func removeIntruders(underKeys: Bool) throws {
    if underKeys {
      for part in intruders { try part.restore() }
    }
    try removeAdded { $0 == table }
  }

  /// Takes rows away that triggers added, which may refer to what is going to be deleted.
  func removeAdded(to isMeant: (String) -> Bool = { _ in true }) throws {
    for part in parts where part.row.before == nil && isMeant(part.row.table) {
      _ = try session.attempt(part.restore)
    }
  }

  /// Makes the rows what they were, whatever triggers have made of them meanwhile.
  ///
  /// - Returns: Those that could not be brought back, each with the reason.
  @discardableResult
  func restore() throws -> [(row: SideRows.Row, error: any Error)] {
    var left = parts
    // One may have to wait for another; and triggers of one may change another again.
    while !left.isEmpty {
      var failed: [(part: Part, error: any Error)] = []
      for part in left {
        if let error = try session.attempt(part.restore) { failed.append((part, error)) }
      }
      guard failed.count < left.count else { return failed.map { ($0.part.row, $0.error) } }
      left = failed.reversed().map { $0.part }
    }
    return []
  }

  /// Makes the rows what they were, as far as triggers allow.
  mutating func finish() throws {
    let failed = try restore()
    for (row, error) in failed {
      let reason = SQLiteSentences(path: "the database").storeError(error).message
      say(row, "could not be brought back: \(reason)")
      // What a trigger added is no loss where it stays.
      if row.before != nil { loss = loss ?? sentences.last }
    }
    lost = Set(failed.map(\.row))
    for part in parts where !lost.contains(part.row) {
      if let number = part.row.number, part.row.before != nil {
        // A trigger may have put it in the place of another row of its key.
        _ = try session.attempt { try part.writer.renumber(part.row.key, to: number) }
      }
      if try current(part.row, part.writer.reader) != part.row.before {
        _ = try session.attempt(part.restore)
      }
    }
  }

  /// Looks at the rows after all else is taken back, as what brought one back, or came after it, may
  /// have made another of the next.
  mutating func look() throws {
    var restored: [Part] = []
    for part in parts where !lost.contains(part.row) {
      if try current(part.row, part.writer.reader) == part.row.before {
        restored.append(part)
      } else {
        say(part.row, "is not as it was: a trigger of the database changed it again")
      }
    }
    for other in others {
      let current = try current(other.row, other.reader)
      if current == other.row.before { continue }
      say(
        other.row,
        "was changed since, and "
          + (current == other.found ? "stays as it is" : "is what triggers made of that now"))
    }
    try sayNumbers(restored)
  }

  /// Says which rows came back under another rowid.
  private mutating func sayNumbers(_ parts: [Part]) throws {
    for (_, parts) in Dictionary(grouping: parts, by: \.row.table).sorted(by: { $0.key < $1.key }) {
      guard let reader = parts.first?.writer.reader else { continue }
      let wanted = parts.compactMap { part in part.row.number.map { (part.row.key, $0) } }
      sentences += try reader.otherNumbers(wanted, session)
    }
  }

  /// The value of a row, nil where there is none, or it cannot be told from others.
  private func current(_ row: SideRows.Row, _ reader: RowReader) throws -> StoredValue? {
    do {
      return try reader.read(row.key, session)?.value
    } catch is StoreError {
      return nil
    }
  }

  private mutating func say(_ row: SideRows.Row, _ what: String) {
    sentences.append("\(row.key.spoken) of \"\(row.table)\" \(what)")
  }
}
