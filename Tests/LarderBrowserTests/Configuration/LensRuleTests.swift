import LarderBrowser
import LarderModel
import Testing

/// Lenses in the settings.
@Suite struct LensRuleTests {
  private func read(_ text: String) -> ConfigurationReader {
    ConfigurationReader(Array(text.utf8)) { $0 }
  }

  @Test func `A lens names a table and what its columns mean`() throws {
    let reader = read(
      """
      {"lenses": {
        "thumbs": {"table": "t", "key": ["space", "url"], "columns": ["size"], "value": "body",
          "title": "name", "expires": "dies", "unit": "ms"},
        "plain": {"table": "u", "key": "id"}
      }}
      """)
    #expect(reader.problems.isEmpty)
    let lenses = reader.configuration.lenses
    #expect(lenses.map(\.name) == ["thumbs", "plain"])
    #expect(lenses.map(\.key) == [["space", "url"], ["id"]])
    #expect(lenses[0].required == ["space", "url", "size", "body", "name", "dies"])
    #expect(lenses[0].unit == .milliseconds && lenses[1].expires == nil)
    #expect(lenses[0].place == "line 2 of the settings")
  }

  @Test(arguments: [
    (#"{"lenses": []}"#, "lenses"),
    (#"{"lenses": {"a": "t"}}"#, "lenses.a"),
    (#"{"lenses": {"a": {"table": "t"}}}"#, "lenses.a"),
    (#"{"lenses": {"a": {"table": "t", "key": [1]}}}"#, "lenses.a.key"),
    (#"{"lenses": {"a": {"table": "t", "key": "k", "value": ["v"]}}}"#, "lenses.a.value"),
    (#"{"lenses": {"a": {"table": "t", "key": "k", "unit": "days"}}}"#, "lenses.a.unit"),
    (#"{"lenses": {"a": {"table": "t", "key": "k", "colums": "x"}}}"#, "lenses.a.colums"),
    (#"{"lenses": {"a": {"table": "", "key": "k"}}}"#, "lenses.a.table"),
  ])
  func `An invalid lens is reported and ignored`(_ text: String, _ name: String) {
    let reader = read(text)
    #expect(reader.problems.first?.name == name, "\(reader.problems)")
    #expect(reader.configuration.lenses.isEmpty)
  }
}
