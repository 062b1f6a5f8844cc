import HarmonySQLite
import LarderCore

extension RowWriter {
  /// Changes that are made again or taken back, in the columns that they can be compared in.
  ///
  /// Columns that the database computes are neither written nor compared: they follow from the
  /// others, perhaps by another rule than before. Nor are columns that the table has got since
  /// compared, as the step says nothing of them.
  ///
  /// - Parameters:
  ///   - request: The changes.
  ///   - found: What each change finds, nil where it finds nothing.
  /// - Returns: The changes.
  /// - Throws: ``StoreError`` where the table has lost columns that the step names, or the values of
  ///   new ones would go with a row; what keeps the rows from being read.
  func comparable(
    _ request: RevisionQuery.Request, found: [StoredValue?]
  ) throws -> RevisionQuery.Request {
    if case .renames(let query) = request {
      return .renames(RenamesQuery(try query.renames.map(comparable)))
    }
    guard case .changes(let query) = request, query.changes.count == found.count else {
      return request
    }
    let computes = layout.values.contains(where: \.isGenerated)
    guard computes || found.contains(where: layout.hasOtherColumns) else { return request }
    let changes = try zip(query.changes, found).map { change, found in
      var change = change
      change.value = change.value.map(withoutComputed)
      guard let found, computes || layout.hasOtherColumns(than: found),
        let current = try reader.read(change.key, session)?.value
      else { return change }
      guard try part(of: current, like: found) == withoutComputed(found) else { return change }
      if change.value == nil { try checkAdded(since: found, change.key) }
      change.expecting = Fingerprint(of: current)
      return change
    }
    return .changes(ChangesQuery(changes, scan: query.scan))
  }

  /// A rename of a row that may have got columns since, of which a step keeps a digest only.
  private func comparable(_ rename: RenameQuery) throws -> RenameQuery {
    let current = try reader.read(rename.entryKey, session)
    guard let current, let fingerprint = current.fingerprint, fingerprint != rename.expecting,
      case .record(let fields)? = current.value
    else { return rename }
    // What is added comes last; and the only column there was, was the value itself.
    let former =
      fields.indices.dropFirst().map { StoredValue.record(Array(fields[..<$0])) }
      + fields.prefix(1).map(\.value)
    guard former.contains(where: { Fingerprint(of: $0) == rename.expecting }) else { return rename }
    return RenameQuery(rename.entryKey, to: rename.newKey, expecting: fingerprint)
  }

  /// That a step cannot be compared with the table, or not be written to it.
  var hasOtherColumns: StoreError {
    .failed("\(layout.name) has other columns than when this was recorded; nothing was written")
  }

  /// A row without the columns that the database computes.
  private func withoutComputed(_ value: StoredValue) -> StoredValue {
    guard !layout.isSingleValue, case .record(let fields) = value else { return value }
    return .record(fields.filter { !isComputed($0.name) })
  }

  private func isComputed(_ name: String) -> Bool {
    layout.values.contains { $0.isGenerated && $0.name.hasBytes(of: name) }
  }

  /// Of a row the columns that another row of the table had at another time, in their order.
  private func part(of current: StoredValue, like other: StoredValue) throws -> StoredValue {
    switch (current, other) {
    case (.record(let fields), .record(let others)) where !layout.isSingleValue:
      return .record(
        try others.filter { !isComputed($0.name) }.map { other in
          guard let field = fields.first(where: { $0.name.hasBytes(of: other.name) }) else {
            throw hasOtherColumns
          }
          return field
        })
    default:
      guard !layout.hasOtherColumns(than: other) else { throw hasOtherColumns }
      return current
    }
  }

  /// Refuses to delete a row with values that the step, which put it there, could not have written.
  private func checkAdded(since other: StoredValue, _ key: EntryKey) throws {
    guard case .record(let fields) = other else { return }
    let added = layout.values.filter { column in
      !column.isGenerated && !fields.contains { $0.name.hasBytes(of: column.name) }
    }
    let filled = try added.filter { column in
      let known = try session.rows(
        "SELECT dflt_value FROM pragma_table_info(?, 'main') WHERE name = ?",
        [.text(layout.name), .text(column.name)])
      let standard = if case .text(let sql)?? = known.first?.first { sql } else { "NULL" }
      // A default that cannot be compared with is taken for another value.
      let same = try? session.rows(
        "SELECT 1 FROM \(layout.target) WHERE \(layout.keyCondition) "
          + "AND \(column.sql) COLLATE BINARY IS (\(standard))", layout.values(of: key))
      return same?.isEmpty != false
    }
    guard let column = filled.first else { return }
    throw StoreError.failed(
      "the column \(column.name) was added to \(layout.name) since, and \(key.spoken) has a value in "
        + "it, which would be lost; nothing was written. Delete the row itself, if that is wanted")
  }
}
