/// One line that is being typed at the bottom of the screen.
package struct PromptModel: Sendable, Equatable {
  /// What the line is for.
  package enum Purpose: Sendable, Equatable {
    /// The name of a command, and its argument.
    case command
    /// The filter of the list of keys, taken while it is typed.
    case filter
    /// The key of a new entry.
    case newKey(NewKeyModel)
    /// The name of a new member of a value.
    case newMember(NewMemberModel)
    /// A key to go to.
    case goTo
    /// The key of what an entry is compared with.
    case compare(CompareOrder.Place)
    /// What is looked for in the value.
    case search
    /// A location to open.
    case location
    /// The new key of an entry.
    case rename(RenameModel)
    /// What the keys that are marked are to begin with.
    case renameMarked(MarkedRenameModel)
    /// Until when entries are to count.
    case expiry(ExpiryModel)
    /// The store that entries are to be in.
    case transfer(TransferModel)
    /// What the keys of the entries to delete begin with, then their number.
    case deletePrefix(PrefixDeletionModel)
    /// The name of a theme.
    case theme(ThemeChoice)
    /// A key with a bookmark, by its notation.
    case bookmark([String])
    /// The order of the list.
    case sort(SortChoice)

    /// Whether the line means the list of keys that is shown.
    package var isAboutList: Bool {
      switch self {
      case .filter, .newKey, .newMember, .goTo, .rename, .renameMarked, .expiry, .transfer,
        .deletePrefix, .sort, .bookmark, .compare:
        true
      case .command, .location, .theme, .search: false
      }
    }

    /// Whether what can be typed is listed.
    package var isChoice: Bool {
      switch self {
      case .command, .theme, .sort, .transfer, .bookmark: true
      case .filter, .newKey, .newMember, .goTo, .location, .rename, .renameMarked, .expiry,
        .deletePrefix, .search, .compare:
        false
      }
    }
  }

  package private(set) var purpose: Purpose
  package private(set) var buffer: TextBuffer
  /// What the line said when it was opened, for leaving it as it was.
  package let initialText: String
  /// Under which id what is typed is kept, once it is.
  var draft: String?
  /// The selected suggestion.
  package private(set) var suggestion: Int?
  /// What was typed before a suggestion took its place, so that the others can still be had.
  private var typedWord: String?
  /// What the line may go on with, as far as that has to be asked for.
  var offers: [Suggestion] = []
  /// The token of the question for that, until the answer has come.
  var offering: Int?
  /// By how much the choice is to move as soon as it has come.
  var awaitedStep: Int?
  /// How many lines before the present one is shown, and what had been typed.
  private var recalled: Recalled?

  private struct Recalled: Sendable, Equatable {
    var distance: Int
    var typed: String
  }

  /// The keys of commands, where the line is about these.
  private let bindings: Bindings

  package init(_ purpose: Purpose, text: String = "", bindings: Bindings = .standard) {
    self.init(purpose, text: text, initialText: text, bindings: bindings)
  }

  /// A line that was opened with another text than it has.
  init(_ purpose: Purpose, text: String, initialText: String, bindings: Bindings = .standard) {
    self.purpose = purpose
    self.bindings = bindings
    buffer = TextBuffer(text)
    self.initialText = initialText
  }

  /// What stands before the text.
  package var label: String {
    switch purpose {
    case .command: ":"
    case .filter: "/"
    case .search: "search: "
    case .newKey: "new key: "
    case .newMember: "new member: "
    case .goTo: "go to: "
    case .compare: "compare with: "
    case .location: "open: "
    case .theme: "theme: "
    case .sort: "sort by: "
    case .bookmark: "bookmark: "
    case .rename(let rename): rename.isCopy ? "copy to key: " : "rename: "
    case .renameMarked: "begin with: "
    case .expiry: "expires: "
    case .transfer(let transfer): transfer.order.isMove ? "move to: " : "copy to: "
    case .deletePrefix(let deletion): deletion.prefix == nil ? "delete prefix: " : "number: "
    }
  }

  /// Whether deleting from an empty line leaves it; not where the text was there to be replaced.
  package var isLeftByBackspace: Bool {
    switch purpose {
    case .command, .filter, .newKey, .newMember, .goTo, .location, .theme, .sort, .transfer,
      .bookmark, .search, .compare, .expiry:
      true
    case .rename, .renameMarked, .deletePrefix: false
    }
  }

  /// Whether nothing more can be typed, as what was typed is being done.
  package var isTaken: Bool {
    rename?.renaming != nil || deletion?.deleting != nil || markedRename?.renaming != nil
      || transfer?.running != nil || expiry?.writing != nil
  }

  /// What the line may mean, best first; nothing for purposes that know no list.
  package var suggestions: [Suggestion] {
    switch purpose {
    case .command:
      offersArguments
        ? fittingOffers : Suggestion.commands(matching: typedWord ?? commandWord, bindings)
    case .theme(let choice):
      Suggestion.names(choice.names, matching: typedWord ?? buffer.text)
    case .sort(let choice): choice.suggestions(matching: typedWord ?? buffer.text)
    case .bookmark(let names): Suggestion.names(names, matching: typedWord ?? buffer.text)
    case .transfer(let transfer):
      Suggestion.names(transfer.targets.map(\.name), matching: typedWord ?? buffer.text)
    case .goTo, .location, .compare: fittingOffers
    case .filter, .newKey, .newMember, .rename, .renameMarked, .expiry, .deletePrefix, .search: []
    }
  }

  /// What is offered that begins as it is typed: of a moment ago, until the new ones have come.
  private var fittingOffers: [Suggestion] {
    let typed = typedWord ?? (purpose == .command ? argument : buffer.text)
    return offers.filter { $0.name.utf8.starts(with: typed.utf8) }
  }

  /// Whether what follows the name of a command is being typed.
  var isAtArgument: Bool {
    purpose == .command && command?.argument != nil && buffer.text.contains(" ")
  }

  /// Whether what is listed may follow the name of a command.
  var offersArguments: Bool { isAtArgument && !fittingOffers.isEmpty }

  /// What the line means of a list of names: the choice, else the best that begins as it is typed.
  var chosenName: String? {
    guard !buffer.text.isEmpty else { return nil }
    let suggestions = suggestions
    if let suggestion, suggestions.indices.contains(suggestion) {
      return suggestions[suggestion].name
    }
    return suggestions.first?.name
  }

  /// The first word of the line.
  package var commandWord: String {
    String(buffer.text.prefix { $0 != " " })
  }

  /// What follows the first word.
  package var argument: String {
    String(buffer.text.drop { $0 != " " }.drop { $0 == " " })
  }

  /// The command that the line stands for, or nil where it is none or could be several.
  package var command: Command? {
    // Where others ask, "!" means without asking; here nothing that is typed is lost.
    let word = commandWord == "q!" ? "quit" : commandWord.lowercased()
    let named = Command.all.filter(\.isInPalette)
    if let exact = named.first(where: { $0.id == word }) { return exact }
    let begun = named.filter { $0.id.hasPrefix(word) }
    return begun.count == 1 && !word.isEmpty ? begun.first : nil
  }

  /// Moves the choice among the suggestions and writes the chosen name into the line.
  package mutating func complete(by step: Int) {
    let count = suggestions.count
    guard count > 0 else { return }
    let place = suggestion.map { $0 + step } ?? (step > 0 ? 0 : count - 1)
    let chosen = (place + count) % count
    let name = suggestions[chosen].name
    if offersArguments {
      typedWord = typedWord ?? argument
      buffer = TextBuffer("\(commandWord) \(name)")
    } else if purpose == .command {
      typedWord = typedWord ?? commandWord
      buffer = TextBuffer(argument.isEmpty ? name : "\(name) \(argument)")
    } else {
      typedWord = typedWord ?? buffer.text
      buffer = TextBuffer(name)
    }
    suggestion = chosen
  }

  /// Takes the only suggestion as if it had been typed, so that what follows it can be offered.
  ///
  /// - Returns: Whether there was only that one.
  mutating func takeOnlySuggestion() -> Bool {
    guard suggestions.count == 1, suggestion != nil else { return false }
    suggestion = nil
    typedWord = nil
    return true
  }

  /// Whether an earlier line is shown, or was before the one that is typed.
  package var isRecalling: Bool { recalled != nil }

  /// Whether Up and Down go through earlier lines where they go through a list else.
  package var isAtHistory: Bool {
    purpose == .command && suggestion == nil && (isRecalling || buffer.count == 0)
  }

  /// Shows an earlier line, or a later one; after the latest, what had been typed.
  mutating func recall(by step: Int, of lines: [String]) {
    let typed = recalled?.typed ?? buffer.text
    let distance = max(0, min((recalled?.distance ?? 0) - step, lines.count))
    buffer = TextBuffer(distance == 0 ? typed : lines[lines.count - distance])
    suggestion = nil
    typedWord = nil
    recalled = Recalled(distance: distance, typed: typed)
  }

  /// The entry that gets another key, where the line is about that.
  var rename: RenameModel? {
    get { if case .rename(let rename) = purpose { rename } else { nil } }
    set { if let newValue { purpose = .rename(newValue) } }
  }

  /// The marked entries that get other keys, where the line is about that.
  var markedRename: MarkedRenameModel? {
    get { if case .renameMarked(let rename) = purpose { rename } else { nil } }
    set { if let newValue { purpose = .renameMarked(newValue) } }
  }

  /// The entries that get another expiry, where the line is about that.
  var expiry: ExpiryModel? {
    get { if case .expiry(let expiry) = purpose { expiry } else { nil } }
    set { if let newValue { purpose = .expiry(newValue) } }
  }

  /// The entries that are to be in another store, where the line is about that.
  var transfer: TransferModel? {
    get { if case .transfer(let transfer) = purpose { transfer } else { nil } }
    set { if let newValue { purpose = .transfer(newValue) } }
  }

  /// What is known of the key of a new entry, where the line is about that.
  var newKey: NewKeyModel? {
    get { if case .newKey(let look) = purpose { look } else { nil } }
    set { if let newValue { purpose = .newKey(newValue) } }
  }

  /// The new member of a value, where the line is about that.
  var newMember: NewMemberModel? {
    get { if case .newMember(let member) = purpose { member } else { nil } }
    set { if let newValue { purpose = .newMember(newValue) } }
  }

  /// The deletion of a prefix, where the line is about that.
  var deletion: PrefixDeletionModel? {
    get { if case .deletePrefix(let deletion) = purpose { deletion } else { nil } }
    set { if let newValue { purpose = .deletePrefix(newValue) } }
  }

  /// Takes the prefix that is typed; from now on the number is.
  mutating func goOnToNumber() {
    let prefix = buffer.text
    deletion?.prefix = prefix
    clear()
  }

  /// Goes back to the prefix, as there is nothing to delete with the one that was taken.
  mutating func goBackToPrefix() {
    guard let prefix = deletion?.prefix else { return }
    deletion?.prefix = nil
    buffer = TextBuffer(prefix)
  }

  /// Empties the line.
  mutating func clear() {
    buffer = TextBuffer()
  }

  /// Carries out one edit, after which the suggestions are those for what is typed.
  package mutating func apply(_ edit: TextEdit) {
    buffer.apply(edit)
    suggestion = nil
    typedWord = nil
    recalled = nil
    awaitedStep = nil
  }
}
