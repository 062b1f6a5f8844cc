/// The purpose of a prompt, which defines its label, its suggestions and its action.
///
/// A feature with a prompt defines its own purpose and opens the prompt with a value of it. The
/// default implementations describe a plain prompt, which Enter submits and Esc closes.
package protocol PromptPurpose: Sendable, Equatable {
  /// The label before the text.
  var label: String { get }

  /// The title of the box around the prompt, if it lists suggestions.
  var heading: String { get }

  /// The purpose with which this one shares its history.
  static var history: any PromptPurpose.Type { get }

  /// The store whose lines the history contains, or `nil` if it is common to all stores.
  var historyStore: StoreReference? { get }

  /// Whether the prompt is about the current list, and closes with it.
  var isAboutList: Bool { get }

  /// Whether the suggestions are listed, so that Up and Down select one.
  var isChoice: Bool { get }

  /// Whether deleting in an empty prompt closes it, which does not apply if there was initial text.
  var isLeftByBackspace: Bool { get }

  /// Whether the action of the prompt is in progress, so that nothing can be typed.
  var isTaken: Bool { get }

  /// Whether the line answers a question, so that it is not added to the history.
  var isAnswer: Bool { get }

  /// Whether the text is a secret, so that dots are shown instead.
  var isHidden: Bool { get }

  /// The kind of draft for the text, or `nil` if it has no draft.
  var draftLine: Draft.Line? { get }

  /// Returns the part of the line that the suggestions are for.
  func word(of line: PromptModel) -> String

  /// Returns the line with that part replaced by the name of a suggestion.
  func text(of line: PromptModel, completedBy name: String) -> String

  /// Returns the suggestions for the line, best first.
  func suggestions(for line: PromptModel) -> [Suggestion]

  /// Returns whether Enter accepts the first suggestion if none is selected.
  func takesFirst(_ line: PromptModel) -> Bool

  /// Returns the text to display if nothing matches the line.
  func emptyText(for line: PromptModel) -> String

  /// Returns the reason that a suggestion is not available now, or `nil` if it is.
  func obstacle(to suggestion: Suggestion, of line: PromptModel, in state: BrowserState) -> String?

  /// Returns the line for the history, or an empty string to leave it out.
  func lineToRemember(_ line: PromptModel) -> String

  /// Returns the note above the prompt, or `nil` if there is none.
  func notice(for line: PromptModel) -> PromptModel.Notice?

  /// Returns the request for completions, or `nil` if none are needed.
  func offers(for line: PromptModel, in state: BrowserState) -> PromptModel.CompletionRequest?

  /// Responds to a change of the text.
  func typed(in state: inout BrowserState) -> Effects

  /// Responds to Tab; returns `nil` to complete the line.
  func completed(in state: inout BrowserState) -> Effects?

  /// Previews the effect of the line after a suggestion was selected.
  func preview(_ line: PromptModel, in state: inout BrowserState) -> Effects

  /// Responds to Enter while the prompt is still open.
  ///
  /// By default, closes the prompt and calls `take(_:in:)`.
  func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects

  /// Performs the action for a line after the prompt was closed.
  func take(_ line: PromptModel, in state: inout BrowserState) -> Effects

  /// Responds to Esc after the prompt was closed.
  func left(_ line: PromptModel, in state: inout BrowserState) -> Effects
}

extension PromptPurpose {
  package static var history: any PromptPurpose.Type { Self.self }
  package var historyStore: StoreReference? { nil }
  package var heading: String {
    let name = label.prefix { $0 != ":" }
    return name.prefix(1).uppercased() + name.dropFirst()
  }
  package var isAboutList: Bool { true }
  package var isChoice: Bool { false }
  package var isLeftByBackspace: Bool { true }
  package var isTaken: Bool { false }
  package var isAnswer: Bool { false }
  package var isHidden: Bool { false }
  package var draftLine: Draft.Line? { nil }

  package func word(of line: PromptModel) -> String { line.buffer.text }
  package func text(of line: PromptModel, completedBy name: String) -> String { name }
  package func suggestions(for line: PromptModel) -> [Suggestion] { [] }
  package func takesFirst(_ line: PromptModel) -> Bool {
    isChoice && !line.buffer.text.isEmpty
  }
  package func emptyText(for line: PromptModel) -> String {
    Messages.noMatch(line.buffer.text)
  }
  package func obstacle(
    to suggestion: Suggestion, of line: PromptModel, in state: BrowserState
  ) -> String? { nil }
  package func lineToRemember(_ line: PromptModel) -> String { line.buffer.text }
  package func notice(for line: PromptModel) -> PromptModel.Notice? { nil }
  package func offers(
    for line: PromptModel, in state: BrowserState
  ) -> PromptModel.CompletionRequest? { nil }

  package func typed(in state: inout BrowserState) -> Effects { [] }
  package func completed(in state: inout BrowserState) -> Effects? { nil }
  package func preview(_ line: PromptModel, in state: inout BrowserState) -> Effects { [] }
  package func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.overlay = nil
    return take(line, in: &state)
  }
  package func take(_ line: PromptModel, in state: inout BrowserState) -> Effects { [] }
  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects { [] }

  func isEqual(to other: any PromptPurpose) -> Bool { other as? Self == self }
}

/// A box that makes any prompt purpose equatable.
struct AnyPromptPurpose: Sendable, Equatable {
  var value: any PromptPurpose

  static func == (left: Self, right: Self) -> Bool { left.value.isEqual(to: right.value) }
}

/// A prompt whose action is a change that can fail.
protocol PromptWork: PromptPurpose {
  /// The reason that the action is not possible, as far as it is known.
  var problem: String? { get set }
  /// The token of the change in progress.
  var running: Int? { get set }
  /// The note displayed while the change is in progress.
  var progress: String { get }
  /// Returns a note that describes the effect of the line.
  func plan(for line: PromptModel) -> PromptModel.Notice
}

extension PromptWork {
  package var isTaken: Bool { running != nil }

  package func notice(for line: PromptModel) -> PromptModel.Notice? {
    if running != nil { return PromptModel.Notice(text: progress) }
    return problem.map { PromptModel.Notice(text: $0, isProblem: true) } ?? plan(for: line)
  }

  /// Clears the problem, which may not apply to the new text.
  package func typed(in state: inout BrowserState) -> Effects {
    state.typedLine?[Self.self]?.problem = nil
    return []
  }

  /// Begins the action.
  mutating func begin(_ token: Int) {
    running = token
    problem = nil
  }

  /// Ends the action with an error.
  mutating func end(_ reason: String) {
    running = nil
    problem = reason
  }
}
