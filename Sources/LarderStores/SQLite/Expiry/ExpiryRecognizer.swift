import Foundation
import HarmonySQLite
import LarderModel
import LarderStoreBase

/// Finds the column that holds the expiry of a table's rows, if there is one, from the names and
/// types of its columns and a sample of its values.
///
/// A column that is named like an expiry, beside a key and a value, may be one. It is certain only
/// in a table that is known to be a cache, or that has nothing but keys, values and their expiry.
/// Otherwise it is a question to the user, and nothing expires by it.
struct ExpiryRecognizer {
  /// A column as the schema describes it.
  struct Column: Sendable, Equatable {
    let name: String
    let type: String
    let isKey: Bool
    let isNotNull: Bool
    /// Whether its default is SQLite's current time, which is in UTC.
    let isTimedInUTC: Bool
    let role: ColumnRole
    /// The last word of the name.
    let noun: String

    init(
      name: String, type: String, isKey: Bool = false, isNotNull: Bool = false,
      isTimedInUTC: Bool = false
    ) {
      self.name = name
      self.type = type
      self.isKey = isKey
      self.isNotNull = isNotNull
      self.isTimedInUTC = isTimedInUTC
      role = ColumnRole(name, type: type, isKey: isKey)
      noun = ColumnName(name).last
    }
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

  private static let day = 86_400.0

  /// The columns whose values the verdict needs; empty if the names alone rule out an expiry.
  var wantedColumns: [String] {
    candidate.map { [$0, created, accessed].compactMap { $0?.name } } ?? []
  }

  private func first(_ role: ColumnRole) -> Column? { columns.first { $0.role == role } }

  private var created: Column? { first(.created) }
  private var accessed: Column? { first(.accessed) }

  /// The column that may hold the expiry.
  private var candidate: Column? {
    guard let name = choice.column?.lowercased() else {
      return first(.expiry(isWeak: false)) ?? first(.lifetime) ?? first(.expiry(isWeak: true))
    }
    return columns.first { $0.name.lowercased() == name }
  }

  /// Whether the candidate holds lifetimes, by its name or by the user's settings.
  private func holdsLifetimes(_ candidate: Column) -> Bool {
    candidate.role == .lifetime || choice.lifetime != nil && choice.column != nil
  }

  /// The unit of lifetimes that the user set, if any.
  private var toldLifetime: LifetimeUnit? {
    choice.lifetime ?? choice.unit.flatMap(LifetimeUnit.init)
  }

  /// Whether the name of the table, its key or its value is that of a cache.
  private var isCache: Bool {
    let names = columns.filter { $0.isKey || $0.role == .value }.map(\.name) + [table]
    return names.flatMap { ColumnName($0).words }.contains { word in
      word.hasPrefix("cache") || word.hasSuffix("cache") || word == "kv"
        || ["session", "token", "nonce", "keyvalue"].contains { word.hasPrefix($0) }
    }
  }

  /// Whether rows are found by a key that a program made for them, and not by a number or name.
  private var hasProgramKeys: Bool {
    let keys = columns.filter { $0.role == .key && !(isNumbered && $0.isKey) }.map(\.noun)
    return keys.contains { ["url", "uri", "hash"].contains($0) }
      || keys.contains { ["key", "k"].contains($0) }
        && columns.contains { $0.role == .value && ["value", "val", "v"].contains($0.noun) }
  }

