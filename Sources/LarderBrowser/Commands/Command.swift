import LarderModel

/// Something that a user can tell the browser to do.
///
/// The help, the line of keys at the bottom, the palette, `larder keys` and the README's table are
/// made from ``all``. A new command is its value in a file of its feature and one word in ``groups``.
package struct Command: Sendable {
  /// Where the keys of a command work.
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
    case help

    /// The panes.
    static let panes: Set<Place> = [.stores, .keys, .value]
    /// The lists over the panes.
    static let lists: Set<Place> = [.overview, .history, .differences, .changes]
  }

  /// What a command works on.
  package enum Need: Sendable {
    case nothing
    /// The list of the store that was chosen, unless the list of stores has the keys.
    case list
    /// The store that was chosen.
    case store
    /// The whole entry that was selected.
    case entry
  }

  /// The name, as it is typed after a colon.
  package let id: String
  /// What it does, in a few words.
  package let title: String
  /// What it does, in a sentence.
  package let help: String
  /// The keys that call it, as ``KeyNotation`` spells them.
  package let keys: [String]
  /// Where the keys call it.
  package let places: Set<Place>
  /// Other names that find it in the palette, and run it.
  package let aliases: [String]
  /// What follows the name, or nil where nothing does.
  package let argument: String?
  /// Whether there is nothing to run before something follows the name.
  package let needsArgument: Bool
  /// Whether its keys stand for the numbers that may follow the name, from 1.
  package let numbersKeys: Bool
  /// Whether the line at the bottom shows it.
  package let isHint: Bool
  /// What has to have been read before the command makes sense.
  package let need: Need
  /// Whether it works on what is marked.
  let isOnMarks: Bool
  /// Why the command cannot be run now, or nil if it can.
  package let unavailable: @Sendable (BrowserState) -> String?
  /// Runs the command.
  package let run: @Sendable (inout BrowserState, String) -> Effects

  /// Describes a command; `unmarked`, which those have that work on what is marked, says why there is
  /// nothing to work on where nothing is.
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

  /// Every command, in the order of the help.
  package static let all: [Command] = groups.flatMap(\.commands)

  /// Every command, under the titles of the help.
  package static let groups: [(title: String, commands: [Command])] = [
    ("Moving", movement), ("Finding and showing", finding + comparingStores + watching),
    ("Columns of a table", columns),
    ("Inside a value", reading),
    ("Changing", changing),
    ("Timed cache", caching), ("Tabs", tabbing), ("larder", program),
    ("In a comparison", comparison), ("In the overview", overview),
    ("In the history", history), ("In a comparison of stores", differences),
    ("In the list of changes", changes),
    ("In a question", dialogs), ("In the help", helping),
  ]

  /// The command of a name, or nil if there is none.
  package static func named(_ id: String) -> Command? { byName[id] }

  /// That there is no command of a name, and which was probably meant, as a sentence.
  static func missing(_ name: String) -> String {
    let advice = Nearest.advice(
      for: name, in: all.filter(\.isListed).map(\.id), otherwise: "an empty line lists them all")
    return "there is no command “\(name)”; \(advice)"
  }

  /// Whether the command of a name only goes from one thing to another.
  static func isMovement(_ id: String) -> Bool { movement.contains { $0.id == id } }

  private static let byName = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }

  /// The only command of the palette that fulfils a condition; nil where none or several do.
  static func onlyListed(_ condition: (Command) -> Bool) -> Command? {
    let found = all.filter { $0.isListed && condition($0) }
    return found.count == 1 ? found.first : nil
  }

  /// Whether the palette lists the command: not those whose keys everybody knows.
  package var isListed: Bool {
    isInPalette && id != "palette" && (argument != nil || !Self.isMovement(id))
  }

  /// Whether the command can be called by name; those that answer a question cannot.
  package var isInPalette: Bool {
    places.contains(.stores) || places.contains(.keys) || places.contains(.value)
  }
}

extension BrowserState {
  /// Opens the list of commands, those that were run last first.
  mutating func openPalette() -> Effects {
    var recent: [String] = []
    let prompt = CommandPrompt()
    for line in history.lines(of: prompt).reversed() where recent.count < 5 {
      let id = String(line.prefix { $0 != " " })
      if !recent.contains(id) { recent.append(id) }
    }
    overlay = .prompt(
      PromptModel(CommandPrompt(bindings: settings.bindings, recent: recent)))
    return []
  }

  /// Whether a command has to wait for a read that is under way.
  ///
  /// A user who types ahead means the entry that is being read, not the one that is still on
  /// screen; what follows may be text for an editor that is not open yet.
  package func isTooEarly(for command: Command) -> Bool {
    // What is marked is read before there can be a yes.
    if case .confirm(let confirm) = overlay, confirm.reading != nil { return command.id == "yes" }
    // What is typed for a value is meant for what it will be.
    if overlay == nil, focus == .value, value?.isMoving == true,
      command.need == .entry || Command.isMovement(command.id)
    {
      return true
    }
    if case .history(let model) = overlay {
      return command.id != "close"
        && (model.isBusy || undo.replaying != nil || undo.bringingBack != nil)
    }
    if storeDifferences != nil, undo.replaying != nil { return command.id != "close" }
    guard overlay == nil, command.need != .nothing else { return false }
    // What is typed ahead means the list as it will be.
    if undo.replaying != nil || undo.bringingBack != nil || keys?.seeking != nil {
      return focus != .stores || command.need != .list
    }
    if keys?.times?.asked != nil || keys?.markingAll != nil || keys?.asking != nil || taking != nil
      || comparing != nil
    {
      return focus != .stores || command.need != .list
    }
    if opening != nil { return focus != .stores || command.need != .list }
    if let load = keys?.load, command.need != .store, focus != .stores || command.need == .entry {
      // The list will be another one, or has nothing yet that could be meant.
      if load.replacement != nil || (command.need == .entry && keys?.selected == nil) {
        return true
      }
    }
    return command.need == .entry && value?.entry == .running
  }
}

extension Command {
  /// A reason for commands that need a list of keys.
  static let needsStore: @Sendable (BrowserState) -> String? = { state in
    state.keys == nil ? "no store is open" : nil
  }

  /// A reason for commands that need a selected entry.
  static let needsEntry: @Sendable (BrowserState) -> String? = { state in
    if let reason = needsStore(state) { return reason }
    guard let branch = state.keys?.selectedBranch else {
      return state.keys?.selected == nil ? "no key is selected" : nil
    }
    return "“\(branch)” is a branch of keys; \(state.settings.bindings.call("open")) opens it, "
      + "\(state.settings.bindings.call("open-here")) lists only the keys in it"
  }

  /// A reason for commands that would show values to others, or keep them.
  static let needsOpenValues: @Sendable (BrowserState) -> String? = { state in
    state.keys?.store.hidesValues == true ? "the values of this store are secrets" : nil
  }

  /// A reason for commands that need values that are hidden until somebody asks.
  static let needsSecrets: @Sendable (BrowserState) -> String? = { state in
    state.keys?.store.hidesValues == false ? "this store shows its values" : nil
  }

  /// A reason for commands that change the store.
  static let needsWritable: @Sendable (BrowserState) -> String? = { state in
    if let reason = needsStore(state) { return reason }
    if state.settings.isReadOnly { return state.settings.readOnlyReason }
    guard let store = state.keys?.store, !store.isWritable else { return nil }
    return "this store cannot be changed" + (store.readOnlyReason.map { ": \($0)" } ?? "")
  }
}
