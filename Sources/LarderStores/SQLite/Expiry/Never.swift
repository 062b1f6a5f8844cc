import HarmonySQLite

/// The value with which a table marks rows that never expire.
enum Never: Sendable, Equatable {
  case value(SQLiteValue)
  /// No row of the sample shows it, and the column does not allow NULL.
  case unknown

  /// Infers the value from those of a column.
  init(
    _ values: [SQLiteValue], _ column: ExpiryRecognizer.Column, _ form: TimestampForm,
    isLifetime: Bool
  ) {
    // Every program reads NULL as never; another value may mean that only to some.
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

  /// The maximum timestamps of JavaScript, Windows and .NET, and the largest 64-bit integer: in
  /// finer units, these would be other times.
  private static let ends: [ClosedRange<Double>] = [
    8.64e15...8.64e15, 2_650_466_880e9...2_650_467_744e9, 3_155_378_112e9...3_155_378_976e9,
    9.223_372_036_854e18 ... .infinity,
  ]

  /// Whether a value is empty, a number that is not positive, or a maximum timestamp.
  static func isNever(_ value: SQLiteValue) -> Bool {
    if value == .null || value == .text("") { return true }
    guard let number = ExpiryRecognizer.number(value) else { return false }
    return number <= 0 || ends.contains { $0.contains(number) }
  }
}
