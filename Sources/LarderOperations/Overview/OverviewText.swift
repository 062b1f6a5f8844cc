package import Foundation
import LarderFormats
import LarderModel

/// Formats parts of an overview as text and bars.
package enum OverviewText {
  /// Returns a share as a percentage with one decimal.
  package static func percent(_ share: Double) -> String {
    let tenths = Int((min(max(share, 0), 1) * 1_000).rounded())
    return "\(tenths / 10).\(tenths % 10)%"
  }

  /// Returns a share as a bar with a resolution of an eighth of a cell.
  package static func bar(_ share: Double, width: Int) -> String {
    let eighths = Int((min(max(share, 0), 1) * Double(max(0, width) * 8)).rounded())
    let rest = eighths % 8
    return String(repeating: "█", count: eighths / 8)
      + (rest == 0 ? "" : ["▏", "▎", "▍", "▌", "▋", "▊", "▉"][rest - 1])
  }

  /// Returns the histogram of expiries as bars scaled to the largest bucket, with dots for empty
  /// buckets.
  package static func histogram(_ sum: OverviewSum) -> String { bars(sum.histogram).joined() }

  /// Returns a bar of one cell for each count, scaled to the largest one, with a dot for none.
  private static func bars(_ counts: [Int]) -> [String] {
    let most = max(1, counts.max() ?? 0)
    let bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    return counts.map { count in
      count > 0 ? bars[Int((Double(count) / Double(most) * 7).rounded())] : "·"
    }
  }

  /// Returns the numbers of entries by expiry with their bars on one line, in the longest form that
  /// fits into a width.
  ///
  /// If there is little room, titles are short, and spans without entries are omitted.
  package static func spans(of sum: OverviewSum, width: Int) -> String {
    let spans = OverviewSpan.allCases
    let counts = spans.map { sum.count(of: $0) }
    let bars = bars(counts)
    func line(_ title: (OverviewSpan) -> String, onlyFilled: Bool, hasBars: Bool = true) -> String {
      spans.indices.filter { !onlyFilled || counts[$0] > 0 }.map { place in
        title(spans[place]) + " " + (hasBars ? bars[place] + " " : "")
          + Thousands.text(counts[place])
      }.joined(separator: "  ")
    }
    let lines = [
      Messages.expires(line(\.title, onlyFilled: false)), line(\.title, onlyFilled: false),
      line(\.shortTitle, onlyFilled: false), line(\.shortTitle, onlyFilled: true),
      line(\.shortTitle, onlyFilled: true, hasBars: false),
    ]
    return lines.first { $0.count <= width } ?? lines[lines.count - 1]
  }

  /// Returns the time to the next expiry in its largest unit.
  ///
  /// The result is `never` if no entry expires, and a dash if all entries have expired.
  package static func next(_ sum: OverviewSum, at date: Date) -> String {
    if let next = sum.next { return left(until: next, at: date) }
    return sum.expired > 0 && sum.never == 0 ? "-" : "never"
  }

  /// Returns the time to an expiry in its largest unit.
  package static func left(until expires: Date?, at date: Date) -> String {
    guard let expires else { return "never" }
    let seconds = expires.timeIntervalSince(date)
    guard seconds > 0 else { return "expired" }
    let text = Duration.seconds(clamping: seconds.rounded(.up)).clockText
    return String(text.prefix { $0 != " " })
  }
}
