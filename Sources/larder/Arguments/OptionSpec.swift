import LarderModel

/// An option of the command line.
///
/// Parsing, the help, the manual, completion and the environment all read what is said here.
struct OptionSpec: Sendable {
  /// The name with its dashes.
  let name: String
  /// What its value is called in the help, or nil for one that is either given or not.
  let value: String?
  /// What it does, in a clause.
  let help: String
  /// The values it may have, or nil for any.
  var choices: [String]?
  /// What holds where nothing is said, as the help puts it; nil for nothing, or that it is not so.
  var usual: String?
  /// What its value can be completed to.
  var offered = Offered.nothing
  /// Whether it says what one call is about, so that no variable of the environment stands for it:
  /// one that was forgotten would delete or write something else than the line says.
  var isPerCall = false

  /// The variable of the environment that stands for it; nil where none does.
  var variable: String? {
    guard !isPerCall, name.hasPrefix("--") else { return nil }
    return "LARDER_" + name.dropFirst(2).uppercased().replacing("-", with: "_")
  }

  /// The name with what follows it, as in `--limit N`.
  var usage: String { name + (value.map { " \($0)" } ?? "") }

  /// What its value can be completed to: its choices, where it has any.
  var completion: Offered { choices.map(Offered.choices) ?? offered }
}

extension OptionSpec {
  /// The options that every command takes.
  static let common: [OptionSpec] = [
    readOnly, noJournal, unlock, ttl, expiresColumn, expiresUnit, expiresZone, delimiter, theme,
    config, color, pager, noPager, quiet, help,
  ]

  /// The options of the browser.
  static let browser: [OptionSpec] = [resume, version]

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
    help: "also where the values are secrets, which are readable then", isPerCall: true)
  static let ttl = OptionSpec(
    name: "--ttl", value: "DURATION",
    help: "look at the store through a timed cache: 30s, 10m, 2h, 7d")
  static let expiresColumn = OptionSpec(
    name: "--expires-column", value: "NAME",
    help: "the column that holds the expiry of rows, in place of what is recognised; or none")
  static let expiresUnit = OptionSpec(
    name: "--expires-unit", value: "UNIT",
    help:
      "what that column counts in: \(ExpiryUnit.allCases.map(\.rawValue).joined(separator: ", ")); "
      + "how long rows last also \(ExpiryChoice.lifetimeWords.joined(separator: ", "))",
    choices: ExpiryChoice.unitWords)
  static let expiresZone = OptionSpec(
    name: "--expires-zone", value: "ZONE",
    help: "the zone of that column's times where their text names none: \(ExpiryZone.forms)")
  static let delimiter = OptionSpec(
    name: "--delimiter", value: "C", help: "what parts keys into the branches of a tree, such as :",
    usual: "guessed from the keys")
  static let theme = OptionSpec(
    name: "--theme", value: "NAME", help: "the theme of the browser",
    usual: "larder-dark or larder-light, as the terminal is", offered: .theme)
  static let config = OptionSpec(
    name: "--config", value: "FILE", help: "the file of settings, or - for standard input",
    usual: "~/.config/larder/config.json", offered: .path)
  static let color = OptionSpec(
    name: "--color", value: "WHEN", help: "auto, always or never", choices: Self.whens,
    usual: "auto")
  private static let whens = ["auto", "always", "never"]
  static let pager = OptionSpec(
    name: "--pager", value: "PROGRAM",
    help: "what shows long output on a terminal, a screen at a time; cat for nothing",
    usual: "PAGER, else less")
  static let noPager = OptionSpec(
    name: "--no-pager", value: nil, help: "print long output at once, also on a terminal")
  static let quiet = OptionSpec(
    name: "--quiet", value: nil,
    help: "show no progress on a terminal while something takes long; also -q")
  static let help = OptionSpec(name: "--help", value: nil, help: "show this help", isPerCall: true)
  static let resume = OptionSpec(
    name: "--resume", value: nil, help: "open what was open when the browser was left last")
  static let version = OptionSpec(
    name: "--version", value: nil, help: "name the version, and those of the libraries in use",
    isPerCall: true)
  static let json = OptionSpec(
    name: "--json", value: nil, help: "print JSON Lines, which larder schema describes")
  static let prefix = OptionSpec(
    name: "--prefix", value: "P", help: "only keys that start with P", offered: .prefix,
    isPerCall: true)
  static let yes = OptionSpec(name: "--yes", value: nil, help: "do not ask", isPerCall: true)
  static let dryRun = OptionSpec(
    name: "--dry-run", value: nil, help: "say what would be deleted, and delete nothing")
}
