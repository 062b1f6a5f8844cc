import Foundation
import LarderModel
import LarderFormats
import LarderBrowser
import TerminalUI

/// The columns of the list: the key, and as many properties of the entry as fit.
///
/// As the pane gets narrower, the least important columns are removed first, and the key keeps at
/// least two fifths of the width. The value has the remaining width.
struct ListColumns: Equatable {
  /// The content of a column.
  enum Kind: Equatable {
    case type
    case size
    case state
    case left
    /// The fraction of its TTL that an entry has left.
    case life
    case age
    case hits
    case used
    /// A date by which the list is sorted, if no other column shows it.
    case date(EntryOrder.Field)
    case value
    /// A column of the table.
    case field(String)

    /// The sort order that a click on the column header selects, or `nil` if there is none.
    var order: EntryOrder.Field? {
      switch self {
      case .type: .type
      case .size: .size
      case .state, .left, .life: .expires
      case .age: .modified
      case .hits: .hits
      case .used: .used
      case .date(let field): field
      case .field(let name): .column(name)
      case .value: nil
      }
    }

    /// Returns whether the column shows the value that the list is sorted by, rather than something
    /// derived from it.
    func tells(_ field: EntryOrder.Field) -> Bool {
      order == field && self != .state && self != .life
    }
  }

  /// The set of columns to choose from.
  enum Content: Equatable {
    /// The properties of an entry.
    case entries
    /// The properties with the expiry, and the use counts and age if the store has them.
    case times(hasUses: Bool, hasAge: Bool)
    /// The status in larder's own cache.
    case cache
  }

  struct Column: Equatable {
    let kind: Kind
    /// The offset of the column in its row.
    let x: Int
    let width: Int

    /// The header.
    var name: String {
      switch kind {
      case .type: "TYPE"
      case .size: "SIZE"
      case .state: "STATE"
      case .left: "LEFT"
      case .life: "LIFE"
      case .age: "AGE"
      case .hits: "HITS"
      case .used: "USED"
      case .date(let field): field.name.uppercased()
      case .value: "VALUE"
      case .field(let name): name
      }
    }

    /// Whether the text is right-aligned, as numbers are.
    let isRight: Bool

    init(_ kind: Kind, x: Int, width: Int, isRight: Bool? = nil) {
      self.kind = kind
      self.x = x
      self.width = width
      self.isRight = isRight ?? (kind != .type && kind != .value)
    }
  }

  /// The width of the key, without the column for marks.
  let keyWidth: Int
  /// The columns next to the key, from left to right.
  let columns: [Column]

  /// The minimum width of a list with other columns than keys.
  private static let narrowest = 22
  /// The minimum width of the value column.
  private static let minimumValue = 8

  /// Lays out the columns.
  ///
  /// - Parameters:
  ///   - width: The width of a row.
  ///   - wanted: The width of the widest visible key.
  ///   - content: The set of columns to choose from.
  ///   - order: The sort order of the list, which has a column whenever there is room for one.
  init(
    width: Int, keyWidth wanted: Int, _ content: Content, orderedBy order: EntryOrder.Field = .key
  ) {
    var inOrder = Self.kinds(content)
    if content != .cache, !inOrder.contains(where: { $0.tells(order) }) {
      switch order {
      case .modified, .expires, .used: inOrder.insert(.date(order), at: inOrder.count - 1)
      case .hits: inOrder.insert(.hits, at: inOrder.count - 1)
      case .key, .size, .type, .match, .column: break
      }
    }
    // An empty list has room for the name of the column.
    let wanted = max(wanted, 4)
    let rank = { (kind: Kind) in kind.tells(order) ? -1 : Self.rank(kind) }
    // Reserve the column for marks on the left, and one on the right.
    let room = max(0, width - 2)
    let least = min(max(wanted, 8), max(10, room * 2 / 5))
    var chosen: [Kind] = []
    var taken = 0
    for kind in inOrder.sorted(by: { rank($0) < rank($1) })
    where width >= Self.narrowest {
      let cost = Self.width(of: kind) + 2
      guard taken + cost + least <= room else { break }
      taken += cost
      chosen.append(kind)
    }
    let hasValue = chosen.contains(.value)
    let rest = room - taken
    // The value uses the width that the key does not need, but at least two fifths of their total,
    // or a quarter if that shows the whole key. Without a value, the columns are aligned to the
    // right.
    let total = rest + Self.minimumValue
    let isWhole = wanted <= total - max(Self.minimumValue + 2, total / 4)
    let most = isWhole ? wanted : max(least, total * 3 / 5)
    keyWidth = hasValue ? min(rest, max(8, wanted), most) : rest
    var x = 1 + keyWidth
    var columns: [Column] = []
    for kind in inOrder where chosen.contains(kind) {
      x += 2
      let columnWidth = kind == .value ? width - 1 - x : Self.width(of: kind)
      columns.append(Column(kind, x: x, width: columnWidth))
      x += columnWidth
    }
    self.columns = columns
  }

  /// An empty set of columns, next to keys that fill the row.
  static let none = ListColumns(keyWidth: 0, [])

  /// Creates columns that have been laid out.
  init(keyWidth: Int, _ columns: [Column]) {
    self.keyWidth = keyWidth
    self.columns = columns
  }

  /// Returns the possible columns from left to right.
  private static func kinds(_ content: Content) -> [Kind] {
    switch content {
    case .entries: [.type, .size, .value]
    case .times(let hasUses, let hasAge):
      [.type, .size, .left] + (hasAge ? [.life, .age] : [])
        + (hasUses ? [.hits, .used] : []) + [.value]
    case .cache: [.state, .left, .age, .hits]
    }
  }

