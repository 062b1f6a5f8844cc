import Foundation
package import LarderModel
package import LarderFormats
import Harmony

extension EffectSlot {
  static let rows = EffectSlot("rows", isOfTab: true)
}

/// The contents of a list row after its key.
package struct ListRow: Sendable, Equatable {
  /// The entry without its value.
  package var facts: Entry
  /// The value, or `nil` if it was not read because it is too large or unreadable.
  package var preview: ValuePreview?
  /// The columns of a table row, by name.
  package var cells: [String: Cell] = [:]

  /// The maximum size in bytes of a value that is read for the list.
  static let maximumSize = 64 << 10

  /// Creates a row with everything but the value of an entry.
  init(factsOf entry: Entry) {
    facts = entry
    facts.value = nil
  }

  /// Creates a row from an entry, which may be a record with one column as its value.
  init(_ entry: Entry, valueField: String?) {
    self.init(factsOf: entry)
    guard var value = entry.value else { return }
    if let valueField, let column = value.field(valueField) {
      value = column
      facts.size = value.storedSize
    }
    if case .record(let fields) = value {
      for field in fields where field.value.storedSize <= Self.maximumSize {
        cells[field.name] = Cell(field.value, of: field.name)
      }
    }
    if value.storedSize <= Self.maximumSize { preview = ValuePreview(value) }
  }
}

extension ListRow {
  /// A column of a row, as displayed in a grid.
  package struct Cell: Sendable, Equatable {
    package let text: String
    package let isNumber: Bool
    package let isNull: Bool
    /// The whole value as text, or `nil` if the text does not represent it.
    private let whole: String?
    /// The key that the value could be in another collection, or `NULL` if it cannot be a key.
    let key: EntryKey
    /// The entry that the value links to, in a store with links.
    let link: EntryLink?

    /// Creates a cell of a column, whose name tells dates from other numbers.
    init(_ value: StoredValue, of column: String) {
      let plain = value == .null ? "" : ValuePreview.line(of: value)
      text = ColumnMeaning.text(of: value, in: column) ?? plain
      isNull = value == .null
      link = EntryLink(value)
      isNumber =
        switch value {
        case .integer, .real, .number: true
        default: false
        }
      let isWhole =
        switch value {
        case .integer, .real, .number, .bool, .date: true
        case .text(let whole), .url(let whole):
          whole.hasBytes(of: plain) && whole.lowercased() != "null"
        case .uuid: true
        default: false
        }
      if case .data(let bytes) = value, let uuid = UUID(bytes: bytes), text == uuid.uuidString {
        whole = text
      } else {
        whole = isWhole ? plain : nil
      }
      key = isWhole || value.storedSize <= 64 ? value.comparable : .null
    }

    /// The value as written in a filter condition, or `nil` if the text is not the whole value.
    var exact: String? { isNull ? "null" : whole }
  }
}

/// Reads the rows on screen.
package struct ReadRows: BrowserEffect {
  package let store: StoreReference
  package let keys: [EntryKey]
  package let valueField: String?
  package let ticket: Ticket?
  package var slot: EffectSlot? { .rows }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    var rows: [EntryKey: ListRow] = [:]
    if let source = try? runner.opened(store).store.source {
      for entry in await entries(of: source) {
        rows[entry.key] = ListRow(entry, valueField: valueField)
      }
    }
    guard !Task.isCancelled else { return }
    await reply(rows)
  }

  /// Reads the entries, without the values that are too large or unreadable.
  private func entries(of source: AnyDataSource<Entry>) async -> [Entry] {
    var entries: [Entry] = []
    var rest = keys[...]
    while !rest.isEmpty, !Task.isCancelled {
      do {
        try await source.forEachEntry(
          Array(rest), maximumSize: ListRow.maximumSize, leavesOutLarge: true
        ) { _, entry in
          if let entry { entries.append(entry) }
          rest = rest.dropFirst()
        }
      } catch {
        guard let key = rest.popFirst() else { continue }
        // The store may know the size without reading the value.
        let known = try? await source.get(PresenceQuery(key)).getCancelling()
        entries.append(known ?? Entry(key: key))
      }
    }
    return entries
  }

  package func receive(_ rows: [EntryKey: ListRow], in state: inout BrowserState) -> Effects {
    state.keys?.receive(rows, of: keys)
    return state.countDown()
  }
}

