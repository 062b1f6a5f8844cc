package import LarderModel

/// How a list of keys is shown as a tree.
package struct TreeModel: Sendable, Equatable {
  /// What ends a branch.
  package var delimiter: String
  /// The branches that are open, as keys.
  package var opened: Set<EntryKey> = []
  /// What is in branches, where that was asked for; nil where nobody can tell.
  package var sizes: [EntryKey: BranchSize?] = [:]
  /// The branches whose keys are being counted.
  package var counting: Counting?

  /// Branches whose keys are being counted.
  package struct Counting: Sendable, Equatable {
    /// How far it has come with a large branch.
    package struct Progress: Sendable, Equatable {
      package var branch: EntryKey
      package var count: Int
    }

    /// The branches of which nothing is known yet.
    package var branches: Set<EntryKey>
    package var token: Int
    package var progress: Progress?
  }

  package init(delimiter: String) {
    self.delimiter = delimiter
  }

  /// The tree as a store is asked for it.
  package func query(_ page: EntryPageQuery) -> PrefixSummaryQuery {
    PrefixSummaryQuery(page, delimiter: delimiter, opened: opened)
  }

  /// What is known of a branch.
  package enum Knowledge: Sendable, Equatable {
    /// Nothing yet.
    case nothing
    /// So many of its keys have been counted.
    case atLeast(Int)
    case known(BranchSize)
    /// The store cannot tell.
    case unknowable
  }

  /// What is known of the branch of a row.
  package func knowledge(of row: Entry) -> Knowledge {
    if let answer = sizes[row.key] { return answer.map { .known($0) } ?? .unknowable }
    if case .integer(let count) = row.value { return .known(BranchSize(count: Int(count))) }
    guard let progress = counting?.progress, progress.branch == row.key else { return .nothing }
    return .atLeast(progress.count)
  }

  /// Whether a row is a branch of which it is not known yet what is in it.
  func isUncounted(_ row: Entry) -> Bool {
    guard row.key.branchPrefix != nil else { return false }
    guard let answer = sizes[row.key] else { return true }
    return answer?.isMeasuring == true
  }

  /// Forgets what is in branches, as they may have become others.
  mutating func forgetCounts() {
    sizes = [:]
    counting = nil
  }

  /// Forgets what is in the branches around a key, whose value has become another one, also where
  /// it is being counted.
  mutating func forgetSizes(around key: EntryKey, below scope: String) {
    for branch in key.branches(by: delimiter, below: scope) {
      sizes[.branch(branch)] = nil
      if counting?.branches.contains(.branch(branch)) == true { counting = nil }
    }
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
