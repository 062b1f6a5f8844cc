package import LarderModel

/// The settings and sizes of a key tree.
package struct TreeModel: Sendable, Equatable {
  /// The separator at the end of a branch.
  package var delimiter: String
  /// The keys of the expanded branches.
  package var opened: Set<EntryKey> = []
  /// The known sizes of branches, which are `nil` if the store cannot tell.
  package var sizes: [EntryKey: BranchSize?] = [:]
  /// The count in progress.
  package var counting: Counting?

  /// A count of the keys in branches that is in progress.
  package struct Counting: Sendable, Equatable {
    /// The progress in a large branch.
    package struct Progress: Sendable, Equatable {
      package var branch: EntryKey
      package var count: Int
    }

    /// The branches that are not counted yet.
    package var branches: Set<EntryKey>
    package var token: Int
    package var progress: Progress?
  }

  package init(delimiter: String) {
    self.delimiter = delimiter
  }

  /// Returns the query for a page of the tree.
  package func query(_ page: EntryPageQuery) -> PrefixSummaryQuery {
    PrefixSummaryQuery(page, delimiter: delimiter, opened: opened)
  }

  /// The known size of a branch.
  package enum Knowledge: Sendable, Equatable {
    /// Nothing is known yet.
    case nothing
    /// The number of keys counted so far.
    case atLeast(Int)
    case known(BranchSize)
    /// The store cannot count the keys.
    case unknowable
  }

  /// Returns the known size of the branch in a row.
  package func knowledge(of row: Entry) -> Knowledge {
    if let answer = sizes[row.key] { return answer.map { .known($0) } ?? .unknowable }
    if case .integer(let count) = row.value { return .known(BranchSize(count: Int(count))) }
    guard let progress = counting?.progress, progress.branch == row.key else { return .nothing }
    return .atLeast(progress.count)
  }

  /// Whether a row is a branch whose size is not completely known.
  func isUncounted(_ row: Entry) -> Bool {
    guard row.key.branchPrefix != nil else { return false }
    guard let answer = sizes[row.key] else { return true }
    return answer?.isMeasuring == true
  }

  /// Discards all sizes, which may have changed.
  mutating func forgetCounts() {
    sizes = [:]
    counting = nil
  }

  /// Discards the sizes of the branches around a changed key, and any count in progress for them.
  mutating func forgetSizes(around key: EntryKey, below scope: String) {
    for branch in key.branches(by: delimiter, below: scope) {
      sizes[.branch(branch)] = nil
      if counting?.branches.contains(.branch(branch)) == true { counting = nil }
    }
  }

  /// Expands all branches around a key.
  mutating func open(around key: EntryKey, below scope: String) {
    opened.formUnion(key.branches(by: delimiter, below: scope).map { .branch($0) })
  }

  /// Returns the depth of a row below the scope, and the part of its key that the parent rows do
  /// not show.
  package func place(of key: EntryKey, below scope: String) -> (depth: Int, text: String)? {
    let branches = key.branches(by: delimiter, below: scope)
    let outer = key.branchPrefix == nil ? branches : branches.dropLast()
    let parent = outer.last ?? scope
    return key.text(behind: parent).map { (outer.count, $0) }
  }

  /// Returns the most likely separator of some keys.
  ///
  /// - Parameter keys: Some of the keys of a store.
  /// - Returns: The first of ``delimiters`` that is in at least 90 % as many keys as the most
  ///   frequent one, or `nil` if no key contains any.
  package static func delimiter(of keys: some Sequence<EntryKey>) -> String? {
    var counts: [UInt8: Int] = [:]
    for key in keys {
      guard let bytes = key.textBytes else { continue }
      // A separator is between two parts, not at either end of a key.
      for byte in Set(bytes.dropFirst().dropLast()) { counts[byte, default: 0] += 1 }
    }
    let found = delimiters.map { ($0, $0.utf8.first.flatMap { counts[$0] } ?? 0) }
    guard let most = found.map(\.1).max(), most > 0 else { return nil }
    return found.first { $0.1 * 10 >= most * 9 }?.0
  }

  /// The possible separators, most likely first.
  package static let delimiters = [":", "/", ".", "|", "#", "-", "_", " "]
}
