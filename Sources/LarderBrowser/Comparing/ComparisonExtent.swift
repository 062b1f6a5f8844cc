import LarderFormats

/// How much of values is compared.
struct ComparisonExtent: Sendable {
  /// The maximum number of lines of one value.
  var lines: Int
  /// The maximum number of characters of one line.
  var line: Int
  /// The maximum number of characters of one value.
  ///
  /// All of what differs is laid out before anything is drawn.
  var text: Int
  /// The number of comparisons of all lines: of characters, and of words with words.
  ///
  /// Texts that have little in common would take half a minute.
  var comparisons: Int
  /// The maximum number of rows that differ.
  var differing: Int
  /// Whether the structures that large texts hold are read.
  var readsStructures: Bool
  /// The columns that the lines of bytes are made for.
  var width: Int

  /// What the screen waits for.
  static let dialog = ComparisonExtent(
    lines: 500, line: 2_000, text: 100_000, comparisons: LineDifference.maximumComparisons,
    differing: .max, readsStructures: false, width: 80)
  /// What is compared while the screen goes on, and fits into half of it.
  static let view = ComparisonExtent(
    lines: 50_000, line: 2_000, text: 4_000_000, comparisons: 400_000, differing: 5_000,
    readsStructures: true, width: 44)
}
