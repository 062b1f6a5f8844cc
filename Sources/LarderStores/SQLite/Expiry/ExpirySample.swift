import HarmonySQLite
import LarderModel

extension TableLayout {
  /// How many rows of each end of a table are looked at.
  private static let sampleSize = 100

  /// The same layout with what its columns and some of its rows say of an expiry.
  ///
  /// - Throws: ``SQLiteError`` where rows cannot be read.
  func recognisingExpiry(
    _ choice: ExpiryChoice, _ session: SQLiteSession
  ) throws(SQLiteError) -> TableLayout {
    var layout = self
    layout.valueColumn = numberedValue
    if choice.isNone {
      layout.expiry = .nothing(choice.rule.map { "\($0) says that nothing there expires" })
      return layout
    }
    guard let recogniser = recogniser(choice) else {
      layout.expiry = .nothing(nil)
      return layout
    }
    layout.expiry = try session.limitingValues(to: LargeValues.limit) { () throws(SQLiteError) in
      try verdict(recogniser, session)
    }
    if layout.mayExpire, keySource != nil, !values.contains(where: \.isGenerated) {
      layout.valueColumn = recogniser.valueColumn ?? numberedValue
    }
    return layout
  }

  private func recogniser(_ choice: ExpiryChoice) -> ExpiryRecogniser? {
    // A few rows of a view can cost a look at all rows that it is made of.
    guard form == .table || (form == .view && choice.column != nil) else { return nil }
    let isKeyed = keySource != nil
    let keys = (isKeyed ? keyColumns : []).map {
      ExpiryRecogniser.Column(name: $0.name, type: "", isKey: true)
    }
    let others = values.map {
      ExpiryRecogniser.Column(
        name: $0.name, type: $0.type, isNotNull: $0.isNotNull, isTimedInUTC: $0.isTimedInUTC)
    }
    return ExpiryRecogniser(
      table: name, columns: keys + others,
      // A column of another table is no reason to look at this one.
      // One that the settings name for this table is a mistake, which is said.
      choice: hasColumn(choice.column) || choice.rule != nil
        ? choice : ExpiryChoice(unit: choice.unit, lifetime: choice.lifetime, zone: choice.zone),
      isNumbered: isKeyedByNumber)
  }

  private func verdict(
    _ recogniser: ExpiryRecogniser, _ session: SQLiteSession
  ) throws(SQLiteError) -> ExpiryRecogniser.Verdict {
    let wanted = recogniser.wantedColumns
    guard let column = wanted.first, values.contains(where: { $0.name.hasBytes(of: column) }) else {
      return recogniser.verdict([])
    }
    let columns = wanted.map { "t." + SQLiteIdentifier.quoted($0) }
    let verdict = recogniser.verdict(try sample(columns, session))
    guard case .found(var expiry) = verdict, let value = recogniser.valueColumn,
      try holdsEnds(value, session)
    else { return verdict }
    expiry.doubts.append(
      "\(value) is pickled with an end of its own, as requests-cache does it; a program that reads "
        + "that one does not see what \(column) is set to")
    return .found(expiry)
  }

  /// Whether pickled values of a column say themselves when they expire.
  private func holdsEnds(_ column: String, _ session: SQLiteSession) throws(SQLiteError) -> Bool {
    guard let segment = segments(after: nil, backward: false).first else { return false }
    let name = "t." + SQLiteIdentifier.quoted(column)
    let words = ["expires", "created_at"].map { "instr(\(name), CAST('\($0)' AS BLOB)) > 0" }
    let rows = try session.rows(
      "SELECT typeof(\(name)) = 'blob' AND substr(\(name), 1, 1) = x'80' AND "
        + words.joined(separator: " AND ") + " FROM \(from)\(segment.sql) LIMIT 1",
      segment.bindings)
    return rows.first?.first == .integer(1)
  }

  /// Whether a column of the values has a name, in letters of either case.
  func hasColumn(_ name: String?) -> Bool {
    values.contains { $0.name.lowercased() == name?.lowercased() }
  }

  /// What some expressions are in the first and the last rows, as far as those are not the same.
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
