/// A filter that selects keys from an unordered sequence without storing many more than needed.
struct KeyPicker {
  private let selection: KeySelection
  private var kept: [String] = []
  /// The last key that is still needed, once the limit is reached.
  private var bound: String?

  init(_ selection: KeySelection) {
    self.selection = selection
  }

  /// Adds a key if it may be selected.
  mutating func take(_ key: String) {
    guard selection.range.contains(key),
      selection.after.map({ selection.puts($0, before: key) }) ?? true,
      bound.map({ selection.puts(key, before: $0) }) ?? true
    else { return }
    kept.append(key)
    if let limit = selection.limit, kept.count >= max(limit.saturatingDouble, 1_024) { settle() }
  }

  /// Returns the selected keys in the requested order.
  mutating func takeAll() -> [String] {
    settle()
    defer { kept = [] }
    return kept
  }

  /// Sorts the stored keys, and removes duplicates and those above the limit.
  private mutating func settle() {
    let selection = selection
    kept.sort { selection.puts($0, before: $1) }
    var last: String?
    kept.removeAll { key in
      defer { last = key }
      return last.map { !selection.puts($0, before: key) } ?? false
    }
    guard let limit = selection.limit, kept.count >= max(limit, 0) else { return }
    kept.removeLast(kept.count - max(limit, 0))
    bound = kept.last ?? bound
  }
}

extension KeySelection {
  /// Whether one key comes before another in the requested order.
  fileprivate func puts(_ one: String, before other: String) -> Bool {
    isDescending ? other.isOrderedBefore(one) : one.isOrderedBefore(other)
  }
}

extension Int {
  fileprivate var saturatingDouble: Int {
    let (product, overflows) = multipliedReportingOverflow(by: 2)
    return overflows ? .max : product
  }
}
