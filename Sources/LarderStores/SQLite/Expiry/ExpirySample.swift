import HarmonySQLite
import LarderModel
import LarderStoreBase

extension TableLayout {
  /// The number of rows sampled at each end of a table.
  private static let sampleSize = 100

  /// Returns this layout with the expiry that its columns and a sample of its rows show.
  ///
  /// - Throws: ``SQLiteError`` if rows cannot be read.
  func recognizingExpiry(
    _ choice: ExpiryChoice, _ session: SQLiteSession
  ) throws(SQLiteError) -> TableLayout {
    var layout = self
    layout.valueColumn = numberedValue
    var choice = choice
    if let lens, let expiry = lens.expiry, !choice.isMade {
      choice = ExpiryChoice(column: expiry.column, unit: expiry.unit)
      choice.rule = Messages.schema(of: lens.program)
    } else if let unit = lens?.momentUnit, !choice.isMade {
      choice.unit = unit
    }
    if choice.isNone {
      layout.expiry = .nothing(choice.rule.map { Messages.noExpiry(by: $0) })
      return layout
    }
    guard let recognizer = recognizer(choice) else {
      layout.expiry = .nothing(nil)
      return layout
    }
    layout.expiry = try session.limitingValues(to: LargeValues.limit) { () throws(SQLiteError) in
      try verdict(recognizer, session)
    }
    if case .found(var found) = layout.expiry, let never = lens?.expiry?.never {
      found.never = .value(never)
      layout.expiry = .found(found)
    }
    if layout.mayExpire, keySource != nil, self.choice != .raw,
      !values.contains(where: \.isGenerated)
    {
      layout.valueColumn = lens?.value ?? recognizer.valueColumn ?? numberedValue
    }
    return layout
  }

  private func recognizer(_ choice: ExpiryChoice) -> ExpiryRecognizer? {
    // Reading even a few rows of a view may scan all rows that it is computed from.
    guard form == .table || (form == .view && choice.column != nil) else { return nil }
    var choice = choice
    if let column = valueColumn(named: choice.column) { choice.column = column.name }
    let isKeyed = keySource != nil
    let keys = (isKeyed ? keyColumns : []).map {
      ExpiryRecognizer.Column(name: $0.name, type: "", isKey: true)
    }
    // Beside the key of a cache, the number of a row means nothing.
    let others = values.filter { !hasOwnKey || !$0.isRowNumber }.map {
      ExpiryRecognizer.Column(
        name: $0.name, type: $0.type, isNotNull: $0.isNotNull, isTimedInUTC: $0.isTimedInUTC)
    }
    return ExpiryRecognizer(
      table: name, columns: keys + others,
      // The option names one column for all tables, so it may be meant for another. A rule in the
      // settings names a column of this table, so a missing column is an error to report.
      choice: valueColumn(named: choice.column) != nil || choice.rule != nil
        ? choice : ExpiryChoice(unit: choice.unit, lifetime: choice.lifetime, zone: choice.zone),
      isNumbered: isKeyedByNumber)
  }

  private func verdict(
    _ recognizer: ExpiryRecognizer, _ session: SQLiteSession
  ) throws(SQLiteError) -> ExpiryRecognizer.Verdict {
    let wanted = recognizer.wantedColumns
    guard let column = wanted.first, values.contains(where: { $0.name.hasBytes(of: column) }) else {
      return recognizer.verdict([])
    }
    let columns = wanted.map { "t." + SQLiteIdentifier.quoted(storedName($0)) }
    let verdict = recognizer.verdict(try sample(columns, session))
    guard case .found(var expiry) = verdict, let value = recognizer.valueColumn,
      try holdsEnds(value, session)
    else { return verdict }
    expiry.doubts.append(Messages.pickledExpiry(value, beside: column))
    return .found(expiry)
  }

  /// Whether a pickled value of a column contains an expiry of its own.
  private func holdsEnds(_ column: String, _ session: SQLiteSession) throws(SQLiteError) -> Bool {
    guard let segment = segments(after: nil, backward: false).first else { return false }
    let name = "t." + SQLiteIdentifier.quoted(storedName(column))
    let words = ["expires", "created_at"].map { "instr(\(name), CAST('\($0)' AS BLOB)) > 0" }
    let rows = try session.rows(
      "SELECT typeof(\(name)) = 'blob' AND substr(\(name), 1, 1) = x'80' AND "
        + words.joined(separator: " AND ") + " FROM \(from)\(segment.sql) LIMIT 1",
      segment.bindings)
    return rows.first?.first == .integer(1)
  }

  /// Returns the value column that has a name, or is shown by it, ignoring case; nil if there is
  /// none.
  func valueColumn(named name: String?) -> ValueColumn? {
    guard let name = name?.lowercased() else { return nil }
    return values.first { $0.name.lowercased() == name || $0.storedName.lowercased() == name }
  }

  /// Evaluates expressions in the first rows of a table and, if it has more, in the last ones.
  func sample(
    _ expressions: [String], _ session: SQLiteSession
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    let list = expressions.joined(separator: ", ")
    func rows(_ backward: Bool) throws(SQLiteError) -> [[SQLiteValue]] {
      guard let segment = segments(after: nil, backward: backward).first else { return [] }
      return try session.rows(
        "SELECT \(list) FROM \(from)\(segment.sql) LIMIT \(Self.sampleSize)", segment.bindings)
    }
    let first = try rows(false)
    guard first.count == Self.sampleSize, case .columns = keys else { return first }
    return first + (try rows(true))
  }
}
