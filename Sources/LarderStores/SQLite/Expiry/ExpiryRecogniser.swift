import Foundation
import HarmonySQLite
import LarderModel

/// Finds the column that holds the expiry of a table's rows, if there is one, from the names and
/// types of its columns and a sample of its values.
///
/// Evidence is weighed. A telling name, a key beside a value, and values that are timestamps count
/// in favour; columns about people, documents and goods count against. In doubt no expiry is
/// claimed, so that birthdays and the ends of contracts are not mistaken for one.
struct ExpiryRecogniser {
  /// A column as the schema describes it.
  struct Column: Sendable, Equatable {
    let name: String
    let type: String
    var isKey = false
    var isNotNull = false
    /// Whether its default is SQLite's current time, which is in UTC.
    var isTimedInUTC = false
  }

  /// The result of the search.
  enum Verdict: Sendable, Equatable {
    case found(TableExpiry)
    /// A column that may hold the expiry, and why its unit is not known yet, as a clause.
    case undecided(column: String, String)
    /// No expiry, and the reason, as a clause, if a user might have expected one.
    case nothing(String?)

    /// The reason why no expiry is known, as a clause; nil if there is nothing to report.
    var obstacle: String? {
      switch self {
      case .found: nil
      case .undecided(_, let reason): reason
      case .nothing(let reason): reason
      }
    }
  }

  let table: String
  let columns: [Column]
  /// The user's settings, which leave the rest to be inferred.
  var choice = ExpiryChoice()
  /// Whether the database numbers the rows, so that their keys do not come from a program.
  var isNumbered = false

  /// The minimum weight for claiming an expiry; `plenty` is the minimum for being certain of it.
  private static let enough = 8
  private static let plenty = 9

  /// The columns whose values the verdict needs; empty if the names alone rule out an expiry.
  var wantedColumns: [String] {
    guard let candidate else { return [] }
    return [candidate.column, beginning(of: candidate), accessed].compactMap { $0?.name }
  }

  /// A column that may hold the expiry.
  private struct Candidate {
    let column: Column
    /// The column that lifetimes count from; nil if `column` holds expiry times.
    let since: Column?
    let isWeak: Bool
  }

  func role(_ column: Column) -> ColumnRole { ColumnRole(column) }

  private func first(_ role: ColumnRole) -> Column? { columns.first { self.role($0) == role } }

  private var created: Column? { first(.created) }

  private var accessed: Column? { first(.accessed) }

  /// Returns the column that says when rows were written.
  private func beginning(of candidate: Candidate) -> Column? { candidate.since ?? created }

  private var candidate: Candidate? {
    if let name = choice.column {
      guard let column = columns.first(where: { $0.name.lowercased() == name.lowercased() })
      else { return nil }
      let since = holdsLifetimes(column) ? created : nil
      return Candidate(column: column, since: since, isWeak: false)
    }
    if let column = first(.expiry(isWeak: false)) {
      return Candidate(column: column, since: nil, isWeak: false)
    }
    if let column = first(.lifetime) {
      return Candidate(column: column, since: created, isWeak: false)
    }
    return first(.expiry(isWeak: true)).map { Candidate(column: $0, since: nil, isWeak: true) }
  }

