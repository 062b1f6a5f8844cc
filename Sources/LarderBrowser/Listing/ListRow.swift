package import LarderModel
package import LarderFormats
import Harmony

extension EffectSlot {
  static let rows = EffectSlot("rows", isOfTab: true)
}

/// What stands beside a key in the list.
package struct ListRow: Sendable, Equatable {
  /// What the store knows of the entry, without its value.
  package var facts: Entry
  /// The value; nil where it was not read, as it is large or cannot be read.
  package var preview: ValuePreview?

  /// The largest value that is read to be shown in a list, in bytes.
  static let greatestSize = 64 << 10

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
    preview = ValuePreview(value)
  }
}

/// Reads what stands beside the keys on screen.
package struct ReadRows: BrowserEffect {
  package let store: StoreReference
  package let keys: [EntryKey]
  package let valueField: String?
  package let ticket: Ticket?
  package var slot: EffectSlot? { .rows }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    var rows: [EntryKey: ListRow] = [:]
    if let source = try? runner.opened(store).store.source {
      var small: [EntryKey] = []
      for key in keys where !Task.isCancelled {
        // Where the size is known without reading the value, a large one is not read.
        let known = try? await source.get(PresenceQuery(key)).getCancelling()
        if let known, known.size ?? 0 > ListRow.greatestSize {
          rows[key] = ListRow(factsOf: known)
        } else {
          small.append(key)
        }
      }
      for entry in await entries(small, of: source) {
        rows[entry.key] = ListRow(entry, valueField: valueField)
      }
    }
    guard !Task.isCancelled else { return }
    await reply(rows)
  }

  /// The entries of some keys, those that are too large or unreadable without their values.
  private func entries(_ keys: [EntryKey], of source: AnyDataSource<Entry>) async -> [Entry] {
    var entries: [Entry] = []
    var rest = keys[...]
    while !rest.isEmpty, !Task.isCancelled {
      do {
        try await source.forEachEntry(Array(rest), maximumSize: ListRow.greatestSize) { _, entry in
          if let entry { entries.append(entry) }
          rest = rest.dropFirst()
        }
      } catch {
        guard let key = rest.popFirst() else { continue }
        let query = PresenceQuery(key, maximumSize: ListRow.greatestSize)
        entries.append((try? await source.get(query).getCancelling()) ?? Entry(key: key))
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
  /// What stands beside the key of an entry, as far as it is known.
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
        && entry.size ?? 0 <= ListRow.greatestSize
    }
    guard shownEntries(height: height).contains(where: isUnread) else { return [] }
    return window.entries.dropFirst(max(0, cursor.top - height)).prefix(3 * max(1, height))
      .filter(isUnread).map(\.key)
  }

  /// Has what stands beside all keys read again, or beside some; what is on its way may be old by now.
  mutating func forgetRows(of keys: [EntryKey]? = nil) {
    if let keys { rowsRead.subtract(keys) } else { rowsRead = [] }
    readingRows = nil
  }

  /// Takes in what stands beside some keys.
  mutating func receive(_ read: [EntryKey: ListRow], of keys: [EntryKey]) {
    readingRows = nil
    // Those that are far away are read again when somebody goes there.
    if rows.count + keys.count > Self.rowCapacity {
      rows = [:]
      rowsRead = []
    }
    for key in keys { rows[key] = read[key] }
    rowsRead.formUnion(keys)
  }

  private static let rowCapacity = 2_000
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
      model.rows[entry.key] != nil, let value = entry.value
    else { return }
    let isLarge = value.storedSize > ListRow.greatestSize
    keys?.rows[entry.key] =
      isLarge ? ListRow(factsOf: entry) : ListRow(entry, valueField: model.store.valueField)
  }

  /// Reads what stands beside the keys on screen, where there is room for it.
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
