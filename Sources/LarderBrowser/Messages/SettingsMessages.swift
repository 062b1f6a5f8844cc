import LarderModel

/// Problems in the settings file.
extension Messages {
  // MARK: Settings

  static let noSettingsApplied = "no setting was applied"
  static let nothingUntilFixed = "nothing is written until this is fixed"
  static let emptyRule = "nothing is set here; set column, unit, zone or ttl"
  static let ruleNames = "the names are column, unit, zone and ttl"
  static let lonelyUnit = "a unit needs an expiry column"
  static let keyAsExpiry = "a key column cannot be the expiry column"
  static let incompleteLens = "a table and a key are both required"
  static let keyForms = "keys look like x, Ctrl-R, Alt-Left or F5"

  static let mustBeObject = "the file \(mustBe("an object")): {\"theme\": \"nord\"}"
  static let mustBeText = mustBe("text")
  static let mustBeTruth = mustBe("true or false")
  static let mustBePath = "a path must begin with / or ~/"
  static let mustBePaths = mustBe("a list of paths, such as [\"~/live/*.db\"]")
  static let mustBeCommands = mustBe("an object of commands and their keys")
  static let mustBeKeys = mustBe("a key such as \"Ctrl-R\", or a list of keys")
  static let mustBeRules = mustBe(
    "an object of paths, such as {\"~/app.db#sessions\": {\"column\": \"valid\", \"unit\": \"s\"}}")
  static let mustBeRule = mustBe("\"none\", or an object with column, unit, zone or ttl")
  static let mustBeLenses = mustBe(
    "an object of names, such as {\"thumbs\": {\"table\": \"t\", \"key\": \"url\", \"value\": "
      + "\"body\"}}")
  static let mustBeLens = mustBe("an object with table and key")
  static let mustBeColumns = mustBe("a column or a list of columns")

  private static func mustBe(_ what: String) -> String { "must be \(what)" }

  static func mustBeText(such example: String) -> String { mustBe("text, such as \(example)") }

  static func emptySetting(_ example: String) -> String {
    "the text is empty; an example is \(example)"
  }

  static func problem(_ message: String, line: Int, name: String) -> String {
    "line \(line)\(name.isEmpty ? "" : ", \(name)"): \(message)"
  }

  static func place(line: Int) -> String { "line \(line) of the settings" }

  static func unknown(_ what: String, _ advice: String) -> String { "unknown \(what); \(advice)" }

  static func settings(_ names: [String]) -> String {
    "the settings are \(names.joined(separator: ", "))"
  }

  static func names(_ names: [String]) -> String {
    "the names are \(names.joined(separator: ", "))"
  }

  static func units(_ names: [String]) -> String {
    "the units are \(names.joined(separator: ", "))"
  }

  static func noUnit(_ text: String, _ advice: String) -> String {
    "“\(text)” is not a unit; \(advice)"
  }

  static func noZone(_ text: String) -> String {
    "“\(text)” is not a known time zone; give \(ExpiryZone.forms)"
  }

  static func noDuration(_ text: String, _ hint: String) -> String {
    "“\(text)” is not a duration such as 30s, 10m, 2h or 7d\(hint)"
  }

  static func setTwice(line: Int) -> String {
    "this is also set in line \(line); remove one of them"
  }

  static func noKeyName(_ text: String, near: String?) -> String {
    "“\(text)” is not a key; \(near.map { "did you mean \($0)?" } ?? keyForms)"
  }

  static func fixedKey(_ key: String) -> String {
    "\(key) always closes dialogs, so it cannot run a command"
  }

  static func usedKey(_ key: String, _ command: String) -> String {
    "\(key) already runs \(command)"
  }

  static func lostKey(_ key: String, _ command: String) -> String {
    "\(key) was the only key of \(command), which now has none"
  }
}
