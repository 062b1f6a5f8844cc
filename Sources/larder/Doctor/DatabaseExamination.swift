import Harmony
import HarmonySQLite
import LarderStores

/// Runs SQLite's integrity checks on a database, without changing it.
struct DatabaseExamination {
  let location: String
  let database: SQLiteDatabase

  /// The maximum number of faults to report.
  private static let maximum = 10

  func run(_ report: inout DoctorReport) async {
    do {
      let (faults, unchecked) = try await faults()
      for fault in faults { report.add(location, .fault(fault)) }
      let strays = try await strays()
      for (tables, count) in strays.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        report.add(location, .missingRows(tables[0], tables[1], count))
      }
      if !unchecked.isEmpty { report.add(location, .unchecked(unchecked)) }
      if faults.isEmpty, strays.isEmpty {
        report.add(location, .intact(isRest: !unchecked.isEmpty))
      }
    } catch {
      let reason = (error as? SQLiteError)?.message ?? "\(error)"
      report.add(location, .notChecked(reason, isDamaged: error.provesDamage))
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
  private func strays() async throws -> [[String]: Int] {
    try await database.perform(.scan) { session in
      var counts: [[String]: Int] = [:]
      try session.query("PRAGMA main.foreign_key_check") { statement in
        while try statement.step() {
          let names = [statement.text(at: 0), statement.text(at: 2)].map { $0 ?? "?" }
          counts[names, default: 0] += 1
        }
      }
      return counts
    }
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
