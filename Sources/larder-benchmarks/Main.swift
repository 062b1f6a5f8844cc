import Foundation

/// Measures larder against the `sqlite3` shell in the same run, or Harmony on its own.
///
/// `larder-benchmarks matrix` is documented at ``Matrix``, `harmony` at ``HarmonyBenchmarks``,
/// `inspection` at ``InspectionCost``, `realm` at ``RealmCost``, and `responses` at ``Responses``.
///
/// `larder-benchmarks [--larder PATH] [--rounds N] [--folder DIR]`; later runs reuse the files in
/// the folder. Only ratios and differences are meaningful: absolute times depend on the machine.
@main struct Benchmarks {
  private static let words = Array(CommandLine.arguments.dropFirst())

  static func main() {
    do {
      switch words.first {
      case "harmony": HarmonyBenchmarks(words).run()
      case "observed": try ObservedProgram(words).run()
      case "inspection":
        try InspectionCost(
          program: larder, seconds: number("--seconds") ?? 10, rounds: number("--rounds") ?? 3
        ).run()
      case "realm": try realm()
      case "matrix":
        try Matrix(
          program: larder, fixture: fixture(), rows: number("--rows") ?? 300_000,
          rounds: number("--rounds") ?? 3
        ).run(only: value(of: "--shape"))
      default: try browser()
      }
    } catch {
      FileHandle.standardError.write(Data("larder-benchmarks: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func realm() throws {
    if let place = words.firstIndex(of: "--scan"), words.count > place + 2 {
      return try RealmCost.scan(words[place + 1], words[place + 2])
    }
    if let count = number("--make") { return print(try fixture().realm(count)) }
    try RealmCost(program: larder, fixture: fixture()).run(rounds: number("--rounds") ?? 5)
  }

  private static func browser() throws {
    let fixture = try fixture()
    let thousand = try fixture.keyValues(1_000)
    let tenMillion = try fixture.keyValues(10_000_000)
    let stores = [("1,000 keys", thousand), ("10,000,000 keys", tenMillion)]
    if words.first != "responses" {
      for (title, path) in stores {
        try Comparison(
          title: "first page of \(title)", larder: ["ls", path, "--limit", "50"],
          sqlite: [path, "SELECT k FROM kv LIMIT 50"], isDifference: true
        ).run(larder, rounds: number("--rounds") ?? 7)
        try Comparison(
          title: "get of a key, of \(title)", larder: ["get", path, Fixture.firstKey],
          sqlite: [path, "SELECT v FROM kv WHERE k = '\(Fixture.firstKey)'"], isDifference: true,
          most: 3
        ).run(larder, rounds: number("--rounds") ?? 7)
      }
      try Browsing(program: larder).run(stores)
    }
    try Responses(program: larder).run(stores)
  }

  private static func fixture() throws -> Fixture {
    try Fixture(
      folder: value(of: "--folder")
        ?? FileManager.default.temporaryDirectory.appending(path: "larder-benchmarks").path)
  }

  /// The path of the browser; by default the one built alongside this program.
  private static var larder: String {
    value(of: "--larder")
      ?? URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "larder").path
  }

  /// Returns the number that follows an option on the command line.
  static func number(_ option: String) -> Int? {
    value(of: option).flatMap { Int($0) }
  }

  /// Returns the word that follows an option on the command line.
  static func value(of option: String) -> String? {
    words.firstIndex(of: option).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
  }
}
