import LarderModel
import LarderStoreBase

/// The facts about expiry that `larder info` prints.
enum ExpiryFacts {
  /// Returns one fact with a line for each table that has something to report; empty if none has.
  static func all(_ layouts: [TableLayout]) -> [OpenStore.Fact] {
    OpenStore.Fact.listing("expiry", layouts.flatMap(lines))
  }

  private static func lines(_ layout: TableLayout) -> [String] {
    switch layout.expiry {
    case .nothing(nil): return []
    case .nothing(let reason?), .undecided(_, let reason):
      return ["\(layout.shownName): no expiry: \(reason)"]
    case .found(let expiry):
      let others = expiry.bookkeeping.joined(separator: ", ")
      return ["\(layout.shownName): \(expiry.summary.spoken)"]
        + (others.isEmpty ? [] : ["\(layout.shownName) also records: \(others)"])
    }
  }
}

extension OpenStore.Fact {
  /// Returns one fact with lines, whose text contains the first 20; empty without any.
  static func listing(_ name: String, _ lines: [String]) -> [OpenStore.Fact] {
    guard !lines.isEmpty else { return [] }
    let more = lines.count > 20 ? "; and \(lines.count - 20) more" : ""
    return [OpenStore.Fact(name, lines.prefix(20).joined(separator: "; ") + more, lines: lines)]
  }
}
