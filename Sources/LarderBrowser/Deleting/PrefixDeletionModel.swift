package import LarderModel

/// A deletion of all entries with a prefix.
///
/// The user first types the prefix, while the matching entries are counted, and then their number.
/// So a stray key cannot delete anything.
package struct PrefixDeletionModel: PromptPurpose {
  /// The entries with a prefix.
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

  /// The result of a deletion.
  package enum Outcome: Sendable, Equatable {
    /// The given number of entries was deleted.
    case deleted(Int)
    /// Nothing was deleted, because the entries differ from those that were counted.
    case found(Match)
  }

  /// The maximum number of keys in the question.
  package static let exampleCount = 3

  /// The store to delete from.
  package var store: StoreReference
  /// The name of the store.
  package var place: String
  /// The way in which keys of the store are displayed.
  package var keyStyle: KeyStyle
  /// The submitted prefix, after which the number is typed; `nil` before.
  package var prefix: String?
  /// Whether the list does not show all that would be deleted.
  package var hidesSome = false
  /// The matching entries, once they are counted.
  package var match: Match?
  /// The token of the count.
  package var counting: Int?
  /// The reason why nothing can be deleted, if any.
  package var problem: String?
  /// The token of the deletion, once it has started.
  package var deleting: Int?

  package var label: String {
    prefix == nil ? Messages.Label.deletePrefix : Messages.Label.number
  }
  package var isLeftByBackspace: Bool { false }
  package var isTaken: Bool { deleting != nil }
  package var isAnswer: Bool { prefix != nil }

  package func notice(for line: PromptModel) -> PromptModel.Notice? {
    if deleting != nil {
      return PromptModel.Notice(text: Messages.deleting, isDangerous: true)
    }
    if let problem { return PromptModel.Notice(text: problem, isProblem: true) }
    guard let match else { return PromptModel.Notice(text: Messages.counting) }
    guard let prefix else {
      return PromptModel.Notice(
        text: match.count == 0
          ? Messages.noKeyWithPrefix : Messages.asksToDelete(match.count, examples))
    }
    return PromptModel.Notice(
      text: Messages.deletesPrefix(
        prefix, match.count, from: place, hidesSome: hidesSome, examples),
      isDangerous: true)
  }

  package func typed(in state: inout BrowserState) -> Effects { state.prefixTyped() }

  package func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.takePrefix()
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.say(Messages.nothing("deleted"))
    return [Cancel(.prefix)]
  }

  /// The first keys that would be deleted, as a list.
  var examples: String {
    guard let match else { return "" }
    return Self.list(match.examples, keyStyle, count: match.count)
  }

  /// Returns the first keys as a list.
  static func list(_ keys: [EntryKey], _ style: KeyStyle, count: Int? = nil) -> String {
    let shown = keys.prefix(exampleCount)
    let names = shown.map { $0.shown(style) }.joined(separator: ", ")
    return count ?? keys.count > shown.count ? "\(names), …" : names
  }
}

extension PromptModel {
  /// Submits the prefix and asks for the number.
  mutating func askForCount() {
    let prefix = buffer.text
    self[PrefixDeletionModel.self]?.prefix = prefix
    replaceText(with: "")
  }

  /// Returns to the prefix, because it no longer matches any entry.
  mutating func goBackToPrefix() {
    guard let prefix = self[PrefixDeletionModel.self]?.prefix else { return }
    self[PrefixDeletionModel.self]?.prefix = nil
    replaceText(with: prefix)
  }
}
