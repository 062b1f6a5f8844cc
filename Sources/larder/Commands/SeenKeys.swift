import LarderCore

/// The keys of a stream so far, in memory that depends on their number only.
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

  private var marks: Set<Mark> = []

  /// Adds a key; false where it was there.
  mutating func insert(_ key: EntryKey) -> Bool {
    marks.insert(Mark(key)).inserted
  }
}
