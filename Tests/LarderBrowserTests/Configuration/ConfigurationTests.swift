@testable import LarderBrowser
import Testing

/// Settings files, valid and invalid.
@Suite struct ConfigurationTests {
  /// Reads a file in which every string of up to six letters is a valid key.
  private func read(_ text: String) -> ConfigurationReader {
    ConfigurationReader(Array(text.utf8)) { $0.count < 7 ? $0 : nil }
  }

  private func keys(_ id: String, _ configuration: Configuration) throws -> [String] {
    configuration.bindings.keys(of: try #require(Command.named(id)))
  }

  @Test func `All settings are read, with comments and a trailing comma`() throws {
    let reader = read(
      """
      {
        // My favourites.
        "theme": "nord", "delimiter": ":", "read-only": true, "journal": false,
        "keys": { "undo": ["U", "F5"], "delete": "Z" },
        "protected": ["~/live/*.db", "/srv/app.db",],
      }
      """)
    #expect(reader.problems == [])
    let configuration = reader.configuration
    #expect(configuration.theme == "nord")
    #expect(configuration.delimiter == ":")
    #expect(configuration.isReadOnly)
    #expect(!configuration.keepsJournal)
    #expect(configuration.protected == ["~/live/*.db", "/srv/app.db"])
    #expect(try keys("undo", configuration) == ["U", "F5"])
    #expect(try keys("delete", configuration) == ["Z"])
    #expect(try keys("reload", configuration) == ["Ctrl-L"], "F5 calls something else now")
    #expect(try keys("redo", configuration) == Command.named("redo")?.keys)
  }

  @Test func `A command that loses its only key to another is reported`() throws {
    let reader = read("{\"keys\": {\n\"undo\": \"d\", \"mark\": \"e\", \"edit\": \"U\"}}")
    #expect(try keys("undo", reader.configuration) == ["d"])
    // The commands that lose a key here have another one.
    #expect(reader.problems == [])
    let lost = read("{\"keys\": {\n\"undo\": \"e\"}}")
    #expect(
      lost.problems.map(\.description) == [
        "line 2, keys.undo: e was the only key of edit, which now has none"
      ])
    #expect(try keys("undo", lost.configuration) == ["e"])
  }

  @Test func `The examples in the documentation are valid`() {
    let members = ConfigurationSetting.all.map { "\"\($0.name)\": \($0.example)" }
    let reader = read("{\(members.joined(separator: ", "))}")
    #expect(reader.problems == [])
    #expect(reader.configuration != Configuration())
  }