  /// Decides from the names of the columns and a sample of rows.
  ///
  /// - Parameter sample: The values of `wantedColumns`, in their order, for each sampled row.
  /// - Returns: The verdict.
  func verdict(_ sample: [[SQLiteValue]]) -> Verdict {
    guard let candidate else { return .nothing(reasonForNone) }
    let name = candidate.name
    let roles = columns.filter { $0.name != name }.map(\.role)
    let isTold = choice.column != nil
    guard
      isTold
        || roles.contains(.key) && roles.contains(.value)
          && roles.count(where: { $0 == .other }) <= (isCache ? 3 : 1)
    else { return .nothing(Messages.anyDate(name)) }
    func values(_ place: Int) -> [SQLiteValue] { sample.compactMap { $0.dropFirst(place).first } }
    let ends = values(0)
    let starts = created == nil ? [] : values(1)
    var reading = timestamps(candidate, ends, starts)
    var since: Column?
    if reading == nil, holdsLifetimes(candidate) {
      guard let created else { return .nothing(Messages.noStart(name)) }
      guard ends.isEmpty || ends.contains(where: Self.isLength) else {
        return .nothing(Messages.noDurations(name))
      }
      since = created
      reading = beginnings(starts, created)
    }
    let unknownUnit = Verdict.undecided(column: name, Messages.unknownUnit(name))
    guard let reading else {
      if let lifetime = choice.lifetime, !holdsLifetimes(candidate) {
        return .nothing(Messages.notDurations(name, lifetime))
      }
      return ends.allSatisfy(Never.isNever)
        ? unknownUnit : .nothing(Messages.notTimes(name))
    }
    let form = reading.form
    let (timed, moments) = since.map { ($0, starts) } ?? (candidate, ends)
    guard moments.allSatisfy(Never.isNever) || moments.contains(where: { form.date($0) != nil })
    else { return .nothing(Messages.noTimes(timed.name, form.unit)) }
    var lifetime: LifetimeReading?
    if let since {
      lifetime = LifetimeReading(ends, in: name, since: since.name, form.unit, told: toldLifetime)
      // A lifetime written in the wrong unit would be off by a factor of a thousand or more.
      guard lifetime != nil else { return unknownUnit }
    }
    let made = self.moments(starts, created)
    let used = self.moments(values(created == nil ? 1 : 2), accessed)
    let lengths = made.flatMap { made in
      since == nil && !isTold ? self.lengths(zip(ends, starts), form, made.form) : nil
    }
    // Programs may round one and not the other.
    if let lengths, lengths.count(where: { $0 >= -1 }) * 10 < lengths.count * 8 {
      return .nothing(Messages.earlyTimes(name))
    }
    let isWeak = candidate.role == .expiry(isWeak: true)
    let subjectDoubt =
      isTold || isCache && !isWeak
      ? nil : doubt(candidate, ends.compactMap { form.date($0) }, lengths ?? [])
    let lifetimeDoubt = lifetime?.doubt.map { "\(name) \($0)" }
    let unitDoubt =
      reading.doubt(timed) ?? (lifetime?.isAmbiguous == true ? lifetimeDoubt : nil)
    let zone = assumedZone(timed, form, moments)
    let zoneDoubt = choice.zone == nil ? zone : nil
    let doubts = [
      subjectDoubt, unitDoubt, zoneDoubt, reading.strangers(timed, moments),
      lifetimeDoubt == unitDoubt ? nil : lifetimeDoubt,
    ]
    .compactMap(\.self)
    let reasons = [
      evidence(since, moments, form), zone, lifetime.map { "\(name) \($0.reason)" },
    ]
    .compactMap(\.self)
    return .found(
      TableExpiry(
        column: name, since: since?.name, form: form, lifetime: lifetime?.unit,
        guessesLifetime: lifetime?.isGuessed == true,
        never: Never(ends, candidate, form, isLifetime: since != nil),
        confidence: isTold ? .told : doubts.isEmpty ? .certain : .likely,
        evidence: reasons.joined(separator: "; "),
        doubts: doubts, isDubious: subjectDoubt != nil, unitDoubt: unitDoubt, zoneDoubt: zoneDoubt,
        bookkeeping: bookkeeping,
        uses: TableExpiry.Uses(
          made: made, used: used,
          // A column named just `count` may count anything, such as the elements of a list.
          hits: columns.first { $0.role == .useCount && $0.name.lowercased() != "count" }?.name)))
  }

  /// Returns the form of a candidate's timestamps; nil if it holds lifetimes or neither.
  private func timestamps(
    _ candidate: Column, _ ends: [SQLiteValue], _ starts: [SQLiteValue]
  ) -> Reading? {
    if choice.lifetime != nil { return nil }
    guard holdsLifetimes(candidate) else {
      if let reading = reading(ends, candidate) { return reading }
      // If no row expires, the program's other timestamps show its unit.
      guard ends.allSatisfy(Never.isNever), let created else { return nil }
      return reading(starts, created)
    }
    // A column named like a lifetime can also hold the expiry itself. A lifetime read as a timestamp
    // is in the past; a timestamp read as a lifetime never ends.
    guard let reading = recognized(ends, candidate) else { return nil }
    let form = reading.form
    let given = ends.filter { !Never.isNever($0) && !form.isNever($0) }
    let named = ColumnName(candidate.name).unit
    guard given.count(where: { form.date($0) != nil }) * 10 >= given.count * 9,
      named == nil || named == LifetimeUnit(form.unit)
    else { return nil }
    if let created, let made = recognized(starts, created) {
      return made.form.unit == form.unit ? reading : nil
    }
    // A week in milliseconds looks like a recent time in Apple's seconds since 2001.
    return form.unit == .apple || LifetimeReading.isUsual(ends) ? nil : reading
  }

  /// Returns the form of the timestamps that lifetimes count from.
  ///
  /// If a lifetime can be in the unit that the user set, the setting is about the lifetimes, and
  /// the timestamps show their own unit.
  private func beginnings(_ values: [SQLiteValue], _ column: Column) -> Reading? {
    guard toldLifetime != nil else { return reading(values, column) }
    return recognized(values, column).map { Reading(form: $0.form) } ?? reading(values, column)
  }

