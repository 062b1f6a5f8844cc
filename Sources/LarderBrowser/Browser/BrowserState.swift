package import LarderModel
package import Foundation

/// Everything that the browser shows, as a value.
///
/// It changes by `update(_:)` alone, which touches no clock, disk, store or terminal: what has to
/// happen outside is returned as effects, and comes back as actions.
package struct BrowserState: Sendable, Equatable {
  /// The parts of the screen that can have the keys.
  package enum Focus: Sendable, Hashable, CaseIterable {
    case stores
    case keys
    case value
  }

  /// The tabs beside the one whose parts are here.
  package internal(set) var tabs = TabsModel()
  /// The pane that has the keys.
  package var focus: Focus = .stores
  /// The open locations.
  package var stores = StoresModel()
  /// The list of the store that is shown.
  package var keys: KeysModel?
  /// The value of the selected entry.
  package var value: ValueModel?
  /// The timed cache, while it is looked at.
  package var cache: CacheModel?
  /// What lies over the panes.
  package var overlay: Overlay?
  /// What was said last.
  package var message: Message? {
    didSet { if let message, message != oldValue { messages.add(message) } }
  }
  /// What was said so far.
  package private(set) var messages = MessageLog()
  /// The lines that were taken so far.
  var history = PromptHistory()
  /// Whether the person went to a pane since a store was asked for, which then leaves the keys there.
  var isPaneChosen = false
  /// Whether the person went into the list from the stores, which Esc goes back to.
  var isListEntered = false
  /// The location that was asked for last.
  var awaited: AwaitedLocation?
  /// Where the person was.
  package var jumps = JumpList()
  /// What was shown of stores that were left for others.
  var visits: [StoreReference: JumpList.Visit] = [:]
  /// The place that is shown once its store is open.
  var travelling: JumpList.Place?
  /// The list before a key was sought that was typed, until it is there.
  package var departure: Departure?
  /// How many places there were to go back to when each of the links was followed.
  var followed: [Int] = []
  /// What is being opened.
  package var opening: StoreReference?
  /// The step that is being taken back or made again.
  package var replaying: Replay?
  /// What a refused step was to do, which is being done over what somebody else has made.
  package internal(set) var bringingBack: RefusedReplay?
  /// The deletion of many entries that is under way.
  package var work: WorkModel?
  /// What is being read to be copied or exported.
  package var taking: Taking?
  /// The token of the secret that is being read to be copied; nil where there is none.
  var secretReading: Int?
  /// Whether a secret was copied last, and may still be on the clipboard.
  var hasSecretCopy = false
  /// The token of the comparison of two values that is under way.
  package var comparing: Int?
  /// Tabs of an earlier start that were closed as their location could not be opened.
  var missing: [TabModel] = []
  /// What is kept of the text that is typed.
  package var drafts: DraftsModel
  /// The name of the theme.
  package var theme: String
  /// The one that it was started with.
  let firstTheme: String
  /// The names of the themes there are.
  package let themes: [String]
  /// What ends a branch of a tree, where that was said on the command line.
  package let delimiter: String?
  /// Whether nothing may be written.
  package let isReadOnly: Bool
  /// Who has said so, as a sentence.
  let readOnlyReason: String
  /// The keys that call commands.
  package let bindings: Bindings
  /// The paths of stores to be warned of, with `*` and `?` for letters.
  let precious: [String]
  /// How the panes are laid out.
  package var viewport = Viewport()
  /// Where the dividers were dragged to, in columns.
  package var dividers: [Focus: Int] = [:]
  /// What the time is, while something on screen depends on it.
  package internal(set) var time: Date?
  /// Whether the time has passed on since it was told, as nothing on screen depended on it.
  var isTimeOld = false
  /// Whether it will be told what the time is then.
  var isCountingDown = false
  /// Whether a tick is on its way.
  package var isTicking = false
  /// Whether the program is over.
  package var isFinished = false

  private var lastToken = 0
  /// How often a warning or an error was said.
  private(set) var warningCount = 0
  /// How often a command was refused: what was typed ahead of that was meant for what it would have
  /// done.
  package private(set) var refusalCount = 0

  /// Creates the state of a browser that has nothing open; with a session, typed text is kept.
  package init(
    theme: String = "default", themes: [String] = [], isReadOnly: Bool = false,
    readOnlyReason: String = "larder was started with --read-only", delimiter: String? = nil,
    session: String? = nil, bindings: Bindings = .standard,
    precious: [String] = []
  ) {
    self.bindings = bindings
    self.precious = precious
    drafts = DraftsModel(session: session)
    self.theme = theme
    firstTheme = theme
    self.themes = themes
    self.isReadOnly = isReadOnly
    self.readOnlyReason = readOnlyReason
    self.delimiter = delimiter
  }

  /// A number that no reply has carried yet.
  mutating func newToken() -> Int {
    lastToken += 1
    return lastToken
  }

  /// A key as this screen writes it, or as the screen of another store does.
  package func text(of key: EntryKey, in reference: StoreReference? = nil) -> String {
    let store = reference == nil ? keys?.store : reference.flatMap(shownStore)
    return key.shown(store?.keyStyle ?? .typed)
  }

  /// What is known of a store that a tab shows.
  func shownStore(_ reference: StoreReference) -> StoreSummary? {
    keys?.store.reference == reference ? keys?.store : tabs.store(reference)
  }

  /// Says something in the last lines of the screen.
  mutating func say(_ text: String, _ kind: Message.Kind = .info) {
    if kind != .info { warningCount += 1 }
    message = Message(text, kind)
  }

  /// Takes back what was said last, as it was not so.
  mutating func withdrawMessage() {
    if let message { messages.remove(message) }
    message = nil
  }

  /// Says why what was asked for is not done, where that is known only from a reply.
  mutating func refuse(_ text: String, _ kind: Message.Kind = .warning) {
    say(text, kind)
    refusalCount += 1
  }

  /// Takes note of a refusal where an action of the person's has led to a warning and to nothing else.
  ///
  /// Where text is typed, what follows is text and calls no command.
  mutating func noteRefusal(_ effects: [BrowserEffect], warningsBefore: Int) {
    let isNothing = effects.allSatisfy { if case .cancel = $0 { true } else { false } }
    if isNothing, warningCount > warningsBefore, !isTyping { refusalCount += 1 }
  }
}
