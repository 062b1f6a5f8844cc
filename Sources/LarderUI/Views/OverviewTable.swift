import LarderFormats
package import LarderModel
package import LarderOperations
import TerminalUI

/// A table of an overview, formatted for a given width in cells.
///
/// If there is not enough room, names are truncated in the middle and the least important columns
/// are removed. Keys are in their notation, so no control characters reach the terminal.
package struct OverviewTable {
  /// The line of column headers.
  package private(set) var header = ""
  /// The lines, which do not exceed the width of the table.
  package private(set) var lines: [String] = []

  private struct Column {
    var title: String
    var texts: [String]
    /// The rank, which is highest for the columns that are removed last.
    var rank: Int
    /// The fractions to display as bars in place of the texts.
    var shares: [Double] = []

    var width: Int { ([title] + texts).map { TextWidth.of($0) }.max() ?? 0 }
  }

  private static let gap = 2
  /// The minimum width of names, below which columns are removed.
  private static let minimumNameWidth = 12
  private static let barWidths = 8...30

  private init(
    names: Column, _ columns: [Column], width: Int, areNamesLast: Bool = false
  ) {
    var columns = columns
    var used: Int { columns.reduce(0) { $0 + $1.width + Self.gap } }
    let widest = names.width
    let least = min(widest, Self.minimumNameWidth, width / 2)
    while used + least > width,
      let weakest = columns.indices.min(by: { columns[$0].rank < columns[$1].rank })
    {
      columns.remove(at: weakest)
    }
    let nameWidth = max(0, min(widest, width - used))
    if let bars = columns.firstIndex(where: { !$0.shares.isEmpty }) {
      let spare = max(0, width - used - nameWidth)
      let length = min(Self.barWidths.lowerBound + spare, Self.barWidths.upperBound)
      columns[bars].texts = columns[bars].shares.map {
        TextCut.padded(OverviewText.bar($0, width: length), to: length)
      }
      columns[bars].title = TextCut.padded(columns[bars].title, to: columns[bars].width)
    }
    func line(_ name: String, _ cells: [String]) -> String {
      let name = TextCut.truncated(name, to: areNamesLast ? width - used : nameWidth, from: .middle)
      let rest = zip(cells, columns).map { cell, column in
        TextCut.padded(cell, to: column.width, alignment: .right)
      }
      let cells = areNamesLast ? rest + [name] : [TextCut.padded(name, to: nameWidth)] + rest
      let line = cells.joined(separator: String(repeating: " ", count: Self.gap))
      return String(TextCut.prefix(line, width: max(0, width)))
    }
    header = line(names.title, columns.map(\.title))
    lines = names.texts.indices.map { row in line(names.texts[row], columns.map { $0.texts[row] }) }
  }
}

extension OverviewTable {
  /// Returns the table of entries by prefix.
  package static func prefixes(
    _ groups: [Overview.Group], of overview: Overview, style: KeyStyle, showsExpiry: Bool,
    width: Int
  ) -> OverviewTable {
    let sums = groups.map(\.sum)
    var columns = sizes(sums, of: overview)
    if showsExpiry {
      columns += [
        Column(title: "1m   30d", texts: sums.map(OverviewText.histogram), rank: 1),
        Column(
          title: "NEXT", texts: sums.map { OverviewText.next($0, at: overview.date) }, rank: 4),
        Column(title: "EXPIRED", texts: sums.map { Thousands.text($0.expired) }, rank: 5),
      ]
    }
    let names = groups.map { name(of: $0.name, style) }
    return OverviewTable(
      names: Column(title: "PREFIX", texts: names, rank: 0), columns, width: width)
  }

  /// Returns the table of entries by type.
  package static func types(of overview: Overview, limit: Int, width: Int) -> OverviewTable {
    let types = overview.types(limit: limit)
    let names = types.map {
      $0.name.isEmpty ? Messages.unknownType : Sanitizer.display($0.name)
    }
    return OverviewTable(
      names: Column(title: "TYPE", texts: names, rank: 0),
      sizes(types.map(\.sum), of: overview), width: width)
  }

  /// Returns the table of entries by expiry.
  package static func expiry(of overview: Overview, width: Int) -> OverviewTable {
    let counts = OverviewSpan.allCases.map { overview.total.count(of: $0) }
    let shares = counts.map { Double($0) / Double(max(1, overview.total.count)) }
    return OverviewTable(
      names: Column(title: "EXPIRES", texts: OverviewSpan.allCases.map(\.title), rank: 0),
      [
        Column(title: "ENTRIES", texts: counts.map { Thousands.text($0) }, rank: 9),
        Column(title: "SHARE", texts: shares.map(OverviewText.percent), rank: 6),
        bars(shares),
      ], width: width)
  }

  /// Returns the table of the largest entries.
  package static func largest(
    _ overview: Overview, style: KeyStyle, showsExpiry: Bool, width: Int
  ) -> OverviewTable {
    let entries = overview.largest
    var columns = [
      Column(title: "SIZE", texts: entries.map { ByteCount.short($0.size) }, rank: 9),
      Column(title: "TYPE", texts: entries.map { Sanitizer.display($0.type ?? "-") }, rank: 2),
    ]
    if showsExpiry {
      let texts = entries.map { OverviewText.left(until: $0.expires, at: overview.date) }
      columns.append(Column(title: "LEFT", texts: texts, rank: 4))
    }
    let keys = entries.map { KeyText.display($0.key, style) }
    return OverviewTable(
      names: Column(title: "LARGEST ENTRIES", texts: keys, rank: 0), columns, width: width,
      areNamesLast: true)
  }

  private static func sizes(_ sums: [OverviewSum], of overview: Overview) -> [Column] {
    var columns = [Column(title: "ENTRIES", texts: sums.map { Thousands.text($0.count) }, rank: 9)]
    if overview.total.bytes != nil {
      let texts = sums.map { $0.bytes.map { ByteCount.short($0) } ?? "-" }
      columns.append(Column(title: "SIZE", texts: texts, rank: 8))
    }
    let shares = sums.map(overview.share)
    return columns + [
      Column(title: "SHARE", texts: shares.map(OverviewText.percent), rank: 6), bars(shares),
    ]
  }

  private static func bars(_ shares: [Double]) -> Column {
    let blank = String(repeating: " ", count: barWidths.lowerBound)
    return Column(title: blank, texts: shares.map { _ in blank }, rank: 3, shares: shares)
  }

  /// Returns the name of a group: its prefix in the notation of keys, or a description in
  /// parentheses.
  package static func name(of group: Overview.Group.Name, _ style: KeyStyle) -> String {
    switch group {
    case .prefix(let text): KeyText.display(.text(text), style)
    case .withoutPrefix: Messages.noPrefix
    case .others(let count): Messages.others(count)
    }
  }
}
