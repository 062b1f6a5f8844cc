extension [RenameQuery] {
  /// Returns the renames in an order in which each new key is free when it is needed.
  ///
  /// Only the renames themselves are considered: `aa` becomes `a` before `aaa` becomes `aa`.
  ///
  /// - Returns: The renames, without those that change nothing.
  /// - Throws: ``StoreError`` if two entries would get the same key, or would swap keys.
  package func inOrder() throws(StoreError) -> [RenameQuery] {
    let renames = filter { $0.entryKey != $0.newKey }
    var byOldKey: [EntryKey: Int] = [:]
    var newKeys: Set<EntryKey> = []
    for (place, rename) in renames.enumerated() {
      byOldKey[rename.entryKey] = place
      guard newKeys.insert(rename.newKey).inserted else {
        throw .sameNewKey(rename.newKey)
      }
    }
    var ordered: [RenameQuery] = []
    var isDone = [Bool](repeating: false, count: renames.count)
    for first in renames.indices where !isDone[first] {
      // The chain leads from each rename to the one that must free its new key first.
      var chain: [Int] = []
      var place: Int? = first
      while let next = place, !isDone[next] {
        guard chain.count < renames.count else {
          throw .keyCycle(renames[first].entryKey)
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
