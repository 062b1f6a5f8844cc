import Foundation
import HarmonySQLite
import LarderCore

extension ExpiryRecogniser {
  /// From 2000 to 2300, where the moments of caches lie; numbers of other units lie outside.
  static let plausible =
    Date(timeIntervalSince1970: 946_684_800)..<Date(timeIntervalSince1970: 10_413_792_000)
  /// Apple's seconds that could not be seconds since 1970 after 2000: 2004 to 2030.
  private static let appleNumbers = 94_608_000.0..<946_684_800.0

  /// What values count moments in; nil where they are no moments.
  func form(of values: [SQLiteValue], _ column: Column) -> MomentForm? {
    choice.unit.map { form($0, values, column.storage) } ?? recognised(values, column)
  }

  /// What values look like, whatever a person said.
  func recognised(_ values: [SQLiteValue], _ column: Column) -> MomentForm? {
    let given = values.filter { !Never.isNever($0) }
    guard !given.isEmpty else { return nil }
    let units: [ExpiryUnit] = [
      .seconds, .milliseconds, .microseconds, .nanoseconds, .julian, .iso, .apple,
    ]
    return units.lazy.map { form($0, given, column.storage) }.first { fits($0, given) }
  }

  /// That some values are moments of a finer unit than the others, as a clause: several programs write
  /// into the column.
  func mixedDoubt(
    _ column: Column, _ form: MomentForm, _ count: Int, _ values: [SQLiteValue]
  ) -> String? {
    guard count > 0, let finer = form.unit.finer else { return nil }
    return "\(count) of \(values.count) values of \(column.name) would be moments in "
      + "\(finer.spoken), and seem never to come"
  }

  private func fits(_ form: MomentForm, _ values: [SQLiteValue]) -> Bool {
    let far = values.count(where: form.isFar)
    let moments = values.count { value in
      if form.unit == .apple {
        return Self.number(value).map(Self.appleNumbers.contains) ?? false
      }
      return form.date(value).map(Self.plausible.contains) ?? false
    }
    // Numbers of a finer unit lie at the end of time, too; texts are not mistaken.
    guard moments > 0, form.unit == .iso || moments >= far else { return false }
    return moments * 10 >= (values.count - far) * 9
  }

  private func form(
    _ unit: ExpiryUnit, _ values: [SQLiteValue], _ declared: MomentForm.Storage
  ) -> MomentForm {
    var form = MomentForm(unit: unit, storage: declared)
    if unit == .iso {
      form.storage = .text
      form.zone = choice.zone
      for value in values {
        if case .text(let text) = value, let moment = TextMoment(text) {
          form.text = moment.form
          break
        }
      }
    } else {
      form.storage = unit == .julian && declared == .integer ? .real : declared
      for value in values where form.date(value) != nil {
        switch value {
        case .real: form.storage = .real
        case .text: form.storage = .text
        default: form.storage = unit == .julian ? .real : .integer
        }
        break
      }
    }
    return form
  }

  /// Whether a value is a number that can say how long a row lasts, up to ten years of the finest
  /// unit.
  static func isLength(_ value: SQLiteValue) -> Bool {
    number(value).map { $0 > 0 && $0 < 3.2e17 } ?? false
  }

  static func number(_ value: SQLiteValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .text(let text) where text.utf8.count <= 32: Double(text)
    case .null, .text, .malformedText, .blob: nil
    }
  }
}

extension ExpiryRecogniser.Column {
  /// How the declared type keeps numbers.
  fileprivate var storage: MomentForm.Storage {
    let type = type.uppercased()
    if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) { return .real }
    return ["CHAR", "TEXT", "CLOB"].contains(where: type.contains) ? .text : .integer
  }
}

extension MomentForm {
  /// Whether a value never comes in this unit, and is a moment in the next finer one.
  func isFinerMoment(_ value: SQLiteValue) -> Bool {
    guard isFar(value), let finer = unit.finer else { return false }
    let date = MomentForm(unit: finer, storage: storage).date(value)
    return date.map(ExpiryRecogniser.plausible.contains) == true
  }
}

extension ExpiryUnit {
  /// The unit of a thousandth, where there is one.
  fileprivate var finer: ExpiryUnit? {
    switch self {
    case .seconds: .milliseconds
    case .milliseconds: .microseconds
    case .microseconds: .nanoseconds
    case .nanoseconds, .apple, .iso, .julian: nil
    }
  }
}
