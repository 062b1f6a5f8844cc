// The text of the help and the manual, apart from the tables of commands and options.

extension Messages {
  // MARK: The help

  static let browserLine = "larder [LOCATION…]           open the browser"
  static let commandLine = "larder COMMAND [ARGUMENT…]   run a command (--help lists its options):"
  static let locationLines = [
    "A location is a path or a URL; add #NAME for a table or other collection in it.",
    "To open a file that has the name of a command, type ./FILE.",
  ]
  static let commonOptions = "Common options:"
  static let exitCodeLines = [
    "Exit codes: 0 done, 1 not found (diff: stores differ; doctor: problems found),",
    "2 usage error, 3 store error, 4 conflict, 5 refused.",
  ]

  // MARK: The environment

  /// The relation between options and variables.
  static let environmentRule =
    "Most options can also be set as environment variables: LARDER_READ_ONLY=1 is --read-only, "
    + "LARDER_TTL=10m is --ttl 10m. Exceptions are those that choose entries or name what is written. "
    + "The command line overrides the environment, which overrides the settings file; "
    + "--read-only=no turns an option off. With LARDER_DRY_RUN=1, the browser and all commands that "
    + "write but have no --dry-run refuse to run."

  static func sameInEachCommand(_ option: OptionSpec) -> String {
    "same as \(option.name), in all commands that have it"
  }

  static func same(as option: OptionSpec) -> String { "same as \(option.name): \(option.help)" }

  // MARK: The manual

  static let manualTitle = "larder - browse and edit app data: databases, property lists, caches"
  static let manualDescription = [
    "larder browses and edits databases, folders, settings, documents and caches in a terminal. It "
      + "records every change before making it, so that you can undo it. Without a location, larder "
      + "opens the stores in the current folder.",
    "Arguments after -- are never treated as options, even if they start with a dash.",
  ]
  static let commonOptionsTitle = "Common options"
  static let browserOptionsTitle = "Browser options"
  static let manualLocations =
    "A location is a path or a URL; add #NAME for a table or other collection in it."
  static let manualSettings =
    "The settings file is JSON. Invalid settings are reported with their line; the others apply."
  static let manualFiles = [
    ("~/.config/larder/config.json", "settings"),
    ("~/.config/larder/themes/NAME.json", "your themes"),
    (
      "~/.local/state/larder/",
      "the journal, drafts, bookmarks and last session; only the owner can read them"
    ),
  ]
}

extension ExitCode {
  /// The meaning of each code.
  static let meanings: [(code: ExitCode, meaning: String)] = [
    (.done, "success; diff: no differences; doctor: no problems"),
    (.nothing, "no such entry, or no match; diff: differences; doctor: problems"),
    (.usage, "the command line is invalid, or there is no terminal"),
    (.store, "the store cannot be opened, read or written, or the output is incomplete"),
    (.conflict, "conflict: the entry has changed since it was read, or already exists"),
    (.refused, "the store is read-only, or does not support the operation"),
    (.interrupted, "ended by Ctrl-C"), (.terminated, "ended by SIGTERM"),
  ]
}
