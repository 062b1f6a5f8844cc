package import LarderModel

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

  /// What is shown, whose parts are parts of the state, too.
  var tab = TabModel()
  /// The tabs beside it.
  package internal(set) var tabs = TabsModel()
  /// The open locations.
  package var stores = StoresModel()
  /// What lies over the panes.
  package var overlay: Overlay? {
    didSet {
      guard overlay == nil, let list = coveredList else { return }
      coveredList = nil
      overlay = list
    }
  }
  /// The list over the panes that something lies over, which comes back once that is closed.
  var coveredList: Overlay?
  /// What was said.
  package internal(set) var messages = MessageLog()
  /// The lines that were taken so far.
  var history = PromptHistory()
  /// What is kept of the text that is typed.
  package var drafts: DraftsModel
  /// What is taken back or made again.
  package internal(set) var undo = UndoModel()
  /// The change of many entries that is under way.
  package var work: WorkModel?
  /// What is being read to be copied or exported.
  package var taking: Taking?
  /// The token of the comparison of two values that is under way.
  package var comparing: Int?
  /// What is known of secrets that are copied.
  var secrets = SecretsModel()
  /// The themes.
  package internal(set) var themes: ThemesModel
  /// What the program was started with.
  package let settings: BrowserSettings
  /// How the panes are laid out.
  package var viewport = Viewport()
  /// Where the dividers were dragged to, in columns.
  package var dividers: [Focus: Int] = [:]
  /// What time it is.
  package internal(set) var clock = ClockModel()
  /// Whether the pane that has the keys takes the whole width.
  package var isZoomed = false
  /// The number that is being typed before a command.
  package internal(set) var typedNumber: TypedNumber?
  /// Whether the program is over.
  package var isFinished = false

  private var lastToken = 0

  /// Creates the state of a browser that has nothing open; with a session, typed text is kept.
  package init(
    theme: String = "default", themes: [String] = [], session: String? = nil,
    settings: BrowserSettings = BrowserSettings()
  ) {
    self.settings = settings
    drafts = DraftsModel(session: session)
    self.themes = ThemesModel(shown: theme, first: theme, names: themes)
  }

  /// A number that no question has had yet.
  mutating func newToken() -> Int {
    lastToken += 1
    return lastToken
  }

  /// A new question, whose token is kept at a place from now on by whoever asks.
  mutating func ticket(_ place: @escaping @Sendable (BrowserState) -> Int?) -> Ticket {
    Ticket(newToken(), place)
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
}
