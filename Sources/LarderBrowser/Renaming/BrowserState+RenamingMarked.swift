package import LarderModel
import LarderOperations

extension BrowserState {
  /// Asks for the new prefix of the marked keys, or applies the given one.
  mutating func askToRenameMarked(to typed: String) -> Effects {
    guard let model = keys else { return [] }
    let marked = model.marked.sorted()
    return askToRename(
      marked, from: Self.commonPrefix(of: marked, delimiter: model.tree?.delimiter), to: typed)
  }

  /// Reads the keys of a branch, and then asks for their new prefix.
  mutating func askToRenameBranch(_ prefix: String, to typed: String) -> Effects {
    guard let model = keys else { return [] }
    return [
      ListBranch(
        store: model.store.reference, prefix: prefix, typed: typed, ticket: askingTicket())
    ]
  }

  mutating func branchListed(
    _ result: Answer<KeyListing>, of prefix: String, typed: String
  ) -> Effects {
    guard let listing = takeAsked(result) else { return [] }
    guard listing.isWhole else {
      say(Messages.tooManyToRename(prefix, listing.keys.count), .warning)
      return []
    }
    return askToRename(
      listing.keys, from: prefix, to: typed, hidesSome: keys?.hidesSome(of: prefix) == true)
  }

  /// Asks for the new prefix of some keys, or applies the given one.
  private mutating func askToRename(
    _ chosen: [EntryKey], from prefix: String, to typed: String, hidesSome: Bool = false
  ) -> Effects {
    guard let model = keys else { return [] }
    let rename = MarkedRenameModel(
      store: model.store.reference, keys: chosen, fingerprints: model.fingerprints,
      prefix: prefix, hidesSome: hidesSome, keyStyle: model.store.keyStyle)
    overlay = .prompt(PromptModel(rename, text: typed.isEmpty ? prefix : typed))
    return typed.isEmpty ? [] : renameMarked()
  }

  /// Renames the marked keys with the typed prefix.
  mutating func renameMarked() -> Effects {
    guard let prompt = typedLine, let rename = prompt[MarkedRenameModel.self], rename.running == nil
    else {
      return []
    }
    let renames = rename.renames(to: prompt.buffer.text)
    guard renames.contains(where: { $0.key != $0.newKey }) else {
      overlay = nil
      say(Messages.samePrefix)
      return []
    }
    guard !prompt.buffer.text.isEmpty || rename.removesPrefix else {
      typedLine?[MarkedRenameModel.self]?.removesPrefix = true
      return []
    }
    let ticket = ticket { $0.typedLine?[MarkedRenameModel.self]?.running }
    guard begin(BulkChangeModel(token: ticket.token, total: renames.count, .rename)) else {
      return []
    }
    typedLine?[MarkedRenameModel.self]?.begin(ticket.token)
    return [RenameMarked(store: rename.store, items: renames, question: ticket)]
  }

  mutating func markedRenamed(_ result: OperationAnswer<[EntryKey]>) -> Effects {
    guard let rename = typedLine?[MarkedRenameModel.self] else { return [] }
    if let count = endWork(rename.running, result.failure?.reason) {
      overlay = nil
      return count == 0 ? [] : listChanged(rename.store)
    }
    switch result {
    case .success(let renamed):
      overlay = nil
      keys?.unmark(rename.keys)
      say(Messages.renamed(renamed.count) + undoHint)
      return listChanged(rename.store, around: renamed.first, keepsMarks: true)
    case .failure(let failure):
      let isPartial = failure.outcome != Rename.nothing
      var problem = text(of: failure, Messages.sinceMarked)
      if isPartial { problem += undoHint }
      typedLine?[MarkedRenameModel.self]?.end(problem)
      return isPartial ? listChanged(rename.store) : []
    }
  }

  /// Returns the common prefix of all keys, up to its last separator.
  static func commonPrefix(of keys: [EntryKey], delimiter: String?) -> String {
    let texts = keys.map { Array($0.textBytes ?? Array($0.notation(.typed).utf8)) }
    guard var common = texts.first?[...] else { return "" }
    for text in texts.dropFirst() {
      let count = zip(common, text).prefix { $0 == $1 }.count
      common = common.prefix(count)
    }
    while !common.isEmpty, String(validating: common, as: UTF8.self) == nil { common.removeLast() }
    let text = String(decoding: common, as: UTF8.self)
    guard let mark = delimiter ?? TreeModel.delimiter(of: keys) else { return text }
    return EntryKey.text(text).branches(by: mark).last ?? text
  }
}

/// A change of the prefix of all marked entries, or of all entries in a branch.
package struct MarkedRenameModel: PromptWork {
  /// The store of the entries.
  package var store: StoreReference
  /// The keys of the entries.
  package var keys: [EntryKey]
  /// The fingerprints of the entries when they were marked, as far as they had been read.
  package var fingerprints: [EntryKey: Fingerprint]
  /// The common prefix of the keys.
  package var prefix: String
  /// Whether the list does not show all of them.
  package var hidesSome = false
  package var keyStyle: KeyStyle
  /// The reason why the typed prefix cannot be applied, if it is known.
  package var problem: String?
  /// The token of the change, once it has started.
  package var running: Int?
  /// Whether Enter removes the prefix, which the first Enter in an empty prompt only asks.
  package var removesPrefix = false

  package var label: String { Messages.Label.newPrefix }
  package var isLeftByBackspace: Bool { false }
  var progress: String { Messages.renaming }

  func plan(for line: PromptModel) -> PromptModel.Notice {
    let plan = notice(for: line.buffer.text)
    return removesPrefix
      ? PromptModel.Notice(
        text: Messages.removesPrefix(prefix, plan), isDangerous: true)
      : PromptModel.Notice(text: plan)
  }

  package func typed(in state: inout BrowserState) -> Effects {
    state.typedLine?[Self.self]?.problem = nil
    state.typedLine?[Self.self]?.removesPrefix = false
    return []
  }

  package func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.renameMarked()
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.say(Messages.nothing("renamed"))
    return []
  }

  /// Returns the renames that replace the prefix with a text.
  func renames(to text: String) -> [Rename.Item] {
    keys.compactMap { key in
      key.replacing(prefix: prefix, with: text, style: keyStyle)
        .map { Rename.Item(key: key, newKey: $0, expecting: fingerprints[key]) }
    }
  }

  /// Returns a sentence that describes the planned renames.
  private func notice(for text: String) -> String {
    let renames = renames(to: text)
    let examples = renames.prefix(PrefixDeletionModel.exampleCount)
      .map { "\($0.key.shown(keyStyle)) → \($0.newKey.shown(keyStyle))" }
      .joined(separator: ", ")
    let isAll = renames.count <= PrefixDeletionModel.exampleCount
    return Messages.renames(
      renames.count, hidesSome: hidesSome, examples + (isAll ? "" : ", …"))
  }
}
