import HarmonySQLite
import LarderCore

/// The places of a database at which triggers changed rows.
///
/// A place may have one row after another, as a rowid is given again. So it is followed which of
/// them a statement named, and which only a trigger took away or put there.
struct TriggerPlaces {
  typealias Place = TriggerWatch.Place

  /// Those with a row that no statement named.
  private(set) var side: Set<Place> = []
  /// Those of them from which a trigger took a row away, before a statement put another there.
  private(set) var displaced: Set<Place> = []
  /// Those where triggers changed rows that a statement named.
  private(set) var shared: Set<Place> = []

  /// What happened at a place so far.
  private struct History {
    /// Whether the row that was there at first still is.
    var isFirst = true
    /// Whether there is a row, which a change has put there.
    var isNew = false
    /// Whether a statement named the row that is there.
    var isNamed = false
    var isDirect = false
    var isByTrigger = false
    /// Whether a trigger took a row away that was there at first and that no statement named.
    var isDisplaced = false

    mutating func note(isDirect: Bool) {
      if isDirect { self.isDirect = true } else { isByTrigger = true }
    }

    mutating func leave(isDirect: Bool) {
      note(isDirect: isDirect)
      if isFirst, !isNamed, !isDirect { isDisplaced = true }
      (isFirst, isNew, isNamed) = (false, false, false)
    }

    mutating func arrive(isDirect: Bool) {
      note(isDirect: isDirect)
      (isFirst, isNew, isNamed) = (false, true, isDirect)
    }

    mutating func stay(isDirect: Bool) {
      note(isDirect: isDirect)
      if isDirect { isNamed = true }
    }
  }

  /// Follows changes in their order.
  init(_ changes: [SQLiteRowChange]) {
    var histories: [Place: History] = [:]
    for change in changes {
      let isDirect = change.depth == 0
      let places = change.rows.map { Place(table: change.table, row: $0.key) }
      guard let first = places.first, let last = places.last else { continue }
      switch change.kind {
      case .added: histories[last, default: History()].arrive(isDirect: isDirect)
      case .deleted: histories[first, default: History()].leave(isDirect: isDirect)
      case .changed where first == last:
        histories[first, default: History()].stay(isDirect: isDirect)
      case .changed:
        histories[first, default: History()].leave(isDirect: isDirect)
        histories[last, default: History()].arrive(isDirect: isDirect)
      }
    }
    for (place, history) in histories where history.isByTrigger {
      if history.isDirect, history.isDisplaced { displaced.insert(place) }
      if !history.isDirect || history.isDisplaced || (history.isNew && !history.isNamed) {
        side.insert(place)
      } else {
        shared.insert(place)
      }
    }
  }

  /// The tables in which the places are.
  var tables: Set<String> { Set(side.map(\.table)).union(shared.map(\.table)) }

  /// Keeps only some of the places.
  mutating func keep(_ isMeant: (Place) -> Bool) {
    side = side.filter(isMeant)
    displaced = displaced.filter(isMeant)
    shared = shared.filter(isMeant)
  }
}

extension SQLiteRowChange.Row {
  /// The rowid as a key, or the key.
  fileprivate var key: EntryKey {
    switch self {
    case .rowid(let number): return .integer(number)
    case .key(let values):
      let parts = values.map { EntryKey($0) }
      guard parts.count == 1, let key = parts.first else { return .composite(parts) }
      return key
    }
  }
}
