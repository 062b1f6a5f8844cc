import LarderCore

/// The keys of a stream so far and their lines, in memory that depends on their number only.
///
/// Two keys are taken for one if 128 bits, which nobody can foresee, are the same.
struct SeenKeys {
  private struct Mark: Hashable {
    let left: Int
    let right: Int

    init(_ key: EntryKey) {
      var hasher = Hasher()
      hasher.combine(key)
      left = hasher.finalize()
      var other = Hasher()
      other.combine(left)
      other.combine(key)
      right = other.finalize()
    }
  }

  private var lines: [Mark: Int] = [:]

  /// Adds the key of a line; false where it was there.
  mutating func insert(_ key: EntryKey, line: Int) -> Bool {
    let mark = Mark(key)
    guard lines[mark] == nil else { return false }
    lines[mark] = line
    return true
  }

  /// The line of a key, nil where it was not there.
  func line(of key: EntryKey) -> Int? { lines[Mark(key)] }
}
