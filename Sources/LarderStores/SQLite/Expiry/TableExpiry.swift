import Foundation
import HarmonySQLite
import LarderCore

/// The column of a table that says until when its rows count.
struct TableExpiry: Sendable, Equatable {
  /// The column of moments, or of how long rows last.
  let column: String
  /// The column of the moments from which that is counted; nil where `column` holds moments.
  let since: String?
  /// How the moments are kept: those of `since`, where there is one.
  let form: MomentForm
  /// What `column` counts in, where it is counted from `since`.
  var lifetime: LifetimeUnit?
  let never: Never
  let confidence: CollectionExpiry.Confidence
  let evidence: String
  /// What was assumed and may be otherwise, each as a clause.
  var doubts: [String] = []
  /// Whether the moments may be dates of what the rows are about, and no ends of a cache.
  var isDubious = false
  let bookkeeping: [String]
  /// What rows say of what became of them.
  var uses = Uses()

  /// A column of moments.
  struct Moments: Sendable, Equatable {
    let column: String
    let form: MomentForm
  }

  /// The columns that say what became of rows; each nil where there is none.
  struct Uses: Sendable, Equatable {
    /// Since when they are there.
    var made: Moments?
    /// When they were used last.
    var used: Moments?
    /// How often they were used.
    var hits: String?
  }

  /// The same for people.
  var summary: CollectionExpiry {
    CollectionExpiry(
      column: column, since: since, unit: form.unit, lifetime: lifetime, confidence: confidence,
      evidence: evidence, doubts: doubts, isDubious: isDubious, bookkeeping: bookkeeping)
  }

  /// When a row expires; nil where it does not, or nobody can tell.
  ///
  /// - Parameters:
  ///   - value: What the column holds.
  ///   - beginning: What the column holds from which that is counted.
  /// - Returns: The moment.
  func date(_ value: SQLiteValue, since beginning: @autoclosure () -> SQLiteValue) -> Date? {
    guard since != nil else { return form.date(value) }
    guard let length = ExpiryRecogniser.number(value), length > 0, length.isFinite,
      let start = form.date(beginning())
    else { return nil }
    let date = start.addingTimeInterval(length * secondsPerUnit)
    return date < MomentForm.furthest ? date : nil
  }

  /// What the column has to hold for a row to expire at a moment; nil for never.
  ///
  /// - Parameters:
  ///   - date: The moment.
  ///   - old: What the column holds, whose form the new value gets.
  ///   - beginning: What the column holds from which it is counted.
  /// - Returns: The value.
  /// - Throws: ``StoreError`` where the table has no way to say that.
  func value(
    _ date: Date?, like old: SQLiteValue, since beginning: @autoclosure () -> SQLiteValue
  ) throws(StoreError) -> SQLiteValue {
    guard let date else {
      guard case .value(let value) = never else {
        throw .notSupported(
          "no row says how \(column) tells that an entry never expires, and it takes no null; give "
            + "a date far away; nothing was written")
      }
      return value
    }
    guard date > Date(timeIntervalSince1970: 0), date < MomentForm.furthest else {
      throw .notSupported(
        "\(column) holds moments after 1970 and before the year 9999; nothing was written")
    }
    guard since != nil else {
      let value = form.value(date, like: old)
      guard let written = form.date(value) else {
        throw .notSupported("\(column) cannot hold that moment; nothing was written")
      }
      if let zone = form.zone, abs(written.timeIntervalSince(date)) >= 900 {
        throw .notSupported(
          "\(column) names no zone, and the clocks of \(zone.name) show that time again later; nothing "
            + "was written")
      }
      return value
    }
    guard let start = form.date(beginning()) else {
      throw .notSupported("the row does not say from when \(column) counts; nothing was written")
    }
    let seconds = date.timeIntervalSince(start) + MomentForm.exactness
    let length = seconds / secondsPerUnit
    guard seconds > -1 else {
      throw .notSupported(
        "\(column) counts from when the entry was written, before which it cannot expire; nothing "
          + "was written")
    }
    if case .real = old { return .real(max(length, 0.001 / secondsPerUnit)) }
    let lost = (length - length.rounded(.down)) * secondsPerUnit
    guard length >= 1 && lost <= 60 || secondsPerUnit <= 1 else {
      let next = start.addingTimeInterval((max(length, 0).rounded(.down) + 1) * secondsPerUnit)
      throw .notSupported(
        "\(column) counts whole \(lifetime?.spoken ?? "") from when the entry was written, and cannot "
          + "say that moment; the next one that it can is \(Timestamp.text(of: next)); nothing was "
          + "written")
    }
    // A number of 64 bits holds 292 years in the finest unit.
    guard let whole = Int64(exactly: length.rounded(.down)) else {
      throw .notSupported("\(column) cannot hold that moment; nothing was written")
    }
    // Zero would mean that it never expires.
    return .integer(max(whole, 1))
  }

