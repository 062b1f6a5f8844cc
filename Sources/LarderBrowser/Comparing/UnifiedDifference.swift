import LarderModel
import LarderFormats

/// The difference between two values in the format of `diff -u`.
///
/// It is computed from the bytes of text, so that `patch` can turn one value into the other, from
/// the indented JSON of structures, and from the hex dump of other bytes.
enum UnifiedDifference: Sendable, Equatable {
  case text(String)
  /// There is no text, for the reason given as a clause.
  case none(String)

  /// The number of context lines around differences.
  private static let context = 3

  /// Compares two values line by line.
  init(
    _ left: StoredValue, _ right: StoredValue, names: ValueComparison.Names,
    isCancelled: () -> Bool = { false }
  ) {
    guard left != right else {
      self = .none(Messages.sameValues)
      return
    }
    guard let before = Self.lines(of: left), let after = Self.lines(of: right) else {
      self = .none(Messages.notWholeComparison)
      return
    }
    let common = SequenceDiff.of(before, after, isCancelled)
    var bytes: [UInt8] = []
    for hunk in Self.hunks(common, before.count, after.count) where !isCancelled() {
      hunk.write(before, after, to: &bytes)
    }
    guard !bytes.isEmpty else {
      self = .none(Messages.onlyTypes)
      return
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      self = .none(Messages.notUTF8Difference)
      return
    }
    guard text.utf8.count <= BrowserState.maximumCopy else {
      self = .none(Messages.largeDifference(bytes: text.utf8.count))
      return
    }
    self = .text("--- \(Self.label(names.left))\n+++ \(Self.label(names.right))\n" + text)
  }

  /// Returns a name on a single line.
  private static func label(_ name: String) -> String {
    name.unicodeScalars.contains(where: \.isHostile) ? JSONText.quote(name) : name
  }

  // MARK: Lines

  /// Returns the lines of a value, each with its line feed, or `nil` if there are too many.
  private static func lines(of value: StoredValue) -> [ArraySlice<UInt8>]? {
    let extent = ComparisonExtent.view
    guard value.storedSize <= extent.text else { return nil }
    var text: [UInt8]
    switch value {
    case .text, .url, .malformedText: text = ValueFormat.bytes(of: value)
    case .data(let bytes) where bytes.looksLikeText: text = bytes
    case .data(let bytes):
      let lines = ValueFormat.dump(bytes, limit: extent.lines)
      text = Array(lines.map { $0.text + "\n" }.joined().utf8)
    default: text = Array((ValueText.text(of: value) + "\n").utf8)
    }
    var lines: [ArraySlice<UInt8>] = []
    var start = text.startIndex
    while start < text.endIndex {
      guard lines.count < extent.lines else { return nil }
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.endIndex
      lines.append(text[start..<end])
      start = end
    }
    return lines
  }

  // MARK: Hunks

  /// A run of different lines with their context.
  private struct Hunk {
    /// The ranges of lines on both sides, and whether they are equal.
    var runs: [(left: Range<Int>, right: Range<Int>, isSame: Bool)]

    func write(
      _ left: [ArraySlice<UInt8>], _ right: [ArraySlice<UInt8>], to bytes: inout [UInt8]
    ) {
      guard let first = runs.first, let last = runs.last else { return }
      let range = (
        first.left.lowerBound..<last.left.upperBound, first.right.lowerBound..<last.right.upperBound
      )
      bytes += "@@ -\(Self.text(of: range.0)) +\(Self.text(of: range.1)) @@\n".utf8
      func write(_ mark: Unicode.Scalar, _ lines: ArraySlice<ArraySlice<UInt8>>) {
        for line in lines {
          bytes.append(UInt8(ascii: mark))
          bytes += line
          if line.last != UInt8(ascii: "\n") { bytes += "\n\(Messages.noNewline)\n".utf8 }
        }
      }
      for run in runs {
        if run.isSame {
          write(" ", left[run.left])
        } else {
          write("-", left[run.left])
          write("+", right[run.right])
        }
      }
    }

    /// Returns a range as its first line and its count, which is omitted if it is one; an empty
    /// range refers to the line before.
    private static func text(of range: Range<Int>) -> String {
      switch range.count {
      case 0: "\(range.lowerBound),0"
      case 1: "\(range.lowerBound + 1)"
      default: "\(range.lowerBound + 1),\(range.count)"
      }
    }
  }

  /// Returns the hunks between the common lines, each with its context.
  private static func hunks(_ common: [(Int, Int)], _ left: Int, _ right: Int) -> [Hunk] {
    var hunks: [Hunk] = []
    // The first lines after the last common line.
    var (start, other) = (0, 0)
    for (place, partner) in common + [(left, right)] {
      defer { (start, other) = (place + 1, partner + 1) }
      guard place > start || partner > other else { continue }
      let changed = (start..<place, other..<partner)
      let known = hunks.last?.runs.last?.left.upperBound ?? -.max
      let before = min(context, start)
      if known >= 0, start - known <= 2 * context {
        let last = hunks.count - 1
        let after = hunks[last].runs.last?.right.upperBound ?? 0
        if start > known { hunks[last].runs.append((known..<start, after..<other, true)) }
        hunks[last].runs.append((changed.0, changed.1, false))
      } else {
        hunks.append(Hunk(runs: []))
        let last = hunks.count - 1
        if before > 0 {
          hunks[last].runs.append((start - before..<start, other - before..<other, true))
        }
        hunks[last].runs.append((changed.0, changed.1, false))
      }
    }
    for place in hunks.indices {
      guard let end = hunks[place].runs.last else { continue }
      let after = min(context, left - end.left.upperBound)
      if after > 0 {
        hunks[place].runs.append(
          (
            end.left.upperBound..<end.left.upperBound + after,
            end.right.upperBound..<end.right.upperBound + after, true
          ))
      }
    }
    return hunks
  }
}
