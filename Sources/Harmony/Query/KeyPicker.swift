/// Picks the selected keys out of keys that come in any order, without keeping many more of them.
struct KeyPicker {
  private let selection: KeySelection
  private var kept: [String] = []
  /// The last key that is still wanted, once there are as many as are asked for.
  private var bound: String?

  init(_ selection: KeySelection) {
    self.selection = selection
  }

  /// Takes a key.
  mutating func take(_ key: String) {
    guard selection.range.contains(key),
      selection.after.map({ selection.puts($0, before: key) }) ?? true,
      bound.map({ selection.puts(key, before: $0) }) ?? true
    else { return }
    kept.append(key)
    if let limit = selection.limit, kept.count >= max(limit.saturatingDouble, 1_024) { settle() }
  }

  /// The selected keys in the order that they are wanted in.
  mutating func takeAll() -> [String] {
    settle()
    defer { kept = [] }
    return kept
  }

  /// Puts what is kept in order, once each, and lets go of what is too much.
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
  /// Whether one key comes before another in the order that they are wanted in.
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
