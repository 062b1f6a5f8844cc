package import LarderModel

/// A deletion of all entries whose keys begin with a text.
///
/// First the text is typed, while what it would delete is counted; then the number has to be typed,
/// so that no key that was pressed for something else deletes anything.
package struct PrefixDeletionModel: PromptPurpose {
  /// What there is under a prefix.
  package struct Match: Sendable, Equatable {
    /// The number of entries.
    package var count: Int
    /// The first few keys.
    package var examples: [EntryKey]

    package init(count: Int, examples: [EntryKey]) {
      self.count = count
      self.examples = examples
    }
  }

  /// How a deletion ended.
  package enum Outcome: Sendable, Equatable {
    /// So many entries were deleted.
    case deleted(Int)
    /// Nothing was deleted, as there are other entries than were counted.
    case found(Match)
  }

  /// The maximum number of keys that are named in the question.
  package static let exampleCount = 3

  /// The store to delete from.
  package var store: StoreReference
  /// The name of the store.
  package var place: String
  /// How the store's keys are written.
  package var keyStyle: KeyStyle
  /// The text that was taken, once the number is what is typed.
  package var prefix: String?
  /// What the text would delete, once it is counted.
  package var match: Match?
  /// The token of the count.
  package var counting: Int?
  /// Why nothing can be deleted with what is typed.
  package var problem: String?
  /// The token of the deletion, once it is under way.
  package var deleting: Int?

  package var label: String { prefix == nil ? "delete prefix: " : "number: " }
  package var isLeftByBackspace: Bool { false }
  package var isTaken: Bool { deleting != nil }
  package var isAnswer: Bool { prefix != nil }

  package func notice(for line: PromptModel) -> PromptModel.Notice? {
    if deleting != nil { return PromptModel.Notice(text: "deleting…", isDangerous: true) }
    if let problem { return PromptModel.Notice(text: problem, isProblem: true) }
    guard let match else { return PromptModel.Notice(text: "counting…") }
    let entries = Self.entries(match.count)
    guard let prefix else {
      return PromptModel.Notice(
        text: match.count == 0
          ? "no key begins with this" : "Enter asks to delete \(entries): \(examples)")
    }
    let keys = match.count == 1 ? "key begins" : "keys begin"
    return PromptModel.Notice(
      text: "Delete \(entries) whose \(keys) with “\(prefix)” from \(place)? "
        + "\(examples) – type \(Thousands.text(match.count)) and Enter to delete, Esc to keep",
      isDangerous: true)
  }

  package func typed(in state: inout BrowserState) -> Effects { state.prefixTyped() }

  package func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.takePrefix()
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.say("nothing was deleted")
    return [Cancel(.prefix)]
  }

  /// The number of entries in words, with what they are.
  package static func entries(_ count: Int, _ adjective: String = "") -> String {
    "\(Thousands.text(count)) \(adjective.isEmpty ? "" : adjective + " ")\(count == 1 ? "entry" : "entries")"
  }

  /// The first keys that would go, as a list.
  var examples: String {
    guard let match else { return "" }
    return Self.list(match.examples, keyStyle, count: match.count)
  }

  /// The first of some keys as a list.
  static func list(_ keys: [EntryKey], _ style: KeyStyle, count: Int? = nil) -> String {
    let shown = keys.prefix(exampleCount)
    let names = shown.map { $0.shown(style) }.joined(separator: ", ")
    return count ?? keys.count > shown.count ? "\(names), …" : names
  }
}

extension PromptModel {
  /// Takes the prefix that is typed; from now on the number is.
  mutating func goOnToNumber() {
    let prefix = buffer.text
    self[PrefixDeletionModel.self]?.prefix = prefix
    replaceText(with: "")
  }

  /// Goes back to the prefix, as there is nothing to delete with the one that was taken.
  mutating func goBackToPrefix() {
    guard let prefix = self[PrefixDeletionModel.self]?.prefix else { return }
    self[PrefixDeletionModel.self]?.prefix = nil
    replaceText(with: prefix)
  }
}
