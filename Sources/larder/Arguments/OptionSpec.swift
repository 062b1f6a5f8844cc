import LarderCore

/// An option of the command line.
struct OptionSpec: Sendable {
  /// The name with its dashes.
  let name: String
  /// What its value is called in the help, or nil for one that takes none.
  let value: String?
  /// What it does, in a clause.
  let help: String
  /// The values it may have, or nil for any.
  var choices: [String]?
}

extension OptionSpec {
  /// The options that every command takes.
  static let common: [OptionSpec] = [
    readOnly, noJournal, unlock, ttl, expiresColumn, expiresUnit, delimiter, theme, config, color,
    quiet,
    help,
  ]

  static let readOnly = OptionSpec(
    name: "--read-only", value: nil, help: "write nothing, hold no lock, create no file")
  static let noJournal = OptionSpec(
    name: "--no-journal", value: nil,
    help: "record no changes: nothing can be undone, and nothing is left behind")
  static let unlock = OptionSpec(
    name: "--unlock", value: nil,
    help: "let the desktop ask for the password of a keychain that is locked")
  static let withSecrets = OptionSpec(
    name: "--with-secrets", value: nil,
    help: "also where the values are secrets, which are readable then")
  static let ttl = OptionSpec(
    name: "--ttl", value: "DURATION",
    help: "look at the store through a timed cache: 30s, 10m, 2h, 7d")
  static let expiresColumn = OptionSpec(
    name: "--expires-column", value: "NAME",
    help: "the column that says until when rows count, where another is recognised, or none")
  static let expiresUnit = OptionSpec(
    name: "--expires-unit", value: "UNIT",
    help:
      "what that column counts in: \(ExpiryUnit.allCases.map(\.rawValue).joined(separator: ", "))",
    choices: ExpiryUnit.allCases.map(\.rawValue))
  static let delimiter = OptionSpec(
    name: "--delimiter", value: "C", help: "what parts keys into the branches of a tree, such as :")
  static let theme = OptionSpec(name: "--theme", value: "NAME", help: "the theme of the browser")
  static let config = OptionSpec(
    name: "--config", value: "FILE",
    help: "settings, in the place of ~/.config/larder/config.json")
  static let color = OptionSpec(
    name: "--color", value: "WHEN", help: "auto, always or never",
    choices: ["auto", "always", "never"])
  static let quiet = OptionSpec(
    name: "--quiet", value: nil,
    help: "show no progress on a terminal while something takes long; also -q")
  static let help = OptionSpec(name: "--help", value: nil, help: "show this help")
  static let resume = OptionSpec(
    name: "--resume", value: nil, help: "open what was open when the browser was left last")
  static let json = OptionSpec(name: "--json", value: nil, help: "print JSON Lines")
  static let prefix = OptionSpec(
    name: "--prefix", value: "P", help: "only keys that start with P")
  static let yes = OptionSpec(name: "--yes", value: nil, help: "do not ask")
  static let dryRun = OptionSpec(
    name: "--dry-run", value: nil, help: "say what would be deleted, and delete nothing")
}
