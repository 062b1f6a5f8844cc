import LarderCore

/// The lines of `ls --long`: what is known of each entry in columns, before its key.
///
/// A column is as wide as what was listed so far needs: no line is held back for those that come
/// after the same page, and no column ever becomes narrower.
final class LongLines {
  private struct Line {
    let fields: [String]
    let key: EntryKey
  }

  private var lines: [Line] = []
  private var widths: [Int] = []
  /// Which column holds numbers, which stand at its end.
  private static let sizes = 1
  private static let gap = "  "
  /// The most lines that are waited for.
  private static let greatestCount = 4_000

  /// Adds the line of an entry, and prints those before where they are enough.
  func add(_ fields: [String], _ key: EntryKey, to print: (String, EntryKey) -> Void) {
    lines.append(Line(fields: fields, key: key))
    if lines.count >= Self.greatestCount { flush(to: print) }
  }

  /// Prints the lines that were added since the last time, each as its columns and its key.
  func flush(to print: (String, EntryKey) -> Void) {
    for line in lines {
      for (place, field) in line.fields.enumerated() {
        if place == widths.count { widths.append(0) }
        widths[place] = max(widths[place], field.utf8.count)
      }
    }
    for line in lines {
      var text = ""
      for (place, field) in line.fields.enumerated() {
        let space = String(repeating: " ", count: widths[place] - field.utf8.count)
        text += place == Self.sizes ? space + field : field + space
        text += Self.gap
      }
      print(text, line.key)
    }
    lines.removeAll(keepingCapacity: true)
  }
}
