import Testing

/// The page of the departures and the tests that it names.
@Suite struct DeparturesTests {
  /// Tests of sources that are still to come.
  private static let planned: Set<Int> = [8, 9, 10, 44, 45, 46, 47, 48, 49, 50, 51]
  private static let plannedTests: Set<String> = [
    "Fault 7: a prefix of the defaults does not reach longer prefixes"
  ]

  /// The names of tests in the rows of the table, by the number of the row.
  private static func rows() throws -> [Int: [String]] {
    let page = try #require(try PackageFiles.pages()["Departures.md"])
    var rows: [Int: [String]] = [:]
    for line in page.split(separator: "\n") {
      let columns = line.split(separator: " | ")
      guard columns.count == 4, let number = Int(columns[0].drop { $0 == "|" || $0 == " " })
      else { continue }
      rows[number] = columns[3].split(separator: "`").map(String.init)
        .filter { $0.hasPrefix("Fault ") }
    }
    return rows
  }

  /// The names of the tests of faults in the sources.
  private static func tests() throws -> Set<String> {
    var names: Set<String> = []
    for text in try PackageFiles.testSources().values {
      for match in text.matches(of: /func `(Fault [^`]+)`\(/) { names.insert(String(match.1)) }
    }
    return names
  }

  @Test func `Each fault has a row, and each row names tests with its number`() throws {
    let rows = try Self.rows()
    #expect(rows.keys.sorted() == Array(1...51))
    for (number, names) in rows {
      #expect(!names.isEmpty)
      #expect(names.allSatisfy { $0.hasPrefix("Fault \(number): ") })
    }
  }

  @Test func `Each test that the page names exists`() throws {
    let tests = try Self.tests()
    for (number, names) in try Self.rows() where !Self.planned.contains(number) {
      for name in names where !Self.plannedTests.contains(name) {
        #expect(tests.contains(name))
      }
    }
  }

  @Test func `Each test of a fault is named by the page`() throws {
    let named = Set(try Self.rows().values.joined())
    for name in try Self.tests() { #expect(named.contains(name)) }
  }
}
