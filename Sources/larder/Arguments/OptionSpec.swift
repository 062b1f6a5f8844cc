import LarderModel

/// A command-line option.
///
/// Parsing, help, the manual, completion and environment variables are all derived from it.
struct OptionSpec: Sendable {
  /// The name, including its dashes.
  let name: String
  /// The placeholder for the value in the help; nil for a flag.
  let value: String?
  /// A short description, as a clause.
  let help: String
  /// The allowed values; nil for any.
  var choices: [String]?
  /// The default, as the help prints it; nil for none, or for a flag that is off.
  var usual: String?
  /// The kind of completion for the value.
  var offered = Offered.nothing
  /// Whether the option applies to a single call, so that no environment variable can set it.
  ///
  /// A forgotten variable would otherwise delete or write something that the command line does not
  /// mention.
  var isPerCall = false
  /// The heading that the help of a command lists it under.
  var group = Group.other

  /// The purpose of an option.
  enum Group: String, CaseIterable, Sendable {
    case selection = "Filter"
    case table = "Tables"
    case output = "Output"
    case expiry = "Expiry"
    case safety = "Safety"
    case other = "Other"
  }

  /// The environment variable that sets the option; nil for none.
  var variable: String? {
    guard !isPerCall, name.hasPrefix("--") else { return nil }
    return "LARDER_" + name.dropFirst(2).uppercased().replacing("-", with: "_")
  }

  /// The name followed by the placeholder of its value, such as `--limit N`.
  var usage: String { name + (value.map { " \($0)" } ?? "") }

  /// The completion for the value: its choices, if any, or else `offered`.
  var completion: Offered { choices.map(Offered.choices) ?? offered }
}

extension OptionSpec {
  /// The options that every command accepts.
  static let common = ofStores + ofBrowser + [config, color, pager, noPager, quiet, help]

  /// The options for opening stores.
  static let ofStores = [
    readOnly, noJournal, unlock, key, raw, ttl, expiresColumn, expiresUnit, expiresZone,
  ]

  /// The options for the appearance of the browser.
  static let ofBrowser = [delimiter, theme]

  /// The options of the browser.
  static let browser: [OptionSpec] = [resume, version]

  static let readOnly = OptionSpec(
    name: "--read-only", value: nil,
    help: "open stores read-only, without creating or locking files", group: .safety)
  static let noJournal = OptionSpec(
    name: "--no-journal", value: nil,
    help: "do not record changes, so they cannot be undone", group: .safety)
  static let unlock = OptionSpec(
    name: "--unlock", value: nil,
    help: "prompt to unlock a locked keychain", group: .safety)
  static let withSecrets = OptionSpec(
    name: "--with-secrets", value: nil,
    help: "include secret values, in plain text", isPerCall: true, group: .safety)
  static let key = OptionSpec(
    name: "--key", value: "COLUMNS",
    help: "columns that form a unique key: COLUMN[,COLUMN]", isPerCall: true,
    group: .table)
  static let raw = OptionSpec(
    name: "--raw", value: nil, help: "use plain tables, keyed by primary key or rowid",
    isPerCall: true, group: .table)
  static let ttl = OptionSpec(
    name: "--ttl", value: "DURATION",
    help: "TTL of a folder's files and of the read-through cache", group: .expiry)
  static let expiresColumn = OptionSpec(
    name: "--expires-column", value: "NAME",
    help: "column that holds the expiry, or 'none' [default: detected]", group: .expiry)
  static let expiresUnit = OptionSpec(
    name: "--expires-unit", value: "UNIT",
    help:
      "unit of the expiry column: \(ExpiryUnit.allCases.map(\.rawValue).joined(separator: ", ")); "
      + "for a TTL column also \(ExpiryChoice.lifetimeWords.joined(separator: ", "))",
    choices: ExpiryChoice.unitWords, group: .expiry)
  static let expiresZone = OptionSpec(
    name: "--expires-zone", value: "ZONE",
    help: "time zone of the expiry column: \(ExpiryZone.forms)", group: .expiry)
  static let delimiter = OptionSpec(
    name: "--delimiter", value: "C",
    help: "key separator for the tree view, such as \":\" or \".\"",
    usual: "guessed from the keys", group: .output)
  static let theme = OptionSpec(
    name: "--theme", value: "NAME", help: "theme of the browser",
    usual: "larder-dark or larder-light, to match the terminal", offered: .theme, group: .output)
  static let config = OptionSpec(
    name: "--config", value: "FILE", help: "read settings from a file, or from stdin (-)",
    usual: "~/.config/larder/config.json", offered: .path)
  static let color = OptionSpec(
    name: "--color", value: "WHEN", help: "use colors: auto, always or never", choices: Self.whens,
    usual: "auto", group: .output)
  private static let whens = ["auto", "always", "never"]
  static let pager = OptionSpec(
    name: "--pager", value: "PROGRAM",
    help: "pager for long output; cat turns paging off", usual: "$PAGER, else less",
    group: .output)
  static let noPager = OptionSpec(
    name: "--no-pager", value: nil, help: "print long output without a pager", group: .output)
  static let quiet = OptionSpec(
    name: "--quiet", value: nil,
    help: "hide progress (also -q)", group: .output)
  static let help = OptionSpec(name: "--help", value: nil, help: "show this help", isPerCall: true)
  static let resume = OptionSpec(
    name: "--resume", value: nil, help: "reopen the last session")
  static let version = OptionSpec(
    name: "--version", value: nil, help: "print the versions of larder and its libraries",
    isPerCall: true)
  static let json = OptionSpec(
    name: "--json", value: nil, help: "print JSON Lines; see larder schema",
    group: .output)
  static let prefix = OptionSpec(
    name: "--prefix", value: "P", help: "only entries whose key starts with P", offered: .prefix,
    isPerCall: true, group: .selection)
  static let yes = OptionSpec(
    name: "--yes", value: nil, help: "do not ask for confirmation", isPerCall: true, group: .safety)
  static let dryRun = OptionSpec(
    name: "--dry-run", value: nil, help: "show what would be deleted, without deleting it",
    group: .safety)
}