  /// Returns the rank of a column, which is lowest for the most important one.
  private static func rank(_ kind: Kind) -> Int {
    switch kind {
    case .left: 0
    case .state: 1
    case .size: 2
    case .value: 3
    case .type: 4
    case .life: 5
    case .age: 6
    case .hits: 7
    case .used: 8
    case .date, .field: 9
    }
  }

  private static func width(of kind: Kind) -> Int {
    switch kind {
    case .type: 6
    case .size: 6
    case .state: 7
    // This fits negative times of ten minutes or more.
    case .left: 8
    case .life: barLength
    case .age, .used: 7
    case .hits: 5
    case .date: 16
    case .value: minimumValue
    case .field: 0
    }
  }

  fileprivate static let barLength = 6
}

/// The texts of the columns in a row.
struct ListCells {
  let row: ListRow?
  /// The current date, if it is known.
  let now: Date?

  /// Returns the text of a column.
  func text(_ kind: ListColumns.Kind) -> String {
    guard let row else { return "" }
    let entry = row.facts
    switch kind {
    case .type:
      return entry.typeName ?? row.preview?.kind ?? entry.specialType ?? entry.type.map {
        ValuePreview.kind(of: $0)
      }
        ?? ""
    case .size: return entry.size.map { ByteCount.short($0) } ?? ""
    case .value: return row.preview?.text ?? ""
    case .field(let name):  // What is too large for a list was left out of the row.
      return row.cells[name].map { $0.isNull ? "∅" : $0.text } ?? "…"
    case .hits: return entry.hits.map { Thousands.text($0) } ?? ""
    case .date(let field): return Self.date(field, of: entry).map { Self.text(of: $0) } ?? ""
    case .state, .left, .life, .age, .used:
      return now.map { text(kind, of: entry, at: $0) } ?? ""
    }
  }

  private func text(_ kind: ListColumns.Kind, of entry: Entry, at now: Date) -> String {
    let time = ExpiryStatus(entry)
    switch kind {
    case .state: return time.state(at: now).rawValue
    case .left:
      guard let left = time.left(at: now) else { return "∞" }
      if ExpiryStatus.hasJustExpired(left) { return "0s" }
      return left > 0
        ? Self.short(Duration.seconds(clamping: left).roundedUpClockText)
        : "−" + Self.short(Duration.seconds(clamping: -left).clockText)
    case .life:
      guard let share = time.share(at: now) else { return "" }
      let full = Int((share * Double(ListColumns.barLength)).rounded(.up))
      return String(repeating: "█", count: full)
        + String(repeating: "░", count: ListColumns.barLength - full)
    case .age: return Self.ago(entry.modified, now)
    case .used: return Self.ago(entry.lastUsed, now)
    case .type, .size, .value, .hits, .date, .field: return ""
    }
  }

  private static func date(_ field: EntryOrder.Field, of entry: Entry) -> Date? {
    switch field {
    case .modified: entry.modified
    case .expires: entry.expires
    case .used: entry.lastUsed
    case .key, .size, .type, .hits, .match, .column: nil
    }
  }

  /// Returns a date without its seconds.
  private static func text(of date: Date) -> String {
    let text = Timestamp.secondText(of: date)
    // Dates far in the past or future have a different format than 2026-11-22T17:30:24Z.
    guard text.utf8.count == 20, text.hasSuffix("Z") else { return text }
    return String(text.prefix(16)).replacing("T", with: " ")
  }

  /// Returns the theme role of a column; the time left has the color of the expiry state.
  func role(_ kind: ListColumns.Kind) -> ThemeRole {
    switch kind {
    case .type, .size, .age, .hits, .used, .date: return .textDim
    case .value: return .text
    case .field(let name):
      guard let cell = row?.cells[name] else { return .text }
      return cell.isNull ? .valueNull : cell.isNumber ? .valueNumber : .text
    case .state, .left, .life:
      guard let row, let now else { return .textDim }
      return switch ExpiryStatus(row.facts).state(at: now) {
      case .fresh: .cacheFresh
      case .soon: .cacheSoon
      case .expired: .cacheExpired
      case .never: .cacheNone
      }
    }
  }

  private static func ago(_ date: Date?, _ now: Date) -> String {
    date.map { short(Duration.seconds(clamping: now.timeIntervalSince($0)).clockText) } ?? ""
  }

  /// Returns a duration without its hours if it is long.
  private static func short(_ text: String) -> String {
    text.utf8.count > 7 ? String(text.prefix { $0 != " " }) : text
  }
}

/// The texts of the columns for larder's own cache.
struct CachedCells {
  /// The status of the entry, or `nil` if it is not cached.
  let status: CacheStatus?
  /// The time on the clock of the cache.
  let now: Duration

  /// Returns the text of a column, which is a dash for the state of an entry that is not cached.
  func text(_ kind: ListColumns.Kind) -> String {
    guard let status else { return kind == .state ? "–" : "" }
    let state = status.state(at: now)
    let isExpired = state == .expired
    switch kind {
    case .state: return isExpired ? "expired" : state == .soon ? "soon" : "fresh"
    case .left: return isExpired ? "0s" : status.remaining(at: now).roundedUpClockText
    case .age: return status.age(at: now).clockText
    case .hits: return String(status.hits)
    case .type, .size, .life, .used, .date, .value, .field: return ""
    }
  }

  /// The theme role of all columns.
  var role: ThemeRole {
    switch status?.state(at: now) {
    case .fresh: .cacheFresh
    case .soon: .cacheSoon
    case .expired: .cacheExpired
    case nil: .cacheNone
    }
  }
}

extension Duration {
  /// The time left, rounded up to whole seconds, so that the last second is shown as 1.
  fileprivate var roundedUpClockText: String {
    (self + .seconds(1) - .nanoseconds(1)).clockText
  }
}
