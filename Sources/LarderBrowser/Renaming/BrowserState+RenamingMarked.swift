package import LarderModel
import LarderOperations

extension BrowserState {
  /// Asks what the marked keys are to begin with, or gives them the beginning that is named.
  mutating func askToRenameMarked(to typed: String) -> Effects {
    guard let model = keys else { return [] }
    let marked = model.marked.sorted()
    return askToRename(
      marked, from: Self.commonPrefix(of: marked, delimiter: model.tree?.delimiter), to: typed)
  }

  /// Reads the keys of a branch, and then asks for another prefix for them.
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
      say(
        "“\(prefix)” has more than \(Thousands.text(listing.keys.count)) keys; "
          + "larder mv --prefix renames them all", .warning)
      return []
    }
    return askToRename(listing.keys, from: prefix, to: typed)
  }

  /// Asks for another prefix of some keys, or gives them the one that is named.
  private mutating func askToRename(
    _ chosen: [EntryKey], from prefix: String, to typed: String
  ) -> Effects {
    guard let model = keys else { return [] }
    let rename = MarkedRenameModel(
      store: model.store.reference, keys: chosen, fingerprints: model.fingerprints,
      prefix: prefix, keyStyle: model.store.keyStyle)
    overlay = .prompt(PromptModel(rename, text: typed.isEmpty ? prefix : typed))
    return typed.isEmpty ? [] : renameMarked()
  }

  /// Gives the marked keys the beginning that is typed.
  mutating func renameMarked() -> Effects {
    guard let prompt = typedLine, let rename = prompt[MarkedRenameModel.self], rename.running == nil
    else {
      return []
    }
    let renames = rename.renames(to: prompt.buffer.text)
    guard renames.contains(where: { $0.key != $0.newKey }) else {
      overlay = nil
      say("the keys begin so already; nothing was renamed")
      return []
    }
    let ticket = ticket { $0.typedLine?[MarkedRenameModel.self]?.running }
    guard begin(WorkModel(token: ticket.token, total: renames.count, .rename)) else { return [] }
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
      say("renamed \(PrefixDeletionModel.entries(renamed.count))\(undoHint)")
      return listChanged(rename.store, around: renamed.first, keepsMarks: true)
    case .failure(let failure):
      let isPartial = failure.outcome != Rename.nothing
      var problem = text(of: failure, "since it was marked")
      if isPartial { problem += undoHint }
      typedLine?[MarkedRenameModel.self]?.end(problem)
      return isPartial ? listChanged(rename.store) : []
    }
  }

  /// What all keys begin with, up to the last delimiter in it.
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

/// Entries whose new key prefix is being typed: those that are marked, or all of a branch.
package struct MarkedRenameModel: PromptWork {
  /// The store of the entries.
  package var store: StoreReference
  /// Their keys.
  package var keys: [EntryKey]
  /// What was under them when they were marked, where it had been read.
  package var fingerprints: [EntryKey: Fingerprint]
  /// What they all begin with.
  package var prefix: String
  package var keyStyle: KeyStyle
  /// Why they cannot get the keys that are typed, as far as is known.
  package var problem: String?
  /// The token of the change, once it is under way.
  package var running: Int?

  package var label: String { "new prefix: " }
  package var isLeftByBackspace: Bool { false }
  var progress: String { "renaming…" }

  func plan(for line: PromptModel) -> PromptModel.Notice {
    PromptModel.Notice(text: notice(for: line.buffer.text))
  }

  package func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.renameMarked()
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.say("nothing was renamed")
    return []
  }

  /// What becomes of the keys with another beginning.
  func renames(to text: String) -> [Rename.Item] {
    keys.compactMap { key in
      key.replacing(prefix: prefix, with: text, style: keyStyle)
        .map { Rename.Item(key: key, newKey: $0, expecting: fingerprints[key]) }
    }
  }

  /// What would be done, in a sentence.
  private func notice(for text: String) -> String {
    let renames = renames(to: text)
    let examples = renames.prefix(PrefixDeletionModel.exampleCount)
      .map { "\($0.key.shown(keyStyle)) → \($0.newKey.shown(keyStyle))" }
      .joined(separator: ", ")
    let isAll = renames.count <= PrefixDeletionModel.exampleCount
    return "Enter renames \(PrefixDeletionModel.entries(renames.count)): "
      + examples + (isAll ? "" : ", …")
  }
}