  /// Decides from the names of the columns and a sample of rows.
  ///
  /// - Parameter sample: The values of `wantedColumns`, in their order, for each sampled row.
  /// - Returns: The verdict.
  func verdict(_ sample: [[SQLiteValue]]) -> Verdict {
    guard let candidate else { return .nothing(reasonForNone) }
    let values = sample.compactMap(\.first)
    let isDated = beginning(of: candidate) != nil
    let others = isDated ? sample.compactMap { $0.count > 1 ? $0[1] : nil } : []
    let isTold = choice.column != nil
    let (weight, hasShape) = weight(of: candidate)
    if !isTold {
      guard hasShape else {
        return .nothing(
          "\(candidate.column.name) may be any date, as it is not beside a key and a value; "
            + "--expires-column \(candidate.column.name) uses it as the expiry")
      }
      guard weight + 2 >= Self.enough else {
        return .nothing(
          "\(candidate.column.name) may be a business date, not an expiry")
      }
    }
    var reading = directReading(candidate, values, others)
    var since: Column?
    if reading == nil, holdsLifetimes(candidate.column) {
      guard let beginning = candidate.since else {
        return .nothing(
          "\(candidate.column.name) is a TTL, but no column records when it starts")
      }
      guard values.contains(where: { Self.isLength($0) }) || values.isEmpty else {
        return .nothing("\(candidate.column.name) holds no durations")
      }
      since = beginning
      reading = beginningReading(others, beginning)
    }
    guard let reading else {
      if let lifetime = choice.lifetime, !holdsLifetimes(candidate.column) {
        return .nothing(
          "\(candidate.column.name) holds timestamps, and \(lifetime.spoken) is a unit of "
            + "durations only")
      }
      guard values.allSatisfy(Never.isNever) else {
        return .nothing("the values of \(candidate.column.name) are not times")
      }
      return .undecided(column: candidate.column.name, unitIsUnknown(candidate.column))
    }
    let form = reading.form
    let (timed, moments) = since.map { ($0, others) } ?? (candidate.column, values)
    guard moments.allSatisfy(Never.isNever) || moments.contains(where: { form.date($0) != nil })
    else {
      return .nothing(
        "no value of \(timed.name) is a time from 2000 to 2299 in \(form.unit.spoken)")
    }
    var lifetime: LifetimeReading?
    if let since {
      lifetime = LifetimeReading(
        values, in: candidate.column.name, since: since.name, form.unit, told: toldLifetime)
      // A lifetime written in the wrong unit would be off by a factor of a thousand or more.
      if lifetime == nil {
        return .undecided(column: candidate.column.name, unitIsUnknown(candidate.column))
      }
    }
    let assumedZone = assumedZone(timed, form, moments)
    let subject =
      isTold || since != nil
      ? nil : subjectDoubt(candidate.column, values, others, form, dated: beginning(of: candidate))
    let lifetimeDoubt = lifetime?.doubt.map { "\(candidate.column.name) \($0)" }
    let isAmbiguous = lifetime?.isAmbiguous == true
    let unitDoubt = unitDoubt(timed, reading) ?? (isAmbiguous ? lifetimeDoubt : nil)
    let zoneDoubt = choice.zone == nil ? assumedZone : nil
    let doubts = [
      subject, unitDoubt, zoneDoubt,
      strangersDoubt(timed, form, moments), isAmbiguous ? nil : lifetimeDoubt,
    ]
    .compactMap(\.self)
    let isCertain = doubts.isEmpty && weight + 2 >= Self.plenty
    let expiry = TableExpiry(
      column: candidate.column.name, since: since?.name, form: form, lifetime: lifetime?.unit,
      guessesLifetime: lifetime?.isGuessed == true,
      never: Never(values, candidate.column, form, isLifetime: since != nil),
      confidence: isTold ? .told : isCertain ? .certain : .likely,
      evidence: evidence(candidate, values, others, form, since)
        + (assumedZone.map { "; \($0)" } ?? "")
        + (lifetime.map { "; \(candidate.column.name) \($0.reason)" } ?? ""),
      doubts: doubts, isDubious: subject != nil, unitDoubt: unitDoubt, zoneDoubt: zoneDoubt,
      bookkeeping: bookkeeping,
      uses: TableExpiry.Uses(
        made: self.moments(others, beginning(of: candidate)),
        used: self.moments(
          sample.compactMap { $0.count > (isDated ? 2 : 1) ? $0.last : nil }, accessed),
        // A column named just `count` may count anything, such as the elements of a list.
        hits: columns.first { role($0) == .useCount && $0.name.lowercased() != "count" }?.name))
    if !isTold, !expiresLater(values, others, expiry) {
      return .nothing("most values of \(candidate.column.name) lie before the rows were made")
    }
    return .found(expiry)
  }

