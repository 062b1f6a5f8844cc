import Foundation
import LarderModel
import LarderFormats
import LarderBrowser
import TerminalUI

/// The label of a row in the list of keys, which is the key or, in a tree, the part that its
/// parents do not show.
struct KeyLabel {
  /// The indentation in cells.
  let indent: Int
  /// The label, with a symbol for an open or closed branch.
  let text: String
  /// The counts of a branch, the longest text first.
  private let notes: [String]
  /// Whether the key may be truncated to make room for a note.
  private let mayCutKey: Bool

  /// Creates the label of a row.
  ///
  /// - Parameters:
  ///   - entry: The entry or branch.
  ///   - model: The list.
  ///   - columns: The columns next to the key, which may already show the counts.
  init(_ entry: Entry, in model: KeysModel, besides columns: ListColumns) {
    let key = entry.key
    let whole = KeyText.display(key, model.store.keyStyle)
    guard let tree = model.shownTree, let place = tree.place(of: key, below: model.scope) else {
      indent = 0
      text = model.scope.isEmpty ? whole : key.text(behind: model.scope).map(Self.part) ?? whole
      notes = []
      mayCutKey = false
      return
    }
    guard key.branchPrefix != nil else {
      let isTop = place.depth == 0 && model.scope.isEmpty
      indent = 2 * place.depth + 2
      text = isTop ? whole : Self.part(place.text)
      notes = []
      mayCutKey = false
      return
    }
    indent = 2 * place.depth
    text = (tree.opened.contains(key) ? "▾ " : "▸ ") + Self.part(place.text)
    let said = columns.columns.map(\.kind)
    mayCutKey = said.isEmpty
    notes =
      said.contains(.value)
      ? []
      : Self.sizes(tree.knowledge(of: entry), hasBytes: !said.contains(.size)).map { "  " + $0 }
  }

  /// Returns the longest note that fits next to the key, or else the shortest one, if the key may
  /// be truncated and still gets half of the room.
  func note(besides key: String, in room: Int) -> String {
    notes.first { TextWidth.of(key) + TextWidth.of($0) <= room }
      ?? notes.last.flatMap { mayCutKey && TextWidth.of($0) * 2 <= room ? $0 : nil } ?? ""
  }

  /// Returns the text of a column for a branch: the total size of its values or its number of keys.
  static func text(_ kind: ListColumns.Kind, of branch: Entry, in model: KeysModel) -> String {
    guard let knowledge = model.shownTree?.knowledge(of: branch) else { return "" }
    switch (kind, knowledge) {
    case (.size, .known(let size)):
      return size.isMeasuring ? "…" : size.bytes.map { ByteCount.short($0) } ?? ""
    case (.value, .known(let size)):
      return LarderBrowser.Messages.keys(size.count)
    case (.value, .atLeast(let count)): return Messages.manyKeys(count)
    case (.value, .nothing): return "…"
    case (.value, .unknowable): return "?"
    default: return ""
    }
  }

  /// Returns the number of keys in a branch, first with and then without the total size of their
  /// values.
  private static func sizes(_ branch: TreeModel.Knowledge, hasBytes: Bool) -> [String] {
    switch branch {
    case .nothing: return ["…"]
    case .atLeast(let count): return [Thousands.text(count) + "…"]
    case .known(let size):
      let count = Thousands.text(size.count)
      guard hasBytes else { return [count] }
      let bytes = size.isMeasuring ? "…" : size.bytes.map { ByteCount.text($0) }
      return (bytes.map { [count + " · " + $0] } ?? []) + [count]
    case .unknowable: return ["?"]
    }
  }

  /// Returns a part of a key, quoted if it is invisible.
  private static func part(_ text: String) -> String {
    let shown = KeyText.cut(text)
    return EntryKey.quotedIfUnseen(shown) ?? shown
  }
}
