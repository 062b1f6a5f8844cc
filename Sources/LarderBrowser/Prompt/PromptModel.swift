/// A single-line prompt at the bottom of the screen.
package struct PromptModel: Sendable, Equatable {
  /// A note displayed above the prompt.
  package struct Notice: Sendable, Equatable {
    package var text: String
    /// Whether the note is a reason that the line cannot be submitted.
    package var isProblem = false
    /// Whether the note is a prominent warning.
    package var isDangerous = false
  }

  /// A request for completions.
  package struct CompletionRequest {
    /// The completions that are already known, or `nil` to show the previous ones until the query
    /// is answered.
    var known: [Suggestion]?
    /// The query for the completions, or `nil` if none is needed.
    var query: CompletionQuery?
  }

  private var purposeBox: AnyPromptPurpose

  /// The purpose of the prompt.
  package private(set) var purpose: any PromptPurpose {
    get { purposeBox.value }
    set { purposeBox.value = newValue }
  }
  package private(set) var buffer: TextBuffer
  /// The text at the beginning, for detecting changes.
  package let initialText: String
  /// The id of the draft, once there is one.
  var draft: String?
  /// The index of the selected suggestion.
  private(set) var suggestion: Int?
  /// The word that was typed before a suggestion replaced it, so that the other suggestions remain
  /// available.
  private var typedWord: String?
  /// The completions that were requested.
  var offers: [Suggestion] = []
  /// The token of the request in progress.
  var offering: Int?
  /// The movement of the selection to apply when the completions arrive.
  var awaitedStep: Int?
  /// The position in the history, and the text typed before.
  private var recalled: Recalled?

  private struct Recalled: Sendable, Equatable {
    var distance: Int
    var typed: String
  }

  package init(_ purpose: some PromptPurpose, text: String = "") {
    self.init(purpose, text: text, initialText: text)
  }

  /// Creates a prompt whose text already differs from its initial text.
  init(_ purpose: some PromptPurpose, text: String, initialText: String) {
    purposeBox = AnyPromptPurpose(value: purpose)
    buffer = TextBuffer(text)
    self.initialText = initialText
  }

  /// The purpose, if it has the given type.
  ///
  /// Setting it has no effect if the current purpose has another type.
  subscript<Purpose: PromptPurpose>(_ type: Purpose.Type) -> Purpose? {
    get { purpose as? Purpose }
    set { if let newValue, purpose is Purpose { purpose = newValue } }
  }

  /// The label before the text.
  package var label: String { purpose.label }

  /// Whether the action of the prompt is in progress, so that nothing can be typed.
  package var isTaken: Bool { purpose.isTaken }

  /// The note above the prompt: the effect of the line or the reason that it is not valid.
  package var notice: Notice? { purpose.notice(for: self) }

  /// The suggestions for the text, best first, which are ranked on each call.
  package var suggestions: [Suggestion] { purpose.suggestions(for: self) }

  /// The typed word that the suggestions are for, even if one of them has replaced it.
  var wordToMatch: String { typedWord ?? purpose.word(of: self) }

  /// Returns the completions with a prefix: `word`, or the word that was typed before a suggestion
  /// replaced it.
  ///
  /// These are the previous completions until the new ones arrive.
  func offers(beginningWith word: String) -> [Suggestion] {
    let typed = typedWord ?? word
    return offers.filter { $0.name.utf8.starts(with: typed.utf8) }
  }

  /// The selected suggestion or else the best one, or `nil` if the text is empty.
  var chosenName: String? {
    guard !buffer.text.isEmpty else { return nil }
    let suggestions = suggestions
    if let suggestion, suggestions.indices.contains(suggestion) {
      return suggestions[suggestion].name
    }
    return suggestions.first?.name
  }

  /// Returns the index of the suggestion that Enter accepts, or `nil` if there is none.
  package func highlighted(of suggestions: [Suggestion]) -> Int? {
    suggestion ?? (purpose.takesFirst(self) && !suggestions.isEmpty ? 0 : nil)
  }

  /// Moves the selection among the suggestions and inserts the selected name.
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

  /// Accepts a suggestion that is the only one as if it had been typed, so that completions of what
  /// follows can be shown.
  ///
  /// - Returns: Whether it was the only one.
  mutating func acceptOnlySuggestion() -> Bool {
    guard suggestions.count == 1, suggestion != nil else { return false }
    suggestion = nil
    typedWord = nil
    return true
  }

  /// Whether the user has gone through the history since the last edit.
  package var isRecalling: Bool { recalled != nil }

  /// Whether Up and Down go through the history rather than the suggestions.
  package var isAtHistory: Bool {
    purpose is CommandPrompt && suggestion == nil && (isRecalling || buffer.count == 0)
  }

  /// Shows an earlier or later line of the history; after the newest, the typed text.
  mutating func recall(by step: Int, of lines: [String]) {
    let typed = recalled?.typed ?? buffer.text
    let distance = max(0, min((recalled?.distance ?? 0) - step, lines.count))
    buffer = TextBuffer(distance == 0 ? typed : lines[lines.count - distance])
    suggestion = nil
    typedWord = nil
    recalled = Recalled(distance: distance, typed: typed)
  }

  /// Replaces the text.
  mutating func replaceText(with text: String) {
    buffer = TextBuffer(text)
  }

  /// Applies an edit and resets the suggestions to those for the new text.
  package mutating func apply(_ edit: TextEdit) {
    buffer.apply(edit)
    suggestion = nil
    typedWord = nil
    recalled = nil
    awaitedStep = nil
  }
}
