import LarderModel

/// What `larder info` says of the expiry of tables.
enum ExpiryFacts {
  /// One fact with a line for each table of which there is something to say; none else.
  static func all(_ layouts: [TableLayout]) -> [OpenStore.Fact] {
    let lines = layouts.flatMap(lines)
    guard !lines.isEmpty else { return [] }
    let more = lines.count > 20 ? "; and \(lines.count - 20) more" : ""
    return [
      OpenStore.Fact("expiry", lines.prefix(20).joined(separator: "; ") + more, lines: lines)
    ]
  }

  private static func lines(_ layout: TableLayout) -> [String] {
    switch layout.expiry {
    case .nothing(nil): return []
    case .nothing(let reason?), .undecided(_, let reason):
      return ["\(layout.name): no expiry: \(reason)"]
    case .found(let expiry):
      let others = expiry.bookkeeping.joined(separator: ", ")
      return ["\(layout.name): \(expiry.summary.spoken)"]
        + (others.isEmpty ? [] : ["\(layout.name) keeps beside it: \(others)"])
    }
  }
}
