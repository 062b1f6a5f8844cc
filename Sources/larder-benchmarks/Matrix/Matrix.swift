import Foundation
import HarmonySQLite

/// Measures larder against the `sqlite3` shell on tables of many shapes.
///
/// `larder-benchmarks matrix [--larder PATH] [--rows N] [--rounds N] [--shape NAME]` prints, for
/// each shape, the ratios of the elapsed times, and the seconds and peak memory of larder. Below
/// 1.0, larder is faster. `--shape` selects the shapes whose names contain a text.
struct Matrix {
  let program: String
  let fixture: Fixture
  let rows: Int
  let rounds: Int

  func run(only name: String?) throws {
    let shapes = TableShape.all.filter { name.map($0.name.contains) ?? true }
    guard !shapes.isEmpty else {
      let names = TableShape.all.map(\.name).joined(separator: "\n")
      throw ChildProcess.Failure(description: "--shape must be part of one of these:\n\(names)")
    }
    print(
      column("shape (\(rows) rows)")
        + "       ls    match   values   export     json   seconds of larder            MiB")
    var ratios: [Double] = []
    var peak = 0
    for shape in shapes {
      let cells = try comparisons(shape).map { try $0.measure(program, rounds: rounds) }
      let memory = cells.map(\.memory).max() ?? 0
      print(
        column(shape.name) + cells.map { String(format: "%9.2f", $0.ratio) }.joined() + "   "
          + cells.map { ($0.larder.median / 1_000).text }.joined(separator: " ")
          + String(format: "%8.1f", Double(memory) / 1_048_576))
      fflush(nil)
      ratios += cells.map(\.ratio)
      peak = max(peak, memory)
    }
    print(
      "worst \((ratios.max() ?? .nan).text), median \(ratios.median.text), "
        + "above 1.0: \(ratios.count { $0 > 1 }) of \(ratios.count), "
        + "peak memory \((Double(peak) / 1_048_576).text) MiB (must be below 64)")
  }

  /// Returns a comparison for each column of the printed table.
  private func comparisons(_ shape: TableShape) throws -> [Comparison] {
    let count = max(1, rows / shape.divisor)
    let name = String(shape.name.map { $0.isLetter || $0.isNumber ? $0 : "-" })
    let path = try fixture.database(
      "\(name)-\(count)-\(shape.version)", "t", shape.table, count, row: shape.row)
    let values = try SQLiteConnection(path: path).wait { session in
      let statement = try session.statement("SELECT \(shape.columns) FROM t")
      return (1..<statement.columnCount).map { "\(statement.columnName($0)) LIKE '%zqzq%'" }
    }
    let needle = String(format: "%05d", count / 3)
    let keys = "SELECT \(shape.key) FROM t"
    let lastKey = shape.key.split(separator: ",").last ?? ""
    let matches = "WHERE instr(\(lastKey), '\(needle)')"
    let order = "ORDER BY \(shape.order ?? shape.key)"
    let sizes = "SELECT \(shape.key), length(\(shape.value)) FROM t"
    func compare(_ larder: [String], _ mode: String, _ sql: String) -> Comparison {
      Comparison(title: shape.name, larder: larder + [path + "#t"], sqlite: [mode, path, sql])
    }
    return [
      compare(["ls"], "-list", "\(keys) \(order)"),
      compare(["ls", "--match", needle], "-list", "\(keys) \(matches) \(order)"),
      compare(
        ["ls", "--in-values", "--match", "zqzq"], "-list",
        "\(keys) WHERE \(values.joined(separator: " OR "))"),
      compare(["export"], "-json", "SELECT \(shape.columns) FROM t \(order)"),
      compare(["ls", "--json"], "-json", "\(sizes) \(order)"),
    ]
  }

  private func column(_ text: String) -> String {
    text.padding(toLength: 32, withPad: " ", startingAt: 0)
  }
}
