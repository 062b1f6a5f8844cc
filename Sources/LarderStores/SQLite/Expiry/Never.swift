import HarmonySQLite
import LarderCore

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
    if let value = values.first(where: { Self.isNever($0) || (!isLifetime && form.isFar($0)) }) {
      self = .value(value)
    } else {
      self = column.isNotNull ? .unknown : .value(.null)
    }
  }

  /// Whether a value is none, or a number that counts nothing.
  static func isNever(_ value: SQLiteValue) -> Bool {
    switch value {
    case .null: true
    case .integer(let number): number <= 0
    case .real(let number): number <= 0
    case .text(let text):
      text.isEmpty || text.utf8.count <= 32 && Double(text).map { $0 <= 0 } ?? false
    case .malformedText, .blob: false
    }
  }
}
