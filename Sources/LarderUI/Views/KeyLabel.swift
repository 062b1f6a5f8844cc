import LarderCore
import TerminalUI

/// What a row of the list of keys says: the key, or what the rows around it do not say of it.
struct KeyLabel {
  /// How many columns it stands further in.
  let indent: Int
  /// The key, with what shows whether a branch is open.
  let text: String
  /// What stands behind it: the number of keys in a branch, or what the list is ordered by.
  let note: String

  init(_ entry: Entry, in model: KeysModel) {
    let key = entry.key
    let whole = KeyText.display(key, model.store.keyStyle)
    guard let tree = model.shownTree, let place = tree.place(of: key, below: model.scope) else {
      indent = 0
      text = model.scope.isEmpty ? whole : key.text(behind: model.scope).map(Self.part) ?? whole
      note = Self.rank(of: entry, in: model.shownOrder).map { "  " + $0 } ?? ""
      return
    }
    guard key.branchPrefix != nil else {
      let isTop = place.depth == 0 && model.scope.isEmpty
      indent = 2 * place.depth + 2
      text = isTop ? whole : Self.part(place.text)
      note = ""
      return
    }
    indent = 2 * place.depth
    text = (tree.opened.contains(key) ? "▾ " : "▸ ") + KeyText.cut(place.text)
    note =
      tree.counts[key] == .some(nil)
      ? "  ?" : "  " + (tree.count(of: entry).map(Thousands.text) ?? "…")
  }

  /// What an entry is ordered by; nil where the list says it anyhow, or nobody knows.
  private static func rank(of entry: Entry, in order: EntryOrder) -> String? {
    switch order.field {
    case .key, .match: nil
    case .size: entry.size.map { ByteCount.text($0) }
    case .type: entry.type?.rawValue
    case .modified: entry.modified.map { Timestamp.text(of: $0) }
    case .expires: entry.expires.map { Timestamp.text(of: $0) }
    }
  }

  /// A part of a key, of which there may be nothing.
  private static func part(_ text: String) -> String {
    text.isEmpty ? "\"\"" : KeyText.cut(text)
  }
}
