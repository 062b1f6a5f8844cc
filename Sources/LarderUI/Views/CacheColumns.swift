import LarderCore

/// The columns that say what is cached under each key, as many as there is room for.
struct CacheColumns {
  /// What a column says.
  enum Kind {
    case state
    case left
    case age
    case hits

    /// The text of the column for an entry; a dash for one that is not cached.
    func text(of status: CacheStatus?, at now: Duration) -> String {
      guard let status else { return self == .state ? "–" : "" }
      let state = status.state(at: now)
      switch self {
      case .state: return state == .expired ? "expired" : "fresh"
      case .left: return state == .expired ? "0s" : status.remaining(at: now).roundedUpClockText
      case .age: return status.age(at: now).clockText
      case .hits: return String(status.hits)
      }
    }
  }

  struct Column {
    let kind: Kind
    let name: String
    let width: Int
    /// How far from the right edge of the row the column begins.
    let fromRight: Int
  }

  /// The columns from left to right.
  let columns: [Column]

  /// How many cells the columns take in all.
  var width: Int { columns.first?.fromRight ?? 0 }

  init(width: Int, isShown: Bool) {
    let wanted: [(kind: Kind, name: String, width: Int, least: Int)] = [
      (.state, "STATE", 8, 0), (.left, "LEFT", 8, 30), (.age, "AGE", 8, 38),
      (.hits, "HITS", 6, 48),
    ]
    var fromRight = 1
    var columns: [Column] = []
    for column in wanted where isShown && width >= column.least && width >= 16 {
      fromRight += column.width
      columns.insert(
        Column(
          kind: column.kind, name: column.name, width: column.width, fromRight: fromRight), at: 0)
    }
    self.columns = columns
  }
}

extension Duration {
  /// The time left, in whole seconds of which the last is still shown as 1.
  fileprivate var roundedUpClockText: String {
    (self + .seconds(1) - .nanoseconds(1)).clockText
  }
}
