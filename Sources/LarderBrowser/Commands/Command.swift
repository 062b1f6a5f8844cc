import LarderModel

/// A command of the browser.
///
/// The help, the key hints at the bottom, the palette, `larder keys` and the table in the README
/// are generated from ``all``. To add a command, declare it in a file of its feature and add it to
/// ``groups`` if its group is new.
package struct Command: Sendable {
  /// A part of the screen in which keys of commands work.
  package enum Place: Sendable, Hashable, CaseIterable {
    case stores
    case keys
    case value
    case confirm
    case conflict
    case comparison
    case overview
    case details
    case history
    case differences
    case changes
    case findings
    case help

    /// The three panes.
    static let panes: Set<Place> = [.stores, .keys, .value]
    /// The overlay lists.
    static let lists: Set<Place> = [.overview, .history, .differences, .changes, .findings]
  }

  /// The part of the state that a command needs.
  package enum Need: Sendable {
    case nothing
    /// The list of the chosen store, unless the list of stores has focus.
    case list
    /// The chosen store.
    case store
    /// The whole selected entry.
    case entry
  }

  /// The name, as typed after a colon.
  package let id: String
  /// A short title.
  package let title: String
  /// The description in the help.
  package let help: String
  /// The default keys, as spelled by ``KeyNotation``.
  package let keys: [String]
  /// The parts of the screen in which the keys work.
  package let places: Set<Place>
  /// Alternative names, which also find the command in the palette.
  package let aliases: [String]
  /// The placeholder for the argument, or `nil` if there is none.
  package let argument: String?
  /// Whether the command cannot run without an argument.
  package let needsArgument: Bool
  /// Whether the keys select the argument by number, from 1.
  package let numbersKeys: Bool
  /// Whether the bottom line shows the command.
  package let isHint: Bool
  /// The part of the state that must be loaded before the command can run.
  package let need: Need
  /// Whether the command applies to the marked entries.
  let isOnMarks: Bool
  /// Returns the reason why the command is unavailable, or `nil` if it can run.
  package let unavailable: @Sendable (BrowserState) -> String?
  /// Runs the command.
  package let run: @Sendable (inout BrowserState, String) -> Effects

  /// Creates a command.
  ///
  /// `unmarked` is for commands that apply to marked entries. It returns the reason why such a
  /// command is unavailable when nothing is marked.
  package init(
    _ id: String, _ title: String, help: String, keys: [String],
    places: Set<Place> = Place.panes, aliases: [String] = [],
    argument: String? = nil, needsArgument: Bool = false, numbersKeys: Bool = false,
    isHint: Bool = false, needs need: Need = .nothing,
    unavailable: @escaping @Sendable (BrowserState) -> String? = { _ in nil },
    unmarked: (@Sendable (BrowserState) -> String?)? = nil,
    run: @escaping @Sendable (inout BrowserState, String) -> Effects
  ) {
    self.id = id
    self.title = title
    self.help = help
    self.keys = keys
    self.places = places
    self.aliases = aliases
    self.argument = argument
    self.needsArgument = needsArgument
    self.numbersKeys = numbersKeys
    self.isHint = isHint
    self.need = need
    isOnMarks = unmarked != nil
    self.unavailable = { state in
      unavailable(state)
        ?? (state.keys?.marked.isEmpty == false ? nil : unmarked.flatMap { $0(state) })
    }
    self.run = run
  }

  /// All commands, in the order of the help.
  package static let all: [Command] = groups.flatMap(\.commands)

  /// All commands, grouped by the sections of the help.
  package static let groups: [(title: String, commands: [Command])] = [
    (title: "Moving", commands: movement),
    (title: "Finding and showing", commands: finding + comparingStores + watching),
    (title: "Columns of a table", commands: columns + keyChoices),
    (title: "Inside a value", commands: reading),
    (title: "Changing", commands: changing),
    (title: "Expiry and caches", commands: caching),
    (title: "Tabs", commands: tabbing),
    (title: "larder", commands: program),
    (title: "In a comparison", commands: comparison),
    (title: "In the overview", commands: overview),
    (title: "In the history", commands: history),
    (title: "In a comparison of stores", commands: differences),
    (title: "In the list of changes", commands: changes),
    (title: "In the search results", commands: findings),
    (title: "In a dialog", commands: dialogs),
    (title: "In the help", commands: helping),
  ]

  /// Returns the command with a name, or `nil` if there is none.
  package static func named(_ id: String) -> Command? { byName[id] }

  /// Returns the error message for an unknown command, with a suggestion.
  static func missing(_ name: String) -> String {
    let advice = SpellingSuggestion.advice(
      for: name, in: listed.map(\.id), otherwise: Messages.emptyLine)
    return Messages.noCommand(name, advice)
  }

  /// Returns whether the command with a name only moves the selection.
  static func isMovement(_ id: String) -> Bool { movementNames.contains(id) }

  /// Returns whether a number typed before the command with a name is its count.
  static func takesCount(_ id: String, in state: BrowserState) -> Bool {
    if countedNames.contains(id) { return true }
    let focus = state.typedNumber?.paneBefore ?? state.focus
    return ["into", "back"].contains(id) && focus == .keys && state.shownGrid != nil
  }

  private static let countedNames = Set(counted.map(\.id))

  private static let movementNames = Set(movement.map(\.id))

  private static let byName = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }

  /// Returns the only command of the palette that satisfies a condition, or `nil` if none or
  /// several do.
  static func onlyListed(_ condition: (Command) -> Bool) -> Command? {
    let found = listed.filter(condition)
    return found.count == 1 ? found.first : nil
  }

  /// The commands that the palette lists, which exclude common movement keys.
  package static let listed: [Command] = all.filter {
    $0.isInPalette && $0.id != "palette" && ($0.argument != nil || !isMovement($0.id))
  }

  /// Whether the command can be called by name, unlike those that answer a question.
  package var isInPalette: Bool {
    places.contains(.stores) || places.contains(.keys) || places.contains(.value)
  }
}