extension KeysModel {
  /// Returns the row of an entry, as far as it has been read.
  package func row(of entry: Entry) -> ListRow? {
    rows[entry.key] ?? (entry.hasFacts ? ListRow(factsOf: entry) : nil)
  }

  /// Returns the title of a row that was read: the text of its column for a title or name, if any.
  func title(of key: EntryKey) -> String? {
    let titles = ["title", "ztitle", "name", "zname", "label", "subject"]
    guard let cells = rows[key]?.cells,
      let column = titles.lazy.compactMap({ title in
        store.columns.first { $0.lowercased() == title }
      }).first,
      let cell = cells[column], !cell.text.isEmpty
    else { return nil }
    return String(cell.text.prefix(40))
  }

  /// Returns the visible entries.
  package func shownEntries(height: Int) -> ArraySlice<Entry> {
    window.entries.dropFirst(cursor.top).prefix(max(1, height))
  }

  /// Returns the keys to read: those without a row on this screen and the adjacent ones, or none if
  /// all visible rows were read.
  func keysToRead(height: Int) -> [EntryKey] {
    let isUnread = { (entry: Entry) in
      entry.key.branchPrefix == nil && !rowsRead.contains(entry.key)
        // The small columns of a large row are read anyway.
        && (entry.size ?? 0 <= ListRow.maximumSize || !store.columns.isEmpty)
    }
    guard shownEntries(height: height).contains(where: isUnread) else { return [] }
    return window.entries.dropFirst(max(0, cursor.top - height)).prefix(3 * max(1, height))
      .filter(isUnread).map(\.key)
  }

  /// Marks all rows, or those of some keys, as stale and discards the read in progress, which may
  /// be stale as well.
  mutating func forgetRows(of keys: [EntryKey]? = nil) {
    if let keys { rowsRead.subtract(keys) } else { rowsRead = [] }
    readingRows = nil
  }

  /// Stores rows that were read.
  mutating func receive(_ read: [EntryKey: ListRow], of keys: [EntryKey]) {
    readingRows = nil
    // Rows discarded here are read again when they become visible.
    if rows.count + keys.count > Self.cellCapacity / max(10, store.columns.count) {
      rows = [:]
      rowsRead = []
    }
    for key in keys { rows[key] = read[key] }
    rowsRead.formUnion(keys)
  }

  private static let cellCapacity = 20_000
}

extension BrowserState {
  /// Whether a visible row shows the time left until its entry expires.
  var areRowsCounting: Bool {
    guard viewport.hasColumns, let model = keys, model.times != nil else { return false }
    return model.shownEntries(height: viewport.keys).contains {
      model.row(of: $0)?.facts.expires != nil
    }
  }

  /// Updates the list row of an entry that was read for the value pane.
  mutating func showInList(_ entry: Entry) {
    guard viewport.hasColumns, let model = keys, !model.store.hidesValues, cache == nil,
      model.rows[entry.key] != nil, entry.value != nil
    else { return }
    keys?.rows[entry.key] = ListRow(entry, valueField: model.store.valueField)
  }

  /// Reads the stale visible rows, if there is room for columns.
  mutating func readRows() -> Effects {
    guard viewport.hasColumns, let model = keys, !model.store.hidesValues, !model.isAway,
      cache == nil, model.readingRows == nil, model.load?.replacement == nil
    else { return [] }
    let unread = model.keysToRead(height: viewport.keys)
    guard !unread.isEmpty else { return [] }
    let ticket = ticket { $0.keys?.readingRows }
    keys?.readingRows = ticket.token
    return [
      ReadRows(
        store: model.store.reference, keys: unread, valueField: model.store.valueField,
        ticket: ticket)
    ]
  }
}

extension Entry {
  /// Whether more than the key is known.
  fileprivate var hasFacts: Bool {
    type != nil || size != nil || expires != nil || modified != nil
  }
}
