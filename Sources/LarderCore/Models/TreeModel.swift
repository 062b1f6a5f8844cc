/// How a list of keys is shown as a tree.
package struct TreeModel: Sendable, Equatable {
  /// What ends a branch.
  package var delimiter: String
  /// The branches that are open, as keys.
  package var opened: Set<EntryKey> = []
  /// How many keys are in branches, where that was asked for; nil where nobody can tell.
  package var counts: [EntryKey: Int?] = [:]
  /// The branch whose keys are being counted, and the token of that.
  package var counting: Counting?

  /// A branch whose keys are being counted.
  package struct Counting: Sendable, Equatable {
    package var branch: EntryKey
    package var token: Int
  }

  package init(delimiter: String) {
    self.delimiter = delimiter
  }

  /// The tree as a store is asked for it.
  package func query(_ page: EntryPageQuery) -> PrefixSummaryQuery {
    PrefixSummaryQuery(page, delimiter: delimiter, opened: opened)
  }

  /// How many keys are in a branch; nil where that is not known yet.
  package func count(of row: Entry) -> Int? {
    if let answer = counts[row.key] { return answer }
    if case .integer(let count) = row.value { return Int(count) }
    return nil
  }

  /// Whether a row is a branch of which nobody has asked yet how many keys are in it.
  func isUncounted(_ row: Entry) -> Bool {
    row.key.branchPrefix != nil && counts[row.key] == nil && count(of: row) == nil
  }

  /// Forgets how many keys are in branches, as they may have become others.
  mutating func forgetCounts() {
    counts = [:]
    counting = nil
  }

  /// Opens all branches around a key.
  mutating func open(around key: EntryKey, below scope: String) {
    opened.formUnion(key.branches(by: delimiter, below: scope).map { .branch($0) })
  }

  /// How deep a row lies below the scope, and what of its key is not said by the rows around it.
  package func place(of key: EntryKey, below scope: String) -> (depth: Int, text: String)? {
    let branches = key.branches(by: delimiter, below: scope)
    let outer = key.branchPrefix == nil ? branches : branches.dropLast()
    let parent = outer.last ?? scope
    return key.text(behind: parent).map { (outer.count, $0) }
  }

  /// The character that most of some keys seem to be made of parts with.
  ///
  /// - Parameter keys: Some of the keys of a store.
  /// - Returns: The likeliest of ``delimiters`` among those that nearly as many keys hold as the
  ///   most frequent one; nil where no key holds any.
  package static func delimiter(of keys: some Sequence<EntryKey>) -> String? {
    var counts: [UInt8: Int] = [:]
    for key in keys {
      guard let bytes = key.textBytes else { continue }
      // What a key begins or ends with parts nothing.
      for byte in Set(bytes.dropFirst().dropLast()) { counts[byte, default: 0] += 1 }
    }
    let found = delimiters.map { ($0, $0.utf8.first.flatMap { counts[$0] } ?? 0) }
    guard let most = found.map(\.1).max(), most > 0 else { return nil }
    return found.first { $0.1 * 10 >= most * 9 }?.0
  }

  /// What separates the parts of keys, the likeliest first.
  package static let delimiters = [":", "/", ".", "|", "#", "-", "_", " "]
}