  /// Returns a column of timestamps and their form; nil if its values are not timestamps.
  private func moments(_ values: [SQLiteValue], _ column: Column?) -> TableExpiry.Moments? {
    guard let column, let form = recognised(values, column)?.form else { return nil }
    return TableExpiry.Moments(column: column.name, form: form)
  }

  /// Returns the form of a candidate's timestamps; nil if it holds lifetimes or neither.
  private func directReading(
    _ candidate: Candidate, _ values: [SQLiteValue], _ others: [SQLiteValue]
  ) -> Reading? {
    if choice.lifetime != nil { return nil }
    guard holdsLifetimes(candidate.column) else {
      if let reading = reading(values, candidate.column) { return reading }
      // If no row expires, the program's other timestamps show its unit.
      guard values.allSatisfy(Never.isNever), let created else { return nil }
      return reading(others, created)
    }
    // A column named like a lifetime can also hold the expiry itself.
    guard let reading = recognised(values, candidate.column) else { return nil }
    let form = reading.form
    // A lifetime read as a timestamp is in the past; a timestamp read as a lifetime never ends.
    let given = values.filter { !Never.isNever($0) && !form.isNever($0) }
    guard given.count(where: { form.date($0) != nil }) * 10 >= given.count * 9 else { return nil }
    if let named = LifetimeUnit(namedBy: candidate.column.name), named != LifetimeUnit(form.unit) {
      return nil
    }
    let beginning = candidate.since.flatMap { recognised(others, $0) }
    if let beginning { return beginning.form.unit == form.unit ? reading : nil }
    // A week in milliseconds looks like a recent time in Apple's seconds since 2001.
    let isLength = form.unit == .apple || LifetimeReading.isUsual(values, finerThan: .seconds)
    return isLength ? nil : reading
  }

  /// The unit of lifetimes that the user set, if any.
  private var toldLifetime: LifetimeUnit? {
    choice.lifetime ?? choice.unit.flatMap(LifetimeUnit.init)
  }

  /// Whether a column holds lifetimes, by its name or by the user's settings.
  private func holdsLifetimes(_ column: Column) -> Bool {
    role(column) == .lifetime
      || choice.lifetime != nil && choice.column?.lowercased() == column.name.lowercased()
  }

  /// Returns the form of the timestamps that lifetimes count from.
  ///
  /// If a lifetime can be in the unit that the user set, the setting is about the lifetimes, and
  /// the timestamps show their own unit.
  private func beginningReading(_ values: [SQLiteValue], _ column: Column) -> Reading? {
    guard toldLifetime != nil else { return reading(values, column) }
    return recognised(values, column).map { Reading(form: $0.form) } ?? reading(values, column)
  }

  private func unitIsUnknown(_ column: Column) -> String {
    "\(column.name) holds no value yet that would tell its unit; --expires-unit does"
  }

  /// Returns a warning, as a clause, that texts without a time zone are read as UTC or in the zone
  /// that the user set; nil if there are none.
  ///
  /// Programs also write local times.
  private func assumedZone(
    _ column: Column, _ form: MomentForm, _ values: [SQLiteValue]
  ) -> String? {
    let saysUTC =
      column.isTimedInUTC
      || ColumnWords(column.name).words.contains { $0 == "utc" || $0 == "gmt" }
    guard form.unit == .iso, choice.zone != nil || choice.unit != .iso && !saysUTC,
      values.contains(where: { value in
        if case .text(let text) = value {
          TextMoment(text)?.form.zone.isEmpty == true
        } else {
          false
        }
      })
    else { return nil }
    let zone = choice.zone.map { "in \($0.name), as was said" } ?? "as UTC"
    return "\(column.name) names no zone and is taken \(zone)"
  }

