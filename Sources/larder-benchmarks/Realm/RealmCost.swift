import Foundation
import HarmonyRealm
import RealmExercise

/// Measures reading a Realm file of a million objects against the `sqlite3` shell.
///
/// The shell reads the same rows in the same run.
///
/// `larder-benchmarks realm [--larder PATH] [--rounds N] [--folder DIR]`; `realm --make COUNT` only
/// creates a file with COUNT objects, and `realm --scan FILE PROPERTY` reads one property of all
/// objects.
struct RealmCost {
  let program: String
  let fixture: Fixture

  /// Reads one property of all objects and prints the sum of its numbers or string lengths.
  static func scan(_ path: String, _ property: String) throws {
    let sum = try RealmFile(path: path).read { reading in
      let found = try reading.requireClass(RealmSample.name)
      guard let property = found.property(property) else {
        throw ChildProcess.Failure(description: "\(path) has no property \(property)")
      }
      var sum: Int64 = 0
      try reading.forEachValue(of: property, in: found) { _, value in
        switch value {
        case .int(let number): sum += number
        case .string(let text): sum += Int64(text.utf8.count)
        default: break
        }
        return true
      }
      return sum
    }
    print(sum)
  }

  /// Runs each comparison and prints times, ratios and memory.
  func run(rounds: Int) throws {
    let ten = try fixture.realm(10)
    let million = try fixture.realm(1_000_000)
    let table = try fixture.objects(1_000_000)
    let name = RealmSample.name
    let last = RealmSample.key(999_999)
    let own = CommandLine.arguments[0]
    let text = "value 777777 of"
    let scans = [
      Comparison(
        title: "one property of 1,000,000, numbers", larder: ["realm", "--scan", million, "n"],
        sqlite: [table, "SELECT sum(n) FROM \(name)"], most: 3),
      Comparison(
        title: "one property of 1,000,000, short texts", larder: ["realm", "--scan", million, "k"],
        sqlite: [table, "SELECT sum(length(k)) FROM \(name) NOT INDEXED"], most: 3),
      Comparison(
        title: "one property of 1,000,000, long texts", larder: ["realm", "--scan", million, "v"],
        sqlite: [table, "SELECT sum(length(v)) FROM \(name)"], most: 3),
    ]
    for scan in scans { try scan.run(own, rounds: rounds) }
    let comparisons = [
      Comparison(
        title: "ls of 1,000,000 keys", larder: ["ls", million],
        sqlite: [table, "SELECT k FROM \(name) NOT INDEXED"]),
      Comparison(
        title: "keys with a text, of 1,000,000", larder: ["ls", million, "--match", "77:"],
        sqlite: [table, "SELECT k FROM \(name) NOT INDEXED WHERE instr(k, '77:')"]),
      Comparison(
        title: "a text in 1,000,000 objects",
        larder: ["ls", million, "--in-values", "--match", text],
        sqlite: [table, "SELECT k FROM \(name) WHERE instr(v, '\(text)')"]),
      Comparison(
        title: "export of 1,000,000 objects as JSON", larder: ["export", million],
        sqlite: ["-json", table, "SELECT * FROM \(name)"]),
      Comparison(
        title: "get of the last key, of 1,000,000", larder: ["get", million, last],
        sqlite: [table, "SELECT * FROM \(name) WHERE k = '\(last)'"], isDifference: true),
      Comparison(
        title: "first page of 1,000,000", larder: ["ls", million, "--limit", "50"],
        sqlite: [table, "SELECT k FROM \(name) LIMIT 50"], isDifference: true),
      Comparison(
        title: "first page of 10", larder: ["ls", ten, "--limit", "50"],
        sqlite: [table, "SELECT k FROM \(name) LIMIT 50"], isDifference: true),
    ]
    for comparison in comparisons { try comparison.run(program, rounds: rounds) }
    let stores = [("10 objects", ten), ("1,000,000 objects", million)]
    try Browsing(program: program).run(stores)
    for (title, path) in stores { try Responses(program: program).firstScreens(title, path) }
  }
}
