import HarmonySQLite

/// How a table says that a row does not expire.
enum Never: Sendable, Equatable {
  case value(SQLiteValue)
  /// No row of the sample says it, and the column does not take null.
  case unknown

  /// Finds out what values of a column say it.
  init(
    _ values: [SQLiteValue], _ column: ExpiryRecogniser.Column, _ form: MomentForm,
    isLifetime: Bool
  ) {
    // Any program reads a null as never; what else is there may mean that only to some.
    if values.contains(.null) {
      self = .value(.null)
    } else if let value = values.first(where: {
      Self.isNever($0) || (!isLifetime && form.isNever($0))
    }) {
      self = .value(value)
    } else {
      self = column.isNotNull ? .unknown : .value(.null)
    }
  }

  /// The last moments that programs have, which would be others in finer units: those of JavaScript,
  /// Windows and .NET, and the largest number of 64 bits.
  private static let ends: [ClosedRange<Double>] = [
    8.64e15...8.64e15, 2_650_466_880e9...2_650_467_744e9, 3_155_378_112e9...3_155_378_976e9,
    9.223_372_036_854e18 ... .infinity,
  ]

  /// Whether a value is none, a number that counts nothing, or the end of time.
  static func isNever(_ value: SQLiteValue) -> Bool {
    if value == .null || value == .text("") { return true }
    guard let number = ExpiryRecogniser.number(value) else { return false }
    return number <= 0 || ends.contains { $0.contains(number) }
  }
}
