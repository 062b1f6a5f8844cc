import Foundation
import LarderModel
import LarderBrowser
import TerminalUI

/// What a row of the list of keys says: the key, or what the rows around it do not say of it.
struct KeyLabel {
  /// How many columns it stands further in.
  let indent: Int
  /// The key, with what shows whether a branch is open.
  let text: String
  /// What stands behind it, the longest first: what is in a branch, or what the list is ordered by.
  private let notes: [String]

  init(_ entry: Entry, in model: KeysModel) {
    let key = entry.key
    let whole = KeyText.display(key, model.store.keyStyle)
    guard let tree = model.shownTree, let place = tree.place(of: key, below: model.scope) else {
      indent = 0
      text = model.scope.isEmpty ? whole : key.text(behind: model.scope).map(Self.part) ?? whole
      notes = Self.ranks(of: entry, in: model.shownOrder).map { "  " + $0 }
      return
    }
    guard key.branchPrefix != nil else {
      let isTop = place.depth == 0 && model.scope.isEmpty
      indent = 2 * place.depth + 2
      text = isTop ? whole : Self.part(place.text)
      notes = []
      return
    }
    indent = 2 * place.depth
    text = (tree.opened.contains(key) ? "▾ " : "▸ ") + Self.part(place.text)
    notes = Self.sizes(tree.knowledge(of: entry)).map { "  " + $0 }
  }

  /// The longest note that leaves room for the key, which may take so many columns; else the
  /// shortest, if the key has more than half of the room then.
  func note(besides key: String, in room: Int) -> String {
    notes.first { TextWidth.of(key) + TextWidth.of($0) <= room }
      ?? notes.last.flatMap { TextWidth.of($0) * 2 <= room ? $0 : nil } ?? ""
  }

  /// How many keys a branch has, with and without how many bytes their values take.
  private static func sizes(_ branch: TreeModel.Knowledge) -> [String] {
    switch branch {
    case .nothing: return ["…"]
    case .atLeast(let count): return [Thousands.text(count) + "…"]
    case .known(let size):
      let count = Thousands.text(size.count)
      let bytes = size.isMeasuring ? "…" : size.bytes.map { ByteCount.text($0) }
      return (bytes.map { [count + " · " + $0] } ?? []) + [count]
    case .unknowable: return ["?"]
    }
  }

  /// What an entry is ordered by, the longest first; nothing where the list says it anyhow, or
  /// nobody knows.
  private static func ranks(of entry: Entry, in order: EntryOrder) -> [String] {
    switch order.field {
    case .key, .match: []
    case .size: entry.size.map { [ByteCount.text($0)] } ?? []
    case .type: entry.type.map { [$0.rawValue] } ?? []
    case .modified: entry.modified.map(times) ?? []
    case .expires: entry.expires.map(times) ?? []
    case .used: entry.lastUsed.map(times) ?? []
    case .hits: entry.hits.map { [Thousands.text($0)] } ?? []
    }
  }

  /// A moment to the second, to the minute, without the year, and the day alone.
  private static func times(_ date: Date) -> [String] {
    let text = Timestamp.text(
      of: Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
    // Only the usual form can be cut: 2026-11-22T17:30:24Z.
    guard text.utf8.count == 20, text.hasSuffix("Z") else { return [text] }
    let plain = String(text.dropLast()).replacing("T", with: " ")
    return [
      plain, String(plain.dropLast(3)), String(plain.dropFirst(5).dropLast(3)),
      String(plain.prefix(10).dropFirst(5)),
    ]
  }

  /// A part of a key, of which there may be nothing to be seen.
  private static func part(_ text: String) -> String {
    let shown = KeyText.cut(text)
    return EntryKey.quotedIfUnseen(shown) ?? shown
  }
}