  /// What a row that never expires holds, where it comes with the last day of the year 9999 as another
  /// unit counts that, which would be a moment of the past here.
  ///
  /// - Parameter value: What it came with.
  /// - Returns: The value; nil where it means no such day, or means it here, too.
  /// - Throws: ``StoreError`` where the table has no way to say that.
  func never(insteadOf value: SQLiteValue) throws(StoreError) -> SQLiteValue? {
    guard since == nil, !form.isLastDay(value),
      form.date(value).map({ !ExpiryRecogniser.plausible.contains($0) }) ?? true,
      ExpiryUnit.allCases.contains(where: { unit in
        MomentForm(unit: unit, storage: .integer).isLastDay(value)
      })
    else { return nil }
    if case .value(let never) = never { return never }
    return try form.lastMoment(of: column)
  }

  /// How many seconds one of what a lifetime is counted in has.
  private var secondsPerUnit: Double { lifetime?.seconds ?? 1 }
}

extension TableExpiry {
  /// What SQLite compares of a row, as a number of the unit; NULL where it cannot tell.
  private var numberSQL: String {
    func named(_ name: String) -> String { "t." + SQLiteIdentifier.quoted(name) }
    let moment = since ?? column
    // A sum is a number, also where a column holds the digits of one.
    let start = form.unit == .iso ? "julianday(\(named(moment)))" : "(\(named(moment)) + 0)"
    guard since != nil else { return start }
    let isInDays = form.unit == .iso || form.unit == .julian
    let perSecond = isInDays ? 1 / 86_400 : Double(MomentForm.scale(form.unit))
    let factor = perSecond * secondsPerUnit
    return "(\(start) + \(named(column)) * \(factor))"
  }

  /// A condition that holds for all rows that expire in a span, and for few others; nil for any.
  func condition(_ span: ExpirySpan) -> (sql: String, bindings: [SQLiteValue])? {
    if span.isNever { return nil }
    // What SQLite computes is not as exact as what is read; the rest is left out by who reads.
    // It knows no zones either, none of which is further from UTC than 14 hours.
    let slack: Double = form.zone == nil ? 1 : 14 * 3_600 + 1
    let least = span.after.map { form.number($0.addingTimeInterval(-slack)) }
    let most = form.number(span.upTo.addingTimeInterval(slack))
    let lower = least == nil ? "" : " AND \(numberSQL) >= ?"
    let upper = "\(numberSQL) <= ?"
    // What SQLite cannot read, such as a zone without a colon, may still be a moment.
    let unread =
      form.unit == .iso
      ? " OR (\(numberSQL) IS NULL AND t.\(SQLiteIdentifier.quoted(column)) IS NOT NULL)" : ""
    return (
      "((\(upper)\(lower))\(unread))", [.real(most)] + (least.map { [.real($0)] } ?? [])
    )
  }
}
