import Foundation

/// Measures commands that stream entries against the `sqlite3` shell over the same rows.
struct Streams {
  let program: String
  let fixture: Fixture

  /// Runs each comparison and prints its ratio and the peak memory of larder.
  func run(rounds: Int) async throws {
    let thousand = try await fixture.keyValues(1_000)
    let million = try await fixture.keyValues(1_000_000)
    let tenMillion = try await fixture.keyValues(10_000_000)
    let text = "value 777777 of"
    let comparisons = [
      Comparison(
        title: "ls of 1,000,000 keys", larder: ["ls", million],
        sqlite: [million, "SELECT k FROM kv"], most: 1),
      Comparison(
        title: "ls of 10,000,000 keys", larder: ["ls", tenMillion],
        sqlite: [tenMillion, "SELECT k FROM kv"], most: 1),
      Comparison(
        title: "export of 1,000,000 values as JSON", larder: ["export", million],
        sqlite: ["-json", million, "SELECT k, v FROM kv"], most: 0.8),
      Comparison(
        title: "export of 10,000,000 values as JSON", larder: ["export", tenMillion],
        sqlite: ["-json", tenMillion, "SELECT k, v FROM kv"], most: 0.8),
      Comparison(
        title: "ls --json of 1,000,000 entries", larder: ["ls", "--json", million],
        sqlite: ["-json", million, "SELECT k, v FROM kv"]),
      Comparison(
        title: "a text in 1,000,000 values",
        larder: ["ls", million, "--in-values", "--match", text],
        sqlite: [million, "SELECT k FROM kv WHERE instr(v, '\(text)')"], most: 1),
      Comparison(
        title: "get of a key, of 1,000", larder: ["get", thousand, Fixture.firstKey],
        sqlite: [thousand, "SELECT v FROM kv WHERE k = '\(Fixture.firstKey)'"],
        isDifference: true, most: 10),
      Comparison(
        title: "get of a key, of 10,000,000", larder: ["get", tenMillion, Fixture.firstKey],
        sqlite: [tenMillion, "SELECT v FROM kv WHERE k = '\(Fixture.firstKey)'"],
        isDifference: true, most: 10),
    ]
    for comparison in comparisons { try comparison.run(program, rounds: rounds) }
  }
}