  /// Returns the weight of the names, types and other columns in favour of a candidate, and whether
  /// the table has both a key and a value.
  private func weight(of candidate: Candidate) -> (Int, hasShape: Bool) {
    let rest = columns.filter { $0.name != candidate.column.name }
    let roles = rest.map { ($0, role($0)) }
    var weight = candidate.isWeak ? 2 : 3
    let keys = roles.filter { $0.1 == .key }.map(\.0)
    let values = roles.filter { $0.1 == .value }.map(\.0)
    if !keys.isEmpty { weight += keys.contains { ColumnRole.isNamedKey($0.name) } ? 2 : 1 }
    if !values.isEmpty { weight += values.contains { ColumnRole.isNamedValue($0.name) } ? 2 : 1 }
    if TableSubject.isCache(table) { weight += 2 }
    if TableSubject.isThing(table) { weight -= 4 }
    for (_, role) in roles {
      switch role {
      case .reference: weight -= 2
      case .subject: weight -= 3
      case .other: weight -= 1
      default: break
      }
    }
    return (weight, !keys.isEmpty && !values.isEmpty)
  }

  /// The column that is the value of a row; nil if a row holds more, which must not be hidden.
  ///
  /// All other columns have to be the key, the expiry, or a record of the row's use.
  var valueColumn: String? {
    guard let candidate else { return nil }
    let times = [candidate.column.name, candidate.since?.name]
    var value: String?
    for column in columns where !times.contains(column.name) {
      switch role(column) {
      case .key where column.isKey: continue
      case .value where value == nil: value = column.name
      case .created, .accessed, .useCount, .size, .tag: continue
      default: return nil
      }
    }
    return columns.count(where: \.isKey) == 1 ? value : nil
  }

  /// The reason why a table that looks like a cache has no expiry, as a clause.
  private var reasonForNone: String? {
    if let name = choice.column {
      return "there is no column \(name)" + (choice.rule.map { ", which \($0) names" } ?? "")
    }
    let roles = columns.map(role)
    guard roles.contains(.key), roles.contains(.value), columns.count > 2 else { return nil }
    let made = created.map { "; \($0.name) says when rows were made" } ?? ""
    return "no column is called like an expiry\(made)"
  }

  /// The columns with other information about the rows, in words.
  private var bookkeeping: [String] {
    columns.compactMap { column in
      let what: String? =
        switch role(column) {
        case .created: "time of writing"
        case .accessed: "last use"
        case .useCount: "number of uses"
        case .size: "size"
        case .tag: "tag"
        default: nil
        }
      return what.map { "\(column.name): \($0)" }
    }
  }

  private func evidence(
    _ candidate: Candidate, _ values: [SQLiteValue], _ others: [SQLiteValue], _ form: MomentForm,
    _ since: Column?
  ) -> String {
    let asked = choice.rule.map { "\($0) says so" } ?? "it was asked for"
    if choice.column != nil, choice.unit != nil {
      return choice.rule.map { "\($0) says so" } ?? "that was asked for"
    }
    let moments = since == nil ? values : others
    let dates = moments.compactMap { form.date($0) }
    let name =
      choice.column == nil
      ? "the name says so, it is beside a key and a value, and " : "\(asked), and "
    guard let first = dates.min(), let last = dates.max() else {
      return name + "its unit was given"
    }
    let what = since.map { "of \($0.name) " } ?? ""
    return name + "\(dates.count) of \(moments.count) values \(what)are times from "
      + "\(Timestamp.text(of: first)) to \(Timestamp.text(of: last))"
  }

  /// Whether most rows of a sample expire after they were written.
  private func expiresLater(
    _ values: [SQLiteValue], _ others: [SQLiteValue], _ expiry: TableExpiry
  ) -> Bool {
    guard expiry.since == nil, others.count == values.count, let created,
      let form = reading(others, created)?.form
    else { return true }
    let pairs = zip(values, others).compactMap { value, made -> Bool? in
      guard let end = expiry.form.date(value), let start = form.date(made) else { return nil }
      // Programs may round one and not the other.
      return end >= start.addingTimeInterval(-1)
    }
    return pairs.count(where: \.self) * 10 >= pairs.count * 8
  }
}
