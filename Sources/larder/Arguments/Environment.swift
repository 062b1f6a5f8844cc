/// The environment variables that larder reads.
enum Environment {
  /// A variable that does not correspond to an option.
  struct Variable: Sendable {
    let name: String
    /// The meaning, as a clause.
    let meaning: String
    /// The default, as the help prints it; nil for none.
    var usual: String?
  }

  /// The time to wait for a busy store.
  static let patience = Variable(
    name: "LARDER_PATIENCE", meaning: "seconds to wait for a busy store",
    usual: "5")

  /// Variables that do not correspond to options, in the order of the manual.
  static let others: [Variable] = [
    patience,
    Variable(
      name: Completion.variable,
      meaning: "seconds that completion waits for the keys of a store", usual: "2"),
    Variable(name: "LARDER_REDIS_PASSWORD", meaning: "password of Redis servers"),
    Variable(
      name: "LARDER_REDIS_PASSWORD_FILE", meaning: "file with that password, or one for each server"
    ),
    Variable(name: "LARDER_THEMES", meaning: "folder of themes, searched before all others"),
    Variable(
      name: "PAGER", meaning: "pager, if LARDER_PAGER is not set",
      usual: "less"),
    Variable(
      name: "LESS", meaning: "options for less", usual: "FRX"),
    Variable(name: "VISUAL, EDITOR", meaning: "editor that E opens", usual: "vi"),
    Variable(
      name: "TERM, COLORTERM", meaning: "terminal type and number of colors"),
    Variable(name: "NO_COLOR", meaning: "disables colors, unless empty"),
    Variable(
      name: "XDG_CONFIG_HOME", meaning: "base folder for settings and themes",
      usual: "~/.config"),
    Variable(
      name: "XDG_STATE_HOME", meaning: "base folder for the journal, drafts and bookmarks",
      usual: "~/.local/state"),
  ]

  /// The options that can be set by a variable, each once, in the order of the help.
  static let options: [OptionSpec] = {
    var names: Set<String> = []
    return all.filter { names.insert($0.name).inserted }
  }()

  private static let all =
    (OptionSpec.common + OptionSpec.browser + Subcommand.all.flatMap(\.options))
    .filter { $0.variable != nil }

  /// Returns the effect of an option's variable, as a clause.
  static func meaning(of option: OptionSpec) -> String {
    // The meaning of an option can differ between commands.
    all.contains { $0.name == option.name && $0.help != option.help }
      ? Messages.sameInEachCommand(option) : Messages.same(as: option)
  }

  /// Every known variable whose name starts with `LARDER_`.
  static let names: [String] =
    options.compactMap(\.variable) + others.map(\.name).filter { $0.hasPrefix("LARDER_") }

  /// Variables that only affect the build of larder.
  private static let building = ["LARDER_LIBRARY"]

  /// Whether larder or its build reads a variable.
  static func isKnown(_ name: String) -> Bool {
    names.contains(name) || building.contains(name)
  }
}