extension BrowserState {
  /// Opens the command palette, with the most recent commands first.
  mutating func openPalette() -> Effects {
    var recent: [String] = []
    let prompt = CommandPrompt()
    for line in history.lines(of: prompt).reversed() where recent.count < 5 {
      let id = String(line.prefix { $0 != " " })
      if !recent.contains(id) { recent.append(id) }
    }
    let unavailable = Command.listed.filter { $0.unavailable(self) != nil }.map(\.id)
    overlay = .prompt(
      PromptModel(
        CommandPrompt(
          bindings: settings.bindings, recent: recent, unavailable: Set(unavailable))))
    return []
  }

  /// Returns whether a command must wait for a pending read.
  ///
  /// Users who type ahead mean the entry that is being read, not the one still on screen, and their
  /// next keys may be text for an editor that is not open yet.
  package func isTooEarly(for command: Command) -> Bool {
    let focus = Command.takesCount(command.id, in: self) ? typedNumber?.paneBefore ?? focus : focus
    // Marked entries must be read before their deletion can be confirmed.
    if case .confirm(let confirm) = overlay, confirm.reading != nil { return command.id == "yes" }
    // Keys in the value pane refer to the state after the pending move.
    if overlay == nil, focus == .value, value?.isMoving == true,
      command.need == .entry || Command.isMovement(command.id)
    {
      return true
    }
    if case .history(let model) = overlay {
      return command.id != "close"
        && (model.isBusy || undo.replaying != nil || undo.forcedReplay != nil)
    }
    if storeDifferences != nil, undo.replaying != nil { return command.id != "close" }
    // A command of the palette applies to the marks that are being set.
    if overlay == nil, keys?.markingAll != nil, command.id == "palette" { return true }
    guard overlay == nil, command.need != .nothing else { return false }
    // Keys typed ahead refer to the list after the pending change.
    if undo.replaying != nil || undo.forcedReplay != nil || keys?.seeking != nil {
      return focus != .stores || command.need != .list
    }
    if keys?.times?.asked != nil || keys?.markingAll != nil || keys?.asking != nil
      || exporting != nil
      || comparing != nil
    {
      return focus != .stores || command.need != .list
    }
    if opening != nil { return focus != .stores || command.need != .list }
    if let load = keys?.load, command.need != .store, focus != .stores || command.need == .entry {
      // The list is about to be replaced, or has no selection yet.
      if load.replacement != nil || (command.need == .entry && keys?.selected == nil) {
        return true
      }
    }
    return command.need == .entry && value?.entry == .running
  }
}

extension Command {
  /// Returns a reason if no list of keys is open.
  static let needsStore: @Sendable (BrowserState) -> String? = { state in
    state.keys == nil ? Messages.noStore : nil
  }

  /// Returns a reason if no entry is selected.
  static let needsEntry: @Sendable (BrowserState) -> String? = { state in
    if let reason = needsStore(state) { return reason }
    guard let branch = state.keys?.selectedBranch else {
      return state.keys?.selected == nil ? Messages.noKey : nil
    }
    return Messages.branch(
      branch, open: state.settings.bindings.call("open"),
      openHere: state.settings.bindings.call("open-here"))
  }

  /// Returns a reason if the selected entry cannot be changed, although its store may be.
  static let needsChangeable: @Sendable (BrowserState) -> String? = { state in
    if let reason = needsWritable(state) { return reason }
    guard state.keys?.marked.isEmpty == true, let entry = state.value?.entry.value,
      entry.key == state.keys?.selected?.key
    else { return nil }
    return entry.obstacle.map(Messages.fixedFile)
  }

  /// Returns a reason if the value of the selected entry cannot be edited.
  static let needsEditable: @Sendable (BrowserState) -> String? = { state in
    if let reason = needsChangeable(state) ?? needsEntry(state) { return reason }
    let entry = state.value?.entry.value
    return entry?.key == state.keys?.selected?.key
      ? entry?.editObstacle.map(Messages.fixedValue) : nil
  }

  /// Returns a reason if values must not be copied, exported or stored because they are secrets.
  static let needsOpenValues: @Sendable (BrowserState) -> String? = { state in
    state.keys?.store.hidesValues == true ? Messages.secretStore : nil
  }

  /// Returns a reason if the store does not hide its values.
  static let needsSecrets: @Sendable (BrowserState) -> String? = { state in
    state.keys?.store.hidesValues == false ? Messages.openStore : nil
  }

  /// Returns a reason if the store cannot be changed.
  static let needsWritable: @Sendable (BrowserState) -> String? = { state in
    if let reason = needsStore(state) { return reason }
    if state.settings.isReadOnly { return state.settings.readOnlyReason }
    guard let store = state.keys?.store, !store.isWritable else { return nil }
    return Messages.fixedStore(store.readOnlyReason)
  }
}
