import Foundation
import LarderModel
import LarderFormats
import LarderBrowser
import TerminalUI

/// What a row of the list of keys says: the key, or what the rows around it do not say of it.
struct KeyLabel {
  /// How many columns it stands further in.
  let indent: Int
  /// The key, with what shows whether a branch is open.
  let text: String
  /// The counts of a branch, the longest text first.
  private let notes: [String]
  /// Whether the key may be cut for them.
  private let mayCutKey: Bool

  /// Describes a row.
  ///
  /// - Parameters:
  ///   - entry: The entry, or the branch.
  ///   - model: The list.
  ///   - columns: The columns beside the key, which say the rest.
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

  /// The longest note that leaves room for the key, which may take so many columns; else the
  /// shortest, if the key has more than half of the room then.
  func note(besides key: String, in room: Int) -> String {
    notes.first { TextWidth.of(key) + TextWidth.of($0) <= room }
      ?? notes.last.flatMap { mayCutKey && TextWidth.of($0) * 2 <= room ? $0 : nil } ?? ""
  }

  /// What a column says of a branch: how many bytes its values take, or how many keys it has.
  static func text(_ kind: ListColumns.Kind, of branch: Entry, in model: KeysModel) -> String {
    guard let knowledge = model.shownTree?.knowledge(of: branch) else { return "" }
    switch (kind, knowledge) {
    case (.size, .known(let size)):
      return size.isMeasuring ? "…" : size.bytes.map { ByteCount.short($0) } ?? ""
    case (.value, .known(let size)):
      return "\(Thousands.text(size.count)) \(size.count == 1 ? "key" : "keys")"
    case (.value, .atLeast(let count)): return "\(Thousands.text(count)) keys…"
    case (.value, .nothing): return "…"
    case (.value, .unknowable): return "?"
    default: return ""
    }
  }

  /// How many keys a branch has, with and without how many bytes their values take.
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

  /// A part of a key, of which there may be nothing to be seen.
  private static func part(_ text: String) -> String {
    let shown = KeyText.cut(text)
    return EntryKey.quotedIfUnseen(shown) ?? shown
  }
}
