import LarderFormats

/// The limits of a comparison.
struct ComparisonExtent: Sendable {
  /// The maximum number of lines of one value.
  var lines: Int
  /// The maximum number of characters of one line.
  var line: Int
  /// The maximum number of characters of one value.
  ///
  /// All differences are laid out before anything is drawn.
  var text: Int
  /// The maximum number of comparisons of characters and words, over all lines.
  ///
  /// Without it, texts that have little in common would take half a minute.
  var comparisons: Int
  /// The maximum number of different rows.
  var differing: Int
  /// Whether structures inside large texts are parsed.
  var readsStructures: Bool
  /// The width in screen columns for which lines of bytes are formatted.
  var width: Int

  /// The limits for comparisons that block the screen.
  static let dialog = ComparisonExtent(
    lines: 500, line: 2_000, text: 100_000, comparisons: LineDifference.maximumComparisons,
    differing: .max, readsStructures: false, width: 80)
  /// The limits for comparisons in the background, whose lines fit into half of the screen.
  static let view = ComparisonExtent(
    lines: 50_000, line: 2_000, text: 4_000_000, comparisons: 400_000, differing: 5_000,
    readsStructures: true, width: 44)
}
