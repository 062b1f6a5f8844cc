import Foundation
import HarmonySQLite
import LarderModel

/// The column of a table that says when its rows expire.
struct TableExpiry: Sendable, Equatable {
  /// The column of moments, or of how long rows last.
  let column: String
  /// The column of the moments from which that is counted; nil where `column` holds moments.
  let since: String?
  /// How the moments are kept: those of `since`, where there is one.
  let form: MomentForm
  /// What `column` counts in, where it is counted from `since`.
  var lifetime: LifetimeUnit?
  /// Whether the values alone tell that unit, and neither a name nor a user.
  var guessesLifetime = false
  let never: Never
  let confidence: CollectionExpiry.Confidence
  let evidence: String
  /// What was assumed and may be otherwise, each as a clause.
  var doubts: [String] = []
  /// Whether the moments may be dates of what the rows are about, and no ends of a cache.
  var isDubious = false
  /// That several units are possible, as a clause; nil where the unit is known.
  var unitDoubt: String?
  /// That the zone of its texts was assumed, as a clause; nil where they name it or it was told.
  var zoneDoubt: String?
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
    let unit = lifetime?.rawValue ?? form.unit.rawValue
    let remedies = [
      isDubious ? "--expires-column \(column)" : nil,
      unitDoubt == nil ? nil : "--expires-unit \(unit)",
    ]
    .compactMap(\.self)
    return CollectionExpiry(
      column: column, since: since, unit: form.unit, lifetime: lifetime, confidence: confidence,
      evidence: evidence, doubts: doubts,
      remedy: remedies.isEmpty ? nil : remedies.joined(separator: " "), zoneDoubt: zoneDoubt,
      bookkeeping: bookkeeping)
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
    return MomentForm.range.contains(date) ? date : nil
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
    if let unitDoubt {
      throw .notSupported("\(unitDoubt); nothing was written. Name the unit with --expires-unit")
    }
    guard MomentForm.range.contains(date) else {
      throw .notSupported("\(column) holds times from 2000 to 2299; nothing was written")
    }
    return since == nil
      ? try moment(date, like: old) : try length(until: date, like: old, since: beginning())
  }

  /// The moment, as the column holds it: what is finer is left out, but never a second or more of the
  /// time that is left; a date alone is the next one.
  private func moment(_ date: Date, like old: SQLiteValue) throws(StoreError) -> SQLiteValue {
    var value = form.value(date, like: old)
    let isDateAlone = value.map(form.isDateAlone) == true
    if let early = value.flatMap(form.date), date.timeIntervalSince(early) >= 1, date > Date() {
      // The next midnight is 23 to 25 hours after one.
      value = form.value(
        isDateAlone ? early.addingTimeInterval(26 * 3_600) : date.addingTimeInterval(60), like: old)
    }
    // A moment that would be read as another one later is refused now.
    guard let value, let written = form.date(value),
      ExpiryRecogniser.unit(of: value) == form.unit
    else {
      throw .notSupported(
        "\(column) cannot hold that time in \(form.unit.spoken); nothing was written")
    }
    if let zone = form.zone, !isDateAlone, abs(written.timeIntervalSince(date)) >= 900 {
      throw .notSupported(
        "\(column) names no zone, and the clocks of \(zone.name) show that time again later; nothing "
          + "was written")
    }
    return value
  }

  /// How long a row lasts that expires at a moment, rounded as moments are.
  private func length(
    until date: Date, like old: SQLiteValue, since beginning: SQLiteValue
  ) throws(StoreError) -> SQLiteValue {
    guard let start = form.date(beginning) else {
      throw .notSupported("the row does not say from when \(column) counts; nothing was written")
    }
    let seconds = date.timeIntervalSince(start) + MomentForm.exactness
    let length = seconds / secondsPerUnit
    guard seconds > -1 else {
      throw .notSupported(
        "\(column) counts from when the entry was written, before which it cannot expire; nothing "
          + "was written")
    }
    if case .real = old {
      let length = max(length, 0.001 / secondsPerUnit)
      try checkReading(of: length)
      return .real(length)
    }
    var whole = length.rounded(.down)
    if (length - whole) * secondsPerUnit >= 1, date > Date() { whole += 1 }
    guard whole >= 1 || secondsPerUnit <= 1, (whole - length) * secondsPerUnit <= 60 else {
      let next = start.addingTimeInterval(max(whole, 1) * secondsPerUnit)
      throw .notSupported(
        "\(column) counts whole \(lifetime?.spoken ?? "") from when the entry was written, and cannot "
          + "say that moment; the next one that it can is \(Timestamp.text(of: next)); nothing was "
          + "written")
    }
    // A number of 64 bits holds 292 years in the finest unit.
    guard let number = Int64(exactly: whole) else {
      throw .notSupported("\(column) cannot hold that moment; nothing was written")
    }
    try checkReading(of: whole)
    // Zero would mean that it never expires.
    return .integer(max(number, 1))
  }

  /// Refuses a length that alone would be read back in a finer unit, where only values tell the unit.
  private func checkReading(of length: Double) throws(StoreError) {
    guard guessesLifetime, let lifetime, LifetimeReading.isMistakable(length, in: lifetime) else {
      return
    }
    let number = Int64(exactly: length).map(String.init) ?? String(length)
    throw .notSupported(
      "\(column) seems to hold \(lifetime.spoken), but \(number) would look like a finer unit; "
        + "nothing was written. Name the unit with --expires-unit \(lifetime.rawValue)")
  }

  /// What a row that never expires holds, where it comes with the last day of the year 9999 as another
  /// unit counts that, which would be a moment of the past here.
  ///
  /// - Parameter value: What it came with.
  /// - Returns: The value; nil where it means no such day, or means it here, too.
  /// - Throws: ``StoreError`` where the table has no way to say that.
  func never(insteadOf value: SQLiteValue) throws(StoreError) -> SQLiteValue? {
    guard since == nil, !form.isLastDay(value), form.date(value) == nil,
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
    // It knows no zones either, none of which is a whole day from UTC.
    let slack: Double = form.zone == nil ? 1 : 86_400 + 1
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
