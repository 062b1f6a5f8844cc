package import Foundation
import LarderFormats
import LarderModel

/// Parts of an overview in words and bars.
package enum OverviewText {
  /// A part of a whole as a percentage, with one decimal.
  package static func percent(_ share: Double) -> String {
    let tenths = Int((min(max(share, 0), 1) * 1_000).rounded())
    return "\(tenths / 10).\(tenths % 10)%"
  }

  /// A part of a whole as a bar, to an eighth of a cell.
  package static func bar(_ share: Double, width: Int) -> String {
    let eighths = Int((min(max(share, 0), 1) * Double(max(0, width) * 8)).rounded())
    let rest = eighths % 8
    return String(repeating: "█", count: eighths / 8)
      + (rest == 0 ? "" : ["▏", "▎", "▍", "▌", "▋", "▊", "▉"][rest - 1])
  }

  /// When entries expire, as bars of which the highest is that of the most: a dot is for none.
  package static func histogram(_ sum: OverviewSum) -> String {
    let most = max(1, sum.histogram.max() ?? 0)
    let bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    return sum.histogram.map { count in
      guard count > 0 else { return "·" }
      return bars[Int((Double(count) / Double(most) * 7).rounded())]
    }.joined()
  }

  /// How soon the next entry expires, in its largest unit; `never` where none will, and a dash where
  /// all have.
  package static func next(_ sum: OverviewSum, at date: Date) -> String {
    if let next = sum.next { return left(until: next, at: date) }
    return sum.expired > 0 && sum.never == 0 ? "-" : "never"
  }

  /// How long until a time, in its largest unit.
  package static func left(until expires: Date?, at date: Date) -> String {
    guard let expires else { return "never" }
    let seconds = expires.timeIntervalSince(date)
    guard seconds > 0 else { return "expired" }
    let text = Duration.seconds(clamping: seconds.rounded(.up)).clockText
    return String(text.prefix { $0 != " " })
  }

  /// The number of entries, what they take, and how many have expired, each in words.
  package static func summary(of overview: Overview, showsExpiry: Bool) -> [String] {
    let total = overview.total
    var parts = ["\(Thousands.text(total.count)) \(total.count == 1 ? "entry" : "entries")"]
    if let bytes = total.bytes {
      let unknown = total.count - total.sizedCount
      parts.append(
        ByteCount.text(bytes)
          + (unknown > 0 ? " (\(Thousands.text(unknown)) of unknown size)" : ""))
    }
    if showsExpiry { parts.append("\(Thousands.text(total.expired)) expired") }
    return parts
  }
}