  @Test(arguments: [
    (#"{"theme": 3}"#, "line 1, theme: \(Messages.mustBeText(such: "\"nord\""))"),
    (
      "{\n\n\"read-only\": \"yes\"}",
      "line 3, read-only: \(Messages.mustBeTruth); \(Messages.nothingUntilFixed)"
    ),
    (
      #"{"colors": "nord"}"#,
      "line 1, colors: unknown setting; the settings are theme, delimiter, read-only, "
        + "journal, resume, keys, protected, expiry, lenses"
    ),
    (
      #"{"raed-only": true}"#,
      "line 1, raed-only: unknown setting; did you mean read-only? nothing is written until "
        + "this is fixed"
    ),
    (
      #"{"Read-Only": true}"#,
      "line 1, Read-Only: unknown setting; did you mean read-only? nothing is written until "
        + "this is fixed"
    ),
    (
      #"{"keys": {"udno": "U"}}"#,
      "line 1, keys.udno: unknown command; did you mean undo?"
    ),
    (
      #"{"expiry": {"/a.db": {"colmun": "x"}}}"#,
      "line 1, expiry./a.db.colmun: unknown name; did you mean column?"
    ),
    (
      #"{"expiry": {"/a.db": {"column": "x", "unit": "juilan"}}}"#,
      "line 1, expiry./a.db.unit: “juilan” is not a unit; did you mean julian?"
    ),
    (#"{"keys": []}"#, "line 1, keys: \(Messages.mustBeCommands)"),
    (
      "{\"keys\": {\n\"fly\": \"F\"}}",
      "line 2, keys.fly: unknown command; larder keys lists them"
    ),
    (
      #"{"keys": {"undo": 5}}"#,
      "line 1, keys.undo: \(Messages.mustBeKeys)"
    ),
    (
      #"{"keys": {"undo": "Hyper-Space"}}"#,
      "line 1, keys.undo: \(Messages.noKeyName("Hyper-Space", near: nil))"
    ),
    (
      #"{"keys": {"undo": "Esc"}}"#,
      "line 1, keys.undo: \(Messages.fixedKey("Esc"))"
    ),
    (
      #"{"keys": {"undo": "U", "redo": ["U", "Q"]}}"#, "line 1, keys.redo: U already runs undo"
    ),
    (
      #"{"protected": ["a.db"]}"#, "line 1, protected: \(Messages.mustBePath)"
    ),
    (
      "[1]", "line 1: \(Messages.mustBeObject)"
    ),
    (
      "{\n\"theme\" \"nord\"}",
      "line 2: a colon is missing after the name; \(Messages.noSettingsApplied)"
    ),
    ("//", "line 1: the text ends before a value; \(Messages.noSettingsApplied)"),
    (
      #"{"delimiter": ""}"#,
      "line 1, delimiter: the text is empty; an example is \":\""
    ),
    (
      "{\"theme\": \"nord\",\n\"theme\": \"x\"}",
      "line 2, theme: this is also set in line 1; remove one of them"
    ),
  ])
  func `A mistake is reported with its line and setting`(text: String, problem: String) {
    #expect(read(text).problems.map(\.description) == [problem])
  }

  @Test(arguments: ["", " \n\t\r\n"])
  func `An empty file sets nothing`(_ text: String) {
    let reader = read(text)
    #expect(reader.problems == [] && reader.configuration == Configuration())
  }

  @Test(arguments: [
    ("Backspcae", "Backspace"), ("Crtl-Letf", "Ctrl-Left"), ("Ctrll-R", "Ctrl-R"),
  ])
  func `A misspelled key name gets a suggestion`(_ typed: String, _ meant: String) {
    let keys = ["Backspace", "Left", "Ctrl-Left", "R", "Ctrl-R"]
    let text = "{\"keys\": {\"undo\": \"\(typed)\"}}"
    let reader = ConfigurationReader(Array(text.utf8)) { keys.contains($0) ? $0 : nil }
    #expect(
      reader.problems.map(\.message) == ["“\(typed)” is not a key; did you mean \(meant)?"])
  }

  @Test func `Valid settings apply beside invalid ones`() throws {
    let reader = read(
      #"{"theme": [], "delimiter": "/", "keys": {"fly": "F", "undo": ["Esc", "U"]}}"#)
    #expect(reader.problems.count == 3)
    #expect(reader.configuration.theme == nil)
    #expect(reader.configuration.delimiter == "/")
    #expect(try keys("undo", reader.configuration) == ["U"])
  }

  @Test func `A command without keys is shown by its name`() throws {
    let bindings = read(#"{"keys": {"undo": []}}"#).configuration.bindings
    #expect(bindings.keys(of: try #require(Command.named("undo"))) == [])
    #expect(bindings.call("undo") == ":undo")
    #expect(bindings.call("redo") == "Ctrl-R")
  }

  @Test func `Random bytes never trap`() {
    var generator = SystemRandomNumberGenerator()
    let start = Array(#"{"keys":{"undo":["U",{}]},"theme":null,"protected":[[1,"/x"]]}"#.utf8)
    for _ in 0..<3_000 {
      var bytes = start
      for _ in 0..<Int.random(in: 0..<4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255)
      }
      let reader = ConfigurationReader(bytes) { _ in nil }
      #expect(reader.problems.allSatisfy { $0.line >= 1 })
    }
  }

  @Test func `A key can have another meaning in a dialog`() throws {
    var bindings = Bindings()
    bindings.choose(["n"], for: try #require(Command.named("undo")))
    #expect(bindings.keys(of: try #require(Command.named("no"))).first == "n")
  }
}
