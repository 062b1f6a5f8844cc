/// The help, which has its most relevant section first and can be searched.
package struct HelpModel: Sendable, Equatable {
  /// A command of the first section.
  package let context: String
  /// The search text.
  package var search = TextBuffer()
  /// Whether the search text is being typed.
  package var isTyping = false
  /// The index of the current match.
  package var match = 0
  /// The scroll offset, or `nil` to show the current match or else the top.
  package var scroll: Int?

  package init(context: String) {
    self.context = context
  }

  /// The sections of the help, starting with the one for the context command.
  package var groups: [(title: String, commands: [Command])] {
    let isFirst = { (group: (title: String, commands: [Command])) in
      group.commands.contains { $0.id == context }
    }
    return Command.groups.filter(isFirst) + Command.groups.filter { !isFirst($0) }
  }
}

extension BrowserState {
  /// Opens the help with the section for the current context first, or closes it or another text.
  mutating func toggleHelp() -> Effects {
    guard canCover else { return leave() }
    cover(.help(HelpModel(context: helpContext)))
    return []
  }

  /// The id of a command in the section for the current context.
  private var helpContext: String {
    switch overlay {
    case .overview: return "overview-list"
    case .history: return "history-show"
    case .differences: return "differences-show"
    case .changes: return "changes-show"
    case .findings: return "findings-go"
    default: break
    }
    return switch focus {
    case .stores: "open-store"
    case .value: "search"
    case .keys where keys?.marked.isEmpty == false: "mark"
    case .keys where shownGrid != nil: "hide-column"
    case .keys where cache != nil || meansStoreCache: "refresh"
    case .keys: "filter"
    }
  }

  /// The help, if it is open.
  var help: HelpModel? {
    get { if case .help(let help) = overlay { help } else { nil } }
    set { if let newValue, help != nil { overlay = .help(newValue) } }
  }

  /// Returns the scroll offset of the help.
  func scroll(of help: HelpModel) -> Int {
    help.scroll ?? help.shownMatch(of: viewport.helpMatches) ?? 0
  }

  /// Goes to another match in the help, wrapping around at the ends.
  mutating func findInHelp(by step: Int) -> Effects {
    let count = viewport.helpMatches.count
    guard let match = help?.match, count > 0 else { return [] }
    help?.match = (min(match, count - 1) + step + count) % count
    help?.scroll = nil
    return []
  }

  /// Applies an edit to the search text of the help.
  mutating func typeInHelp(_ edit: TextEdit) -> Effects {
    guard help?.isTyping == true else { return [] }
    help?.search.apply(edit)
    help?.match = 0
    help?.scroll = nil
    return []
  }

  /// Leaves the search of the help, or closes the help.
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
  /// Returns the scroll offset of the current match, given those of all matches.
  package func shownMatch(of rows: [Int]) -> Int? {
    rows.isEmpty ? nil : rows[min(match, rows.count - 1)]
  }
}
