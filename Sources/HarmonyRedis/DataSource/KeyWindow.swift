import Harmony

/// The first keys of a selection, collected in any order and with bounded memory.
struct KeyWindow {
  private let selection: KeySelection
  /// The maximum number of keys.
  private let limit: Int
  private var keys: [String] = []

  init(_ selection: KeySelection) {
    self.selection = selection
    limit = max(selection.limit ?? .max, 0)
  }

  /// The prefix that all keys of a range have.
  static func prefix(of range: KeyRange) -> String {
    guard let lower = range.lowerBound, let upper = range.upperBound else {
      // Only the last possible key has no successor.
      return range.lowerBound.flatMap { KeyRange(prefix: $0) == range ? $0 : nil } ?? ""
    }
    if KeyRange(prefix: lower) == range { return lower }
    let count = zip(lower.unicodeScalars, upper.unicodeScalars).prefix { $0 == $1 }.count
    return String(String.UnicodeScalarView(lower.unicodeScalars.prefix(count)))
  }

  mutating func add(_ key: String) {
    guard selection.range.contains(key), isAfterStart(key) else { return }
    keys.append(key)
    // Sorting rarely enough makes it cheap.
    if limit < .max / 4, keys.count >= 2 * limit + 1_024 { keys = sorted() }
  }

  /// Returns the keys in the order of the selection, without duplicates.
  func sorted() -> [String] {
    let ordered = keys.sorted {
      selection.isDescending ? $1.isOrderedBefore($0) : $0.isOrderedBefore($1)
    }
    var result: [String] = []
    for key in ordered where result.last.map({ !$0.utf8.elementsEqual(key.utf8) }) ?? true {
      if result.count >= limit { break }
      result.append(key)
    }
    return result
  }

  private func isAfterStart(_ key: String) -> Bool {
    guard let after = selection.after else { return true }
    return selection.isDescending ? key.isOrderedBefore(after) : after.isOrderedBefore(key)
  }
}
