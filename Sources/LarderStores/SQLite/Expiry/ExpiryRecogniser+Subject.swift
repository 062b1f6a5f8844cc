import Foundation
import HarmonySQLite

extension ExpiryRecogniser {
  /// A quarter of an hour in seconds: in every time zone, the dates of events are multiples of it.
  private static let quarter = 900.0
  private static let day = 86_400.0

  /// Returns a warning, as a clause, that a column may be a date of the rows' subject; nil if it is
  /// clearly the expiry of a cached value.
  ///
  /// The name of the table can show it, and so can the keys and the other columns: programs look up
  /// cached values by keys of their own, while cards and rentals have a number or a name. The
  /// timestamps show it if they are distributed like the dates of events.
  func subjectDoubt(
    _ column: Column, _ values: [SQLiteValue], _ others: [SQLiteValue], _ form: MomentForm,
    dated: Column?
  ) -> String? {
    guard !TableSubject.isPassing(table),
      !columns.contains(where: { TableSubject.isPassing($0.name) })
    else { return nil }
    if let reason = datedLike(values, others, form, dated) {
      return "\(column.name) may be a business date, not an expiry: \(reason)"
    }
    guard !hasOwnKey, !keepsUses else { return nil }
    return "\(column.name) may be a business date, not an expiry: \(table) is not called a cache, "
      + "its rows \(isNumbered ? "are numbered" : "have names"), and their use is not recorded"
  }

  /// Whether rows are found by a key that a program made for them, and not by a number or name.
  private var hasOwnKey: Bool {
    columns.contains { column in
      !(isNumbered && column.isKey) && ColumnRole.isNamedKey(column.name)
        && !["id", "name"].contains(ColumnWords(column.name).last)
    }
  }

  /// Whether a column records when rows were last used, or how often.
  private var keepsUses: Bool {
    columns.contains { column in
      let role = role(column)
      return role == .accessed || role == .useCount && column.name.lowercased() != "count"
    }
  }

  /// Returns why timestamps look like dates of the rows' subject, as a clause; nil if they do not.
  private func datedLike(
    _ values: [SQLiteValue], _ others: [SQLiteValue], _ form: MomentForm, _ dated: Column?
  ) -> String? {
    let ends = values.compactMap { form.date($0) }
    guard let first = ends.min(), let last = ends.max() else { return nil }
    let whole = ends.count { end in
      let seconds = end.timeIntervalSince1970.rounded(.down)
      // A day may also end with its last second.
      return [0, 1].contains { (seconds + $0).truncatingRemainder(dividingBy: Self.quarter) == 0 }
    }
    if whole * 10 >= ends.count * 8 { return "its times of day are round" }
    if let dated, let made = reading(others, dated)?.form, others.count == values.count {
      let lengths = zip(values, others).compactMap { value, other -> Double? in
        guard let end = form.date(value), let start = made.date(other) else { return nil }
        return end.timeIntervalSince(start)
      }
      let long = lengths.count { $0 > 400 * Self.day }
      if long * 2 > lengths.count { return "most rows last more than a year" }
    } else if last.timeIntervalSince(first) > 5 * 365 * Self.day {
      return "its dates span years"
    }
    return nil
  }
}
