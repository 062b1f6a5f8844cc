import LarderModel
@testable import LarderBrowser
import Testing

/// Expiry rules in the settings.
@Suite struct ExpiryRuleTests {
  private func read(_ text: String) -> ConfigurationReader {
    ConfigurationReader(Array(text.utf8)) { $0 }
  }

  @Test func `A rule matches paths and a collection and sets their expiry`() throws {
    let reader = read(
      """
      {"expiry": {
        "~/app/*.db#sess*": {"column": "valid", "unit": "ms"},
        "/thumbs": {"ttl": "7d"},
        "/hr.db": "none"
      }}
      """)
    #expect(reader.problems.isEmpty)
    let rules = reader.configuration.expiryRules
    #expect(rules.map(\.paths) == [["~/app/*.db"], ["/thumbs"], ["/hr.db"]])
    #expect(rules.map(\.collection) == ["sess*", nil, nil])
    #expect(rules.map(\.choice.column) == ["valid", nil, nil])
    #expect(rules.map(\.choice.unit) == [.milliseconds, nil, nil])
    #expect(rules.map(\.choice.timeToLive) == [nil, .seconds(604_800), nil])
    #expect(rules.map(\.choice.isNone) == [false, false, true])
    #expect(rules[0].place == "line 2 of the settings")
  }

  @Test func `The first rule that matches a store and a collection applies`() throws {
    var rules = read(
      #"{"expiry": {"/a/*.db#s?": {"column": "x"}, "/a/b.db": "none", "/[a].db": {"unit": "s"}}}"#
    ).configuration.expiryRules
    rules[0].paths = ["/a/*.db"]
    var options = OpenOptions(expiryRules: rules)
    #expect(options.expiry(of: ["/a/b.db"], "s1").choice.column == "x")
    #expect(options.expiry(of: ["/a/b.db"], "s12").choice.isNone)
    #expect(options.expiry(of: ["/a/b.db"]).choice.isNone)
    #expect(options.expiry(of: ["/elsewhere", "/a/b.db"]).rule == rules[1])
    #expect(options.expiry(of: ["/[a].db"]).choice.unit == .seconds)
    #expect(options.expiry(of: ["/a.db"]).rule == nil)
    // An explicit choice overrides all rules.
    options.expiry.column = "mine"
    #expect(options.expiry(of: ["/a/b.db"]).choice.column == "mine")
    #expect(options.expiry(of: ["/a/b.db"]).rule == nil)
  }

  @Test(arguments: [
    (#"{"expiry": []}"#, "expiry", "an object of paths"),
    (#"{"expiry": {"app.db": "none"}}"#, "expiry.app.db", "begin with /"),
    (#"{"expiry": {"/a": "never"}}"#, "expiry./a", "column, unit, zone or ttl"),
    (#"{"expiry": {"/a": {"zone": "Mars"}}}"#, "expiry./a.zone", "not a known time zone"),
    (#"{"expiry": {"/a": {}}}"#, "expiry./a", "nothing is set"),
    (#"{"expiry": {"/a": {"unit": "days"}}}"#, "expiry./a.unit", "the units are s, ms"),
    (#"{"expiry": {"/a": {"ttl": "soon"}}}"#, "expiry./a.ttl", "not a duration"),
    (#"{"expiry": {"/a": {"colum": "x"}}}"#, "expiry./a.colum", "unknown name"),
    (#"{"expiry": {"/a": {"column": 3}}}"#, "expiry./a.column", Messages.mustBeText),
  ])
  func `An invalid rule is reported and ignored`(
    _ text: String, _ name: String, _ message: String
  ) {
    let reader = read(text)
    #expect(reader.problems.map(\.name) == [name])
    #expect(reader.problems.first?.message.contains(message) == true, "\(reader.problems)")
    #expect(reader.configuration.expiryRules.isEmpty)
  }
}
