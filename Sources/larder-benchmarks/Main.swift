import Foundation

/// Measures larder against the `sqlite3` shell in the same run, or Harmony on its own.
///
/// `larder-benchmarks harmony` is documented at ``HarmonyBenchmarks``, `inspection` at
/// ``InspectionCost``, `realm` at ``RealmCost``, `responses` at ``Responses``, and `streams` at
/// ``Streams``.
///
/// `larder-benchmarks [--rounds N] [--folder DIR]`; later runs reuse the databases in the folder.
/// Only ratios and differences are meaningful: absolute times depend on the machine.
@main struct Benchmarks {
  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      if words.first == "harmony" {
        HarmonyBenchmarks(words).run()
      } else if words.first == "observed" {
        try ObservedProgram(words).run()
      } else if words.first == "inspection" {
        try InspectionCost(
          program: larder, seconds: number("--seconds", in: words) ?? 10,
          rounds: number("--rounds", in: words) ?? 3
        ).run()
      } else if words.first == "realm" {
        try await realm(words)
      } else {
        try await run(words)
      }
    } catch {
      FileHandle.standardError.write(Data("larder-benchmarks: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func realm(_ words: [String]) async throws {
    if let place = words.firstIndex(of: "--scan"), words.count > place + 2 {
      return try RealmCost.scan(words[place + 1], words[place + 2])
    }
    let fixture = try RealmFixture(folder: folder(words))
    if let count = number("--make", in: words) { return print(try fixture.realm(count)) }
    try await RealmCost(program: larder, fixture: fixture)
      .run(rounds: number("--rounds", in: words) ?? 5)
  }

  private static func folder(_ words: [String]) -> String {
    value(of: "--folder", in: words)
      ?? FileManager.default.temporaryDirectory.appending(path: "larder-benchmarks").path
  }

  private static func run(_ words: [String]) async throws {
    let rounds = number("--rounds", in: words) ?? 7
    let fixture = try Fixture(folder: folder(words))
    let program = larder
    if words.first == "streams" {
      return try await Streams(program: program, fixture: fixture).run(rounds: rounds)
    }
    let thousand = try await fixture.keyValues(1_000)
    let million = try await fixture.keyValues(1_000_000)
    let tenMillion = try await fixture.keyValues(10_000_000)
    let comparisons = [
      Comparison(
        title: "list 1,000,000 keys", larder: ["ls", million],
        sqlite: [million, "SELECT k FROM kv"]),
      Comparison(
        title: "keys with a text, of 1,000,000", larder: ["ls", million, "--match", "77:"],
        sqlite: [million, "SELECT k FROM kv WHERE instr(k, '77:')"]),
      Comparison(
        title: "first page of 10,000,000 rows", larder: ["ls", tenMillion, "--limit", "50"],
        sqlite: [tenMillion, "SELECT k FROM kv LIMIT 50"], isDifference: true),
      Comparison(
        title: "first page of 1,000 rows", larder: ["ls", thousand, "--limit", "50"],
        sqlite: [thousand, "SELECT k FROM kv LIMIT 50"], isDifference: true),
    ]
    if words.first == "responses" {
      return try Responses(program: program).run(small: thousand, large: tenMillion)
    }
    for comparison in comparisons { try comparison.run(program, rounds: rounds) }
    try Browsing(program: program).run([("1,000 keys", thousand), ("10,000,000 keys", tenMillion)])
    try Responses(program: program).run(small: thousand, large: tenMillion)
  }

  /// The path of the browser, built alongside this program.
  private static var larder: String {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "larder")
      .path
  }

  private static func number(_ option: String, in words: [String]) -> Int? {
    value(of: option, in: words).flatMap { Int($0) }
  }

  private static func value(of option: String, in words: [String]) -> String? {
    words.firstIndex(of: option).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
  }
}
