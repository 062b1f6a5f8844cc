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
  /// The heading that the help of a command lists it under.
  var group = Group.other

  /// What an option is for.
  enum Group: String, CaseIterable, Sendable {
    case selection = "Selection"
    case output = "Output"
    case expiry = "Expiry"
    case safety = "Safety"
    case other = "Other"
  }

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
    name: "--read-only", value: nil, help: "never write, lock or create a file", group: .safety)
  static let noJournal = OptionSpec(
    name: "--no-journal", value: nil,
    help: "record no changes, so that none can be undone", group: .safety)
  static let unlock = OptionSpec(
    name: "--unlock", value: nil,
    help: "ask to unlock a locked keychain", group: .safety)
  static let withSecrets = OptionSpec(
    name: "--with-secrets", value: nil,
    help: "include secret values, in plain text", isPerCall: true, group: .safety)
  static let ttl = OptionSpec(
    name: "--ttl", value: "DURATION",
    help: "read through a cache with this TTL: 30s, 10m, 2h, 7d", group: .expiry)
  static let expiresColumn = OptionSpec(
    name: "--expires-column", value: "NAME",
    help: "expiry column, if larder guesses wrong, or none", group: .expiry)
  static let expiresUnit = OptionSpec(
    name: "--expires-unit", value: "UNIT",
    help:
      "unit of that column: \(ExpiryUnit.allCases.map(\.rawValue).joined(separator: ", ")); "
      + "for a duration also \(ExpiryChoice.lifetimeWords.joined(separator: ", "))",
    choices: ExpiryChoice.unitWords, group: .expiry)
  static let expiresZone = OptionSpec(
    name: "--expires-zone", value: "ZONE",
    help: "time zone of that column: \(ExpiryZone.forms)", group: .expiry)
  static let delimiter = OptionSpec(
    name: "--delimiter", value: "C", help: "key separator for the tree view, such as :",
    usual: "guessed from the keys", group: .output)
  static let theme = OptionSpec(
    name: "--theme", value: "NAME", help: "theme of the browser",
    usual: "larder-dark or larder-light, as the terminal is", offered: .theme, group: .output)
  static let config = OptionSpec(
    name: "--config", value: "FILE", help: "read settings from a file, or from stdin (-)",
    usual: "~/.config/larder/config.json", offered: .path)
  static let color = OptionSpec(
    name: "--color", value: "WHEN", help: "use colors: auto, always or never", choices: Self.whens,
    usual: "auto", group: .output)
  private static let whens = ["auto", "always", "never"]
  static let pager = OptionSpec(
    name: "--pager", value: "PROGRAM",
    help: "show long output with a pager; cat for none", usual: "PAGER, else less", group: .output)
  static let noPager = OptionSpec(
    name: "--no-pager", value: nil, help: "print long output without a pager", group: .output)
  static let quiet = OptionSpec(
    name: "--quiet", value: nil,
    help: "show no progress (also -q)", group: .output)
  static let help = OptionSpec(name: "--help", value: nil, help: "show this help", isPerCall: true)
  static let resume = OptionSpec(
    name: "--resume", value: nil, help: "reopen what was open last time")
  static let version = OptionSpec(
    name: "--version", value: nil, help: "print the versions of larder and its libraries",
    isPerCall: true)
  static let json = OptionSpec(
    name: "--json", value: nil, help: "print JSON Lines (larder schema describes them)",
    group: .output)
  static let prefix = OptionSpec(
    name: "--prefix", value: "P", help: "only keys that start with P", offered: .prefix,
    isPerCall: true, group: .selection)
  static let yes = OptionSpec(
    name: "--yes", value: nil, help: "do not ask for confirmation", isPerCall: true, group: .safety)
  static let dryRun = OptionSpec(
    name: "--dry-run", value: nil, help: "show what would be deleted, and delete nothing",
    group: .safety)
}
