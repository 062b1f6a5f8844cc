import Testing

/// Consistency of the departures page with the tests that it names.
@Suite struct DeparturesTests {
  /// Returns the test names in the rows of the table, by row number.
  private static func rows() throws -> [Int: [String]] {
    let page = try #require(try PackageFiles.pages()["Departures.md"])
    var rows: [Int: [String]] = [:]
    for line in page.split(separator: "\n") {
      let columns = line.split(separator: " | ")
      guard columns.count == 4, let number = Int(columns[0].drop { $0 == "|" || $0 == " " })
      else { continue }
      rows[number] = columns[3].matches(of: /`([^`]+)`/).map { String($0.1) }
    }
    return rows
  }

  /// Returns all test names in backticks.
  private static func tests() throws -> Set<String> {
    var names: Set<String> = []
    for text in try PackageFiles.testSources().values {
      for match in text.matches(of: /func `([^`]+)`\(/) { names.insert(String(match.1)) }
    }
    return names
  }

  @Test func `Each fault has a row that names tests with its number`() throws {
    let rows = try Self.rows()
    #expect(rows.keys.sorted() == Array(1...53))
    for (number, names) in rows {
      #expect(!names.isEmpty)
      #expect(names.allSatisfy { $0.hasPrefix("Fault \(number): ") })
    }
  }

  @Test func `Each test named on the page exists`() throws {
    let tests = try Self.tests()
    for name in try Self.rows().values.joined() {
      #expect(tests.contains(name), "there is no such test")
    }
  }

  @Test func `Each test of a fault is named on the page`() throws {
    let named = Set(try Self.rows().values.joined())
    for name in try Self.tests() where name.hasPrefix("Fault ") {
      #expect(named.contains(name), "the page does not name the test")
    }
  }
}
