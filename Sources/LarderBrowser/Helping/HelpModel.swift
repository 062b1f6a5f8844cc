/// The help: which part comes first, and what is looked for in it.
package struct HelpModel: Sendable, Equatable {
  /// The command whose section comes first.
  package let context: String
  /// The text that is looked for.
  package var search = TextBuffer()
  /// Whether that is being typed.
  package var isTyping = false
  /// Which of its matches is shown.
  package var match = 0
  /// How far it was scrolled; nil where the match is shown, or the beginning.
  package var scroll: Int?

  package init(context: String) {
    self.context = context
  }

  /// The sections of commands, the one that comes first before the others.
  package var groups: [(title: String, commands: [Command])] {
    let isFirst = { (group: (title: String, commands: [Command])) in
      group.commands.contains { $0.id == context }
    }
    return Command.groups.filter(isFirst) + Command.groups.filter { !isFirst($0) }
  }
}

extension BrowserState {
  /// Opens the help, with the section about what is on screen first.
  mutating func openHelp() -> Effects {
    overlay = .help(HelpModel(context: helpContext))
    return []
  }

  /// A command of the section about what is on screen.
  private var helpContext: String {
    switch focus {
    case .stores: "open-store"
    case .value: "search"
    case .keys where keys?.marked.isEmpty == false: "mark"
    case .keys where shownGrid != nil: "hide-column"
    case .keys where cache != nil || meansStoreCache: "refresh"
    case .keys: "filter"
    }
  }

  /// The help, where it is open.
  var help: HelpModel? {
    get { if case .help(let help) = overlay { help } else { nil } }
    set { if let newValue, help != nil { overlay = .help(newValue) } }
  }

  /// How far the help is scrolled.
  func scroll(of help: HelpModel) -> Int {
    help.scroll ?? help.shownMatch(of: viewport.helpMatches) ?? 0
  }

  /// Shows another match in the help; after the last, the first.
  mutating func findInHelp(by step: Int) -> Effects {
    let count = viewport.helpMatches.count
    guard let match = help?.match, count > 0 else { return [] }
    help?.match = (min(match, count - 1) + step + count) % count
    help?.scroll = nil
    return []
  }

  /// Carries out an edit of the text that is looked for in the help.
  mutating func typeInHelp(_ edit: TextEdit) -> Effects {
    guard help?.isTyping == true else { return [] }
    help?.search.apply(edit)
    help?.match = 0
    help?.scroll = nil
    return []
  }

  /// Leaves the line that is typed in the help, or the help.
  mutating func leave(_ model: HelpModel) -> Effects {
    guard model.isTyping else {
      overlay = nil
      return []
    }
    help?.isTyping = false
    help?.search = TextBuffer()
    return []
  }
}

extension HelpModel {
  /// How far to scroll to the match that is shown, among those of all matches.
  package func shownMatch(of rows: [Int]) -> Int? {
    rows.isEmpty ? nil : rows[min(match, rows.count - 1)]
  }
}
