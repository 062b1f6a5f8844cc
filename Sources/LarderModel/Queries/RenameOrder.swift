extension [RenameQuery] {
  /// The same renames in an order in which each finds its new key free, as far as they themselves
  /// take and leave keys: `aa` becomes `a` before `aaa` becomes `aa`.
  ///
  /// - Returns: The renames, without those that change nothing.
  /// - Throws: ``StoreError`` where two entries would get one key, or exchange theirs.
  package func inOrder() throws(StoreError) -> [RenameQuery] {
    let renames = filter { $0.entryKey != $0.newKey }
    var byOldKey: [EntryKey: Int] = [:]
    var newKeys: Set<EntryKey> = []
    for (place, rename) in renames.enumerated() {
      byOldKey[rename.entryKey] = place
      guard newKeys.insert(rename.newKey).inserted else {
        throw .failed(
          "two entries would get the key \(rename.newKey.spoken); nothing was renamed")
      }
    }
    var ordered: [RenameQuery] = []
    var isDone = [Bool](repeating: false, count: renames.count)
    for first in renames.indices where !isDone[first] {
      // From each to the one that has to leave its key first, and so on, then back.
      var chain: [Int] = []
      var place: Int? = first
      while let next = place, !isDone[next] {
        guard chain.count < renames.count else {
          throw .failed(
            "\(renames[first].entryKey.spoken) and others would exchange their keys, for which "
              + "there is no order; nothing was renamed")
        }
        chain.append(next)
        place = byOldKey[renames[next].newKey]
      }
      for place in chain.reversed() where !isDone[place] {
        isDone[place] = true
        ordered.append(renames[place])
      }
    }
    return ordered
  }
}
