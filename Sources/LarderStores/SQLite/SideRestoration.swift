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
        _ = try writer.put(before, WriteRequest(row.key, .anything))
      } else {
        try writer.delete(.one(row.key, .anything))
      }
    }

    var isRestored: Bool {
      get throws {
        let current = try writer.reader.read(row.key, writer.session)
        return current?.value == row.before
      }
    }
  }

  private let session: SQLiteSession
  private var parts: [Part] = []
  /// What a person has to be told of rows that stay as they are.
  private(set) var sentences: [String] = []

  /// Looks at the rows before anything is changed.
  init(_ rows: [SideRows.Row], _ session: SQLiteSession) throws {
    self.session = session
    var layouts: [String: TableLayout] = [:]
    for row in rows {
      if layouts[row.table] == nil {
        layouts[row.table] = try TableCatalogue.layouts(session, named: row.table).first
      }
      guard let layout = layouts[row.table], layout.isWritable else {
        say(row, "cannot be brought back: the table is gone, or is another one now")
        continue
      }
      var writer = RowWriter(layout, session)
      writer.isRestoring = true
      let current = try writer.reader.read(row.key, session)?.value
      if current == row.after {
        parts.append(Part(row: row, writer: writer))
      } else if current != row.before {
        say(row, "was changed since, and stays as it is")
      }
    }
  }

  /// Takes rows away that triggers added, which may refer to what is going to be deleted.
  func removeAdded() throws {
    for part in parts where part.row.before == nil { _ = try session.attempt(part.restore) }
  }

  /// Makes the rows what they were, whatever triggers have made of them meanwhile.
  mutating func restore() throws {
    var left = parts
    // One may have to wait for another; and triggers of one may change another again.
    while !left.isEmpty {
      var failed: [(part: Part, error: any Error)] = []
      for part in left {
        if let error = try session.attempt(part.restore) { failed.append((part, error)) }
      }
      guard failed.count < left.count else {
        for (part, error) in failed {
          let reason = SQLiteSentences(path: "the database").storeError(error).message
          say(part.row, "could not be brought back: \(reason)")
        }
        break
      }
      left = failed.reversed().map { $0.part }
    }
    let lost = Set(left.map(\.row))
    for part in parts where !lost.contains(part.row) {
      if try part.isRestored { continue }
      _ = try session.attempt(part.restore)
      if try !part.isRestored {
        say(part.row, "is not as it was: a trigger of the database changed it again")
      }
    }
  }

  private mutating func say(_ row: SideRows.Row, _ what: String) {
    sentences.append("\(row.key.spoken) of \"\(row.table)\" \(what)")
  }
}
