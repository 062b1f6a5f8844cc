import Harmony
import HarmonySQLite
import LarderStores

/// Runs SQLite's integrity checks on a database, without changing it.
struct DatabaseExamination {
  let location: String
  let database: SQLiteDatabase

  /// The maximum number of faults to report.
  private static let maximum = 10
  /// Advice for a damaged database, which leaves the file unchanged.
  static let recovery =
    "restore a backup, or save what can be read to a new file: sqlite3 FILE .recover > saved.sql"

  func run(_ report: inout DoctorReport) async {
    do {
      let (faults, unchecked) = try await faults()
      for fault in faults {
        report.add(.finding, location, "SQLite: \(fault)", advice: Self.advice(fault))
      }
      let strays = try await strays()
      for (names, count) in strays.sorted(by: { $0.key < $1.key }) {
        report.add(
          .finding, location,
          "\(names), where \(count) \(count == 1 ? "row is" : "rows are") missing",
          advice: "PRAGMA foreign_key_check in sqlite3 names the rows")
      }
      if !unchecked.isEmpty {
        report.add(
          .fine, location,
          "SQLite cannot check \(unchecked.map { "\"\($0)\"" }.joined(separator: ", ")): only the "
            + "program that made the database knows the order of an index")
      }
      if faults.isEmpty, strays.isEmpty {
        report.add(
          .fine, location,
          "SQLite finds \(unchecked.isEmpty ? "the file" : "the rest") whole, and all that rows "
            + "refer to there")
      }
    } catch {
      let reason = (error as? SQLiteError)?.message ?? "\(error)"
      guard !error.provesDamage else {
        report.add(.failed, location, "SQLite cannot check it: \(reason)", advice: Self.recovery)
        return
      }
      report.add(
        .finding, location, "SQLite cannot check it: \(reason)",
        advice: "that says nothing of the file; the program that made it can check it")
    }
  }

  /// Returns the faults that SQLite finds, and the tables that it cannot check.
  ///
  /// A table cannot be checked if it has an index with an unknown collation.
  private func faults() async throws -> (faults: [String], unchecked: [String]) {
    try await database.perform(.scan) { session in
      do {
        return (try Self.check("integrity_check(\(Self.maximum))", session), [])
      } catch let error where Self.isOfOrder(error) {
        var faults: [String] = []
        var unchecked: [String] = []
        let tables = try session.rows(
          "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY rowid"
        )
        for case .text(let table)? in tables.map(\.first) {
          do {
            faults += try Self.check(
              "integrity_check(\(SQLiteIdentifier.quoted(table)))", session)
          } catch let error where Self.isOfOrder(error) {
            unchecked.append(table)
          }
        }
        return (Array(faults.prefix(Self.maximum)), unchecked)
      }
    }
  }

  private static func check(
    _ pragma: String, _ session: SQLiteSession
  ) throws(SQLiteError) -> [String] {
    try session.rows("PRAGMA main.\(pragma)").compactMap { row in
      if case .text(let text)? = row.first, text != "ok" { text } else { nil }
    }
  }

  private static func isOfOrder(_ error: any Error) -> Bool {
    guard let error = error as? SQLiteError, error.code == .error else { return false }
    return error.message.hasPrefix("no such collation sequence")
  }

  /// Returns the number of dangling foreign keys, by child and parent table.
  private func strays() async throws -> [String: Int] {
    try await database.perform(.scan) { session in
      var counts: [String: Int] = [:]
      try session.query("PRAGMA main.foreign_key_check") { statement in
        while try statement.step() {
          let names = [statement.text(at: 0), statement.text(at: 2)].map { $0 ?? "?" }
          counts[names.joined(separator: " refers to "), default: 0] += 1
        }
      }
      return counts
    }
  }

  /// Returns advice for a fault found by SQLite.
  ///
  /// Rows that violate a constraint and indexes that lack rows do not mean that the file is
  /// damaged.
  private static func advice(_ fault: String) -> String {
    if ["CHECK constraint failed in", "NULL value in", "non-unique entry in"].contains(
      where: fault.contains)
    {
      return "the file is not damaged; the program that made it can correct the rows"
    }
    if fault.contains("missing from index") || fault.contains("entries in index") {
      return "REINDEX in sqlite3 rebuilds the index from the rows"
    }
    return recovery
  }
}

extension Error {
  /// Whether SQLite found a file damaged, and not only in use or out of reach.
  var provesDamage: Bool {
    switch (self as? SQLiteError)?.code {
    case .corrupt, .notADatabase: true
    default: false
    }
  }
}
