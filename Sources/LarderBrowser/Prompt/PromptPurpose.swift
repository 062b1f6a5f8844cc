/// What a line at the bottom of the screen is typed for: what stands before it, what it may go on
/// with, and what becomes of it.
///
/// A feature that asks for a line makes a value of its own purpose and opens the line with it. What
/// is not said by a purpose is as in a plain line, which is taken by Enter and left by Esc.
package protocol PromptPurpose: Sendable, Equatable {
  /// What stands before the text.
  var label: String { get }

  /// The title of the box that the line is typed in, where what can be typed is listed.
  var heading: String { get }

  /// The purpose with which this one shares its earlier lines.
  static var history: any PromptPurpose.Type { get }

  /// Whether the line means the list that is shown, and goes with it.
  var isAboutList: Bool { get }

  /// Whether what can be typed is listed, so that Up and Down choose from it.
  var isChoice: Bool { get }

  /// Whether deleting from an empty line leaves it; not where text was there to be replaced.
  var isLeftByBackspace: Bool { get }

  /// Whether nothing more can be typed, as what was typed is being done.
  var isTaken: Bool { get }

  /// Whether what is typed answers a question, and is no line to be had again.
  var isAnswer: Bool { get }

  /// What a draft of the line is called; nil where what is typed is not kept for a later run.
  var draftLine: Draft.Line? { get }

  /// The part of a line that its suggestions are for.
  func word(of line: PromptModel) -> String

  /// The line with the name of a suggestion in the place of that part.
  func text(of line: PromptModel, completedBy name: String) -> String

  /// What the line may mean, best first.
  func suggestions(for line: PromptModel) -> [Suggestion]

  /// Whether Enter takes the first suggestion where none was chosen.
  func takesFirst(_ line: PromptModel) -> Bool

  /// What the list says where nothing matches the line.
  func emptyText(for line: PromptModel) -> String

  /// Why a suggestion cannot be taken now; nil where it can.
  func obstacle(to suggestion: Suggestion, of line: PromptModel, in state: BrowserState) -> String?

  /// The line as it can be had again; empty where it is not worth that.
  func lineToRemember(_ line: PromptModel) -> String

  /// What to say above the line; nil where there is nothing to say.
  func notice(for line: PromptModel) -> PromptModel.Notice?

  /// What the line may go on with, as far as that has to be found out; nil where that is nothing.
  func offers(for line: PromptModel, in state: BrowserState) -> PromptModel.OfferRequest?

  /// Does what follows from another text in the line.
  func typed(in state: inout BrowserState) -> Effects

  /// Does what Tab does, where that is something else than completing the line; nil where it is not.
  func completed(in state: inout BrowserState) -> Effects?

  /// Shows what the line stands for now, after a suggestion was chosen.
  func preview(_ line: PromptModel, in state: inout BrowserState) -> Effects

  /// Does what Enter does while the line is still open: unless a purpose says otherwise, closes it and
  /// takes what was typed.
  func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects

  /// Takes what was typed in a line that is closed.
  func take(_ line: PromptModel, in state: inout BrowserState) -> Effects

  /// Does what follows from leaving the line, which is closed.
  func left(_ line: PromptModel, in state: inout BrowserState) -> Effects
}

extension PromptPurpose {
  package static var history: any PromptPurpose.Type { Self.self }
  package var heading: String {
    let name = label.prefix { $0 != ":" }
    return name.prefix(1).uppercased() + name.dropFirst()
  }
  package var isAboutList: Bool { true }
  package var isChoice: Bool { false }
  package var isLeftByBackspace: Bool { true }
  package var isTaken: Bool { false }
  package var isAnswer: Bool { false }
  package var draftLine: Draft.Line? { nil }

  package func word(of line: PromptModel) -> String { line.buffer.text }
  package func text(of line: PromptModel, completedBy name: String) -> String { name }
  package func suggestions(for line: PromptModel) -> [Suggestion] { [] }
  package func takesFirst(_ line: PromptModel) -> Bool {
    isChoice && !line.buffer.text.isEmpty
  }
  package func emptyText(for line: PromptModel) -> String {
    "Nothing matches “\(line.buffer.text)”."
  }
  package func obstacle(
    to suggestion: Suggestion, of line: PromptModel, in state: BrowserState
  ) -> String? { nil }
  package func lineToRemember(_ line: PromptModel) -> String { line.buffer.text }
  package func notice(for line: PromptModel) -> PromptModel.Notice? { nil }
  package func offers(
    for line: PromptModel, in state: BrowserState
  ) -> PromptModel.OfferRequest? { nil }

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

/// An equatable box around a prompt purpose.
struct AnyPromptPurpose: Sendable, Equatable {
  var value: any PromptPurpose

  static func == (left: Self, right: Self) -> Bool { left.value.isEqual(to: right.value) }
}

/// A prompt whose Enter starts a change that can fail.
protocol PromptWork: PromptPurpose {
  /// Why it cannot be done, as far as is known.
  var problem: String? { get set }
  /// The token of the change, once it is under way.
  var running: Int? { get set }
  /// What is said while it is under way.
  var progress: String { get }
  /// What would be done with what is typed.
  func plan(for line: PromptModel) -> PromptModel.Notice
}

extension PromptWork {
  package var isTaken: Bool { running != nil }

  package func notice(for line: PromptModel) -> PromptModel.Notice? {
    if running != nil { return PromptModel.Notice(text: progress) }
    return problem.map { PromptModel.Notice(text: $0, isProblem: true) } ?? plan(for: line)
  }

  /// Another text may be one that can be taken.
  package func typed(in state: inout BrowserState) -> Effects {
    state.typedLine?[Self.self]?.problem = nil
    return []
  }

  /// Notes that the change is under way.
  mutating func begin(_ token: Int) {
    running = token
    problem = nil
  }

  /// Notes that the change was refused.
  mutating func end(_ reason: String) {
    running = nil
    problem = reason
  }
}
