package import LarderModel

/// The whole state of the browser, as a value.
///
/// Only `update(_:)` changes it, which does not use the clock, the disk, any store or the terminal.
/// It returns external work as effects, whose results come back as actions.
package struct BrowserState: Sendable, Equatable {
  /// The panes that can have focus.
  package enum Focus: Sendable, Hashable, CaseIterable {
    case stores
    case keys
    case value
  }

  /// The current tab, whose parts are available as parts of the state.
  var tab = TabModel()
  /// The other tabs.
  package internal(set) var tabs = TabsModel()
  /// The open locations.
  package var stores = StoresModel()
  /// The overlay shown above the panes.
  ///
  /// Closing it shows the list that it covers again.
  package var overlay: Overlay? {
    didSet {
      guard overlay == nil, let list = coveredList else { return }
      coveredList = nil
      overlay = list
    }
  }
  /// The overlay list that another overlay covers, which is shown again once that is closed.
  var coveredList: Overlay?
  /// The log of messages.
  package internal(set) var messages = MessageLog()
  /// The history of submitted prompts.
  var history = PromptHistory()
  /// The drafts of typed text.
  package var drafts: DraftsModel
  /// The undo and redo in progress.
  package internal(set) var undo = UndoModel()
  /// The bulk change in progress.
  package var work: BulkChangeModel?
  /// The copy or export of entries in progress.
  package var exporting: ExportInProgress?
  /// The token of the comparison in progress.
  package var comparing: Int?
  /// The state of displayed and copied secrets.
  var secrets = SecretsModel()
  /// The themes.
  package internal(set) var themes: ThemesModel
  /// The settings from launch.
  package let settings: BrowserSettings
  /// The layout of the panes.
  package var viewport = Viewport()
  /// The positions of dragged dividers, in screen columns.
  package var dividers: [Focus: Int] = [:]
  /// The current time.
  package internal(set) var clock = ClockModel()
  /// Whether the focused pane fills the whole width.
  package var isZoomed = false
  /// The number typed before a command.
  package internal(set) var typedNumber: TypedNumber?
  /// Whether the user has quit.
  package var isFinished = false

  private var lastToken = 0

  /// Creates the state of a browser without open stores, which stores drafts only with a session.
  package init(
    theme: String = "default", themes: [String] = [], session: String? = nil,
    settings: BrowserSettings = BrowserSettings()
  ) {
    self.settings = settings
    drafts = DraftsModel(session: session)
    self.themes = ThemesModel(shown: theme, first: theme, names: themes)
  }

  /// Returns a token that was not used before.
  mutating func newToken() -> Int {
    lastToken += 1
    return lastToken
  }

  /// Creates a ticket, whose token the caller must store at `place`.
  mutating func ticket(_ place: @escaping @Sendable (BrowserState) -> Int?) -> Ticket {
    Ticket(newToken(), place)
  }

  /// Returns a key as displayed for the current store, or for another one.
  package func text(of key: EntryKey, in reference: StoreReference? = nil) -> String {
    let store = reference == nil ? keys?.store : reference.flatMap(shownStore)
    return key.shown(store?.keyStyle ?? .typed)
  }

  /// Returns the notation of a listed key for a question; for a row whose key is a number, with its
  /// title.
  package func titledText(of key: EntryKey) -> String {
    guard case .integer = key, let title = keys?.title(of: key) else { return text(of: key) }
    return "\(text(of: key)) (\(title))"
  }

  /// Returns the summary of a store that a tab shows.
  func shownStore(_ reference: StoreReference) -> StoreSummary? {
    keys?.store.reference == reference ? keys?.store : tabs.store(reference)
  }
}
