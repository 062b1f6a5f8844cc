/// One line that is being typed at the bottom of the screen.
package struct PromptModel: Sendable, Equatable {
  /// Something to say above the line that is typed.
  package struct Notice: Sendable, Equatable {
    package var text: String
    /// Whether it says why the line cannot be taken.
    package var isProblem = false
    /// Whether it is about something that cannot be missed.
    package var isDangerous = false
  }

  /// What a line may go on with.
  package struct OfferRequest {
    /// What is known already; nil where what was found before stays until the rest has been found.
    var known: [Suggestion]?
    /// What has to be found out; nil where that is nothing.
    var query: OfferQuery?
  }

  private var purposeBox: AnyPromptPurpose

  /// What the line is for.
  package private(set) var purpose: any PromptPurpose {
    get { purposeBox.value }
    set { purposeBox.value = newValue }
  }
  package private(set) var buffer: TextBuffer
  /// What the line said when it was opened, for leaving it as it was.
  package let initialText: String
  /// Under which id what is typed is kept, once it is.
  var draft: String?
  /// The selected suggestion.
  private(set) var suggestion: Int?
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

  package init(_ purpose: some PromptPurpose, text: String = "") {
    self.init(purpose, text: text, initialText: text)
  }

  /// A line that was opened with another text than it has.
  init(_ purpose: some PromptPurpose, text: String, initialText: String) {
    purposeBox = AnyPromptPurpose(value: purpose)
    buffer = TextBuffer(text)
    self.initialText = initialText
  }

  /// The purpose, where it is one of a type; another type of purpose stays as it is.
  subscript<Purpose: PromptPurpose>(_ type: Purpose.Type) -> Purpose? {
    get { purpose as? Purpose }
    set { if let newValue, purpose is Purpose { purpose = newValue } }
  }

  /// What stands before the text.
  package var label: String { purpose.label }

  /// Whether nothing more can be typed, as what was typed is being done.
  package var isTaken: Bool { purpose.isTaken }

  /// What the line would do, or why it cannot be taken; nil where there is nothing to say.
  package var notice: Notice? { purpose.notice(for: self) }

  /// What the line may mean, best first; nothing for purposes that know no list.
  package var suggestions: [Suggestion] { purpose.suggestions(for: self) }

  /// What was typed that the suggestions are for, also where one of them has taken its place.
  var wordToMatch: String { typedWord ?? purpose.word(of: self) }

  /// What is offered that begins with a word, or with what was typed before a suggestion took its
  /// place: of a moment ago, until the new ones have come.
  func offers(beginningWith word: String) -> [Suggestion] {
    let typed = typedWord ?? word
    return offers.filter { $0.name.utf8.starts(with: typed.utf8) }
  }

  /// What the line means of a list of names: the choice, else the best that begins as it is typed.
  var chosenName: String? {
    guard !buffer.text.isEmpty else { return nil }
    let suggestions = suggestions
    if let suggestion, suggestions.indices.contains(suggestion) {
      return suggestions[suggestion].name
    }
    return suggestions.first?.name
  }

  /// The suggestion that Enter takes, by its place in the list; nil for none of them.
  package var highlighted: Int? {
    suggestion ?? (purpose.takesFirst(self) && !suggestions.isEmpty ? 0 : nil)
  }

  /// Moves the choice among the suggestions and writes the chosen name into the line.
  package mutating func complete(by step: Int) {
    let count = suggestions.count
    guard count > 0 else { return }
    let place = suggestion.map { $0 + step } ?? (step > 0 ? 0 : count - 1)
    let chosen = (place + count) % count
    let text = purpose.text(of: self, completedBy: suggestions[chosen].name)
    typedWord = wordToMatch
    buffer = TextBuffer(text)
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
    purpose is CommandPrompt && suggestion == nil && (isRecalling || buffer.count == 0)
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

  /// Makes the line another text.
  mutating func replaceText(with text: String) {
    buffer = TextBuffer(text)
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
