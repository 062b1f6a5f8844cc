package import LarderModel
package import LarderFormats
import Harmony

extension EffectSlot {
  static let rows = EffectSlot("rows", isOfTab: true)
}

/// The columns of a row beside its key.
package struct ListRow: Sendable, Equatable {
  /// What the store knows of the entry, without its value.
  package var facts: Entry
  /// The value; nil where it was not read, as it is large or cannot be read.
  package var preview: ValuePreview?
  /// The columns of a row, by their names.
  package var cells: [String: Cell] = [:]

  /// The largest value that is read to be shown in a list, in bytes.
  static let maximumSize = 64 << 10

  /// Describes an entry by what its store says of it beside its value.
  init(factsOf entry: Entry) {
    facts = entry
    facts.value = nil
  }

  /// Describes an entry, of whose record one column may be the value.
  init(_ entry: Entry, valueField: String?) {
    self.init(factsOf: entry)
    guard var value = entry.value else { return }
    if let valueField, let column = value.field(valueField) {
      value = column
      facts.size = value.storedSize
    }
    if case .record(let fields) = value {
      for field in fields where field.value.storedSize <= Self.maximumSize {
        cells[field.name] = Cell(field.value)
      }
    }
    if value.storedSize <= Self.maximumSize { preview = ValuePreview(value) }
  }
}

extension ListRow {
  /// What a grid shows of a column of a row.
  package struct Cell: Sendable, Equatable {
    package let text: String
    package let isNumber: Bool
    package let isNull: Bool
    /// Whether the text is all of the value.
    private let isWhole: Bool
    /// The key that the value would be in another collection; NULL where it can be none.
    let key: EntryKey
    /// The entry that the value leads to, where its store has links.
    let link: EntryLink?

    init(_ value: StoredValue) {
      text = value == .null ? "" : ValuePreview.line(of: value)
      isNull = value == .null
      link = EntryLink(value)
      switch value {
      case .integer, .real, .number:
        (isNumber, isWhole) = (true, true)
      case .bool, .date: (isNumber, isWhole) = (false, true)
      case .text(let whole), .url(let whole):
        (isNumber, isWhole) = (false, whole.hasBytes(of: text) && whole.lowercased() != "null")
      default: (isNumber, isWhole) = (false, false)
      }
      key = isWhole || value.storedSize <= 64 ? value.comparable : .null
    }

    /// The value as a condition names it; nil where the text is not all of it.
    var exact: String? { isNull ? "null" : isWhole ? text : nil }
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

  /// The entries, those that are too large or unreadable without their values.
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
        // A store may know the size without reading the value.
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
  /// The row of an entry, as far as it was read.
  package func row(of entry: Entry) -> ListRow? {
    rows[entry.key] ?? (entry.hasFacts ? ListRow(factsOf: entry) : nil)
  }

  /// The entries on screen.
  package func shownEntries(height: Int) -> ArraySlice<Entry> {
    window.entries.dropFirst(cursor.top).prefix(max(1, height))
  }

  /// The keys on screen, and on the screens around it, beside which nothing stands yet; none where
  /// that is so of no key on screen.
  func keysToRead(height: Int) -> [EntryKey] {
    let isUnread = { (entry: Entry) in
      entry.key.branchPrefix == nil && !rowsRead.contains(entry.key)
        // Of a large row the small columns are read.
        && (entry.size ?? 0 <= ListRow.maximumSize || !store.columns.isEmpty)
    }
    guard shownEntries(height: height).contains(where: isUnread) else { return [] }
    return window.entries.dropFirst(max(0, cursor.top - height)).prefix(3 * max(1, height))
      .filter(isUnread).map(\.key)
  }

  /// Marks all rows as stale, or some, and drops the read under way, which may be stale, too.
  mutating func forgetRows(of keys: [EntryKey]? = nil) {
    if let keys { rowsRead.subtract(keys) } else { rowsRead = [] }
    readingRows = nil
  }

  /// Takes in rows that were read.
  mutating func receive(_ read: [EntryKey: ListRow], of keys: [EntryKey]) {
    readingRows = nil
    // Rows that are dropped here are read again when they come on screen.
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
  /// Whether a row on screen says how long its entry still counts.
  var areRowsCounting: Bool {
    guard viewport.hasColumns, let model = keys, model.times != nil else { return false }
    return model.shownEntries(height: viewport.keys).contains {
      model.row(of: $0)?.facts.expires != nil
    }
  }

  /// Has the list say what was read of an entry for the value's pane.
  mutating func showInList(_ entry: Entry) {
    guard viewport.hasColumns, let model = keys, !model.store.hidesValues, cache == nil,
      model.rows[entry.key] != nil, entry.value != nil
    else { return }
    keys?.rows[entry.key] = ListRow(entry, valueField: model.store.valueField)
  }

  /// Reads the stale rows on screen, if there is room for columns.
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
  /// Whether more is known than the key.
  fileprivate var hasFacts: Bool {
    type != nil || size != nil || expires != nil || modified != nil
  }
}