  /// Returns a column of timestamps and their form; nil if its values are not timestamps.
  private func moments(_ values: [SQLiteValue], _ column: Column?) -> TableExpiry.Moments? {
    guard let column, let form = recognized(values, column)?.form else { return nil }
    return TableExpiry.Moments(column: column.name, form: form)
  }

  /// Returns how long rows last, in seconds, for those whose start and expiry are known.
  private func lengths(
    _ rows: Zip2Sequence<[SQLiteValue], [SQLiteValue]>, _ form: TimestampForm, _ made: TimestampForm
  ) -> [Double] {
    rows.compactMap { end, start in
      guard let end = form.date(end), let start = made.date(start) else { return nil }
      return end.timeIntervalSince(start)
    }
  }

  /// Returns a warning, as a clause, that a column may be a date of the rows' subject; nil if it is
  /// the expiry of a cached value by its neighbors, its name and the distribution of its values.
  private func doubt(_ column: Column, _ ends: [Date], _ lengths: [Double]) -> String? {
    // In every time zone, the dates of events are multiples of a quarter of an hour. A day may also
    // end with its last second.
    let round = ends.count { end in
      let second = end.timeIntervalSince1970.rounded(.down)
      return [0, 1].contains { (second + $0).truncatingRemainder(dividingBy: 900) == 0 }
    }
    let span = ends.max().flatMap { last in ends.min().map(last.timeIntervalSince) } ?? 0
    let isTelling =
      switch column.role {
      case .expiry(isWeak: false): hasProgramKeys
      // Goods have a lifetime, too, and games an age.
      case .lifetime:
        !column.name.lowercased().contains("life")
          && (hasProgramKeys || !column.name.lowercased().contains("age"))
      default: false
      }
    let reason: String? =
      if !isCache, !isTelling || first(.other) != nil {
        Messages.unknownCache(table)
      } else if !ends.isEmpty, round * 10 >= ends.count * 8 {
        Messages.roundTimes
      } else if lengths.count(where: { $0 > 400 * Self.day }) * 2 > lengths.count {
        Messages.longTimes
      } else if lengths.isEmpty, span > 5 * 365 * Self.day {
        Messages.longSpan
      } else {
        nil
      }
    return reason.map { Messages.businessDate(column.name, $0) }
  }

  /// Returns a warning, as a clause, that texts without a time zone are read as UTC or in the zone
  /// that the user set; nil if there are none.
  ///
  /// Programs also write local times.
  private func assumedZone(
    _ column: Column, _ form: TimestampForm, _ values: [SQLiteValue]
  ) -> String? {
    let saysUTC = choice.unit == .iso || column.isTimedInUTC || ColumnName(column.name).isInUTC
    guard form.unit == .iso, choice.zone != nil || !saysUTC,
      values.contains(where: { TimestampForm.text(of: $0)?.form.zone.isEmpty == true })
    else { return nil }
    return Messages.noZone(column.name, chosen: choice.zone?.name)
  }

  /// The column that is the value of a row; nil if a row holds more, which must not be hidden.
  ///
  /// All other columns have to be the key, the expiry, or a record of the row's use.
  var valueColumn: String? {
    guard let candidate, columns.count(where: \.isKey) == 1 else { return nil }
    let others = columns.filter { column in
      switch column.role {
      case _ where column.name == candidate.name: false
      case .key: !column.isKey
      case .created, .accessed, .useCount, .size, .tag: false
      default: true
      }
    }
    return others.count == 1 && others[0].role == .value ? others[0].name : nil
  }

  /// The reason why a table that looks like a cache has no expiry, as a clause.
  private var reasonForNone: String? {
    if let name = choice.column { return Messages.noColumn(name, namedBy: choice.rule) }
    guard first(.key) != nil, first(.value) != nil, columns.count > 2 else { return nil }
    return Messages.noExpiryColumn(written: created?.name)
  }

  /// The columns with other information about the rows, in words.
  private var bookkeeping: [String] {
    columns.compactMap { Messages.bookkeeping($0.role, $0.name) }
  }

  private func evidence(_ since: Column?, _ moments: [SQLiteValue], _ form: TimestampForm) -> String
  {
    let told = choice.rule.map { Messages.rule($0) } ?? Messages.chosenColumn
    let isTold = choice.column != nil
    if isTold, choice.unit != nil { return told }
    let dates = moments.compactMap { form.date($0) }.sorted()
    return Messages.expiryEvidence(
      isTold ? told : Messages.namedColumn, start: since?.name, (dates.count, moments.count),
      dates: dates.first.map { $0...(dates.last ?? $0) })
  }
}
