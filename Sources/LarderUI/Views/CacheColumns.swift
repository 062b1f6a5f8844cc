import Foundation
import LarderModel
import LarderFormats
import LarderBrowser

/// The columns that say what is cached under each key, as many as there is room for.
struct CacheColumns {
  /// What a column says.
  enum Kind {
    case state
    case left
    case age
    case hits
    case used
    case size
    /// The share of its life that an entry still has.
    case bar

    /// The text of the column for an entry; a dash for one that is not cached.
    func text(of status: CacheStatus?, at now: Duration) -> String {
      guard let status else { return self == .state ? "–" : "" }
      let state = status.state(at: now)
      switch self {
      case .state: return state == .expired ? "expired" : "fresh"
      case .left: return state == .expired ? "0s" : status.remaining(at: now).roundedUpClockText
      case .age: return status.age(at: now).clockText
      case .hits: return String(status.hits)
      case .used, .size, .bar: return ""
      }
    }

    /// The text of the column for an entry of which the store keeps until when it counts.
    func text(of entry: Entry, at now: Date) -> String {
      let time = EntryTime(entry)
      switch self {
      case .state: return time.state(at: now).rawValue
      case .left:
        guard let left = time.left(at: now) else { return "" }
        if EntryTime.isJustOver(left) { return "0s" }
        return left > 0
          ? Self.duration(left).roundedUpClockText : "−\(Self.duration(-left).clockText)"
      case .age: return Self.ago(entry.modified, now)
      case .used: return Self.ago(entry.lastUsed, now)
      case .hits: return entry.hits.map(String.init) ?? ""
      case .size: return entry.size.map { Thousands.text($0) } ?? ""
      case .bar:
        guard let share = time.share(at: now) else { return "" }
        let full = Int((share * Double(Self.barLength)).rounded(.up))
        return String(repeating: "█", count: full)
          + String(repeating: "░", count: Self.barLength - full)
      }
    }

    private static let barLength = 6

    private static func ago(_ date: Date?, _ now: Date) -> String {
      date.map { duration(now.timeIntervalSince($0)).clockText } ?? ""
    }

    /// So many seconds, as far as a duration can tell: a date may be any number.
    private static func duration(_ seconds: Double) -> Duration {
      .seconds(min(max(0, seconds), 1e12))
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

  init(width: Int, isShown: Bool, ofStore entry: Entry? = nil) {
    typealias Wanted = (kind: Kind, name: String, width: Int, least: Int)
    let ofCache: [Wanted] = [
      (.state, "STATE", 8, 0), (.left, "LEFT", 8, 30), (.age, "AGE", 8, 38),
      (.hits, "HITS", 6, 48),
    ]
    let ofTimes: [Wanted] = [
      // As wide as ten minutes and more that are over, with their sign, and a space.
      (.state, "STATE", 8, 0), (.left, "LEFT", 9, 30), (.bar, "LIFE", 7, 40),
      (.size, "SIZE", 9, 48), (.age, "AGE", 8, 56), (.hits, "HITS", 6, 64), (.used, "USED", 8, 72),
    ]
    let wanted =
      entry.map { entry in
        // What a store does not know of one entry it knows of none.
        ofTimes.filter { column in
          switch column.kind {
          case .hits, .used: entry.hits != nil
          case .age, .bar: entry.modified != nil
          case .state, .left, .size: true
          }
        }
      } ?? ofCache
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
