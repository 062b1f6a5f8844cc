import Harmony
import LarderModel

/// Walks over the keys of a source, over closed branches in one step, and makes rows of them.
///
/// The keys have to be in the order of their bytes: then all with a prefix lie together, and behind
/// them is what follows the prefix with a byte that no text has.
struct PrefixWalk {
  private let source: AnyDataSource<Entry>
  private let query: PrefixSummaryQuery
  private var rows: [Entry] = []
  /// The open branches that the last row is in, outermost first.
  private var path: [String] = []
  /// The keys that were read and not looked at.
  private var keys: ArraySlice<EntryKey> = []
  /// Where the keys go on that were not read.
  private var after: EntryKey?
  private var isLast = false
  private var size = maximumSize

  /// How many keys are read at once, where no branch is stepped over.
  private static let maximumSize = 256
  /// How many are read behind a branch, as the next one may be as long.
  private static let leastSize = 16

  init(_ source: AnyDataSource<Entry>, _ query: PrefixSummaryQuery) {
    self.source = source
    self.query = query
  }

  /// The rows of the page.
  consuming func rows() async throws -> [Entry] {
    guard query.page.limit > 0 else { return [] }
    try await begin()
    while !isFull, let key = try await next() {
      try Task.checkCancellation()
      switch query.page.direction {
      case .forward: try await takeForward(key)
      case .backward: try await takeBackward(key)
      }
    }
    if query.page.direction == .backward { leave(until: []) }
    return rows
  }

  private var isFull: Bool { rows.count >= query.page.limit }

  private func isOpen(_ branch: String) -> Bool { query.opened.contains(.branch(branch)) }

  private func branches(_ key: EntryKey) -> [String] {
    key.branches(by: query.delimiter, below: query.page.prefix)
  }

  /// Goes to the row that the page comes after.
  private mutating func begin() async throws {
    guard let row = query.page.after.map(query.row) else { return }
    path = branches(row)
    guard let branch = row.branchPrefix else {
      after = row
      if query.page.direction == .backward { try await leaveEmptyBranches() }
      return
    }
    switch query.page.direction {
    case .backward:
      if path.last?.hasBytes(of: branch) == true { path.removeLast() }
      after = .text(branch)
      try await leaveEmptyBranches()
    case .forward where isOpen(branch):
      // The first key of a branch may be no longer than its prefix.
      let first = try await page(EntryPageQuery(prefix: branch, limit: 1))
      keys = first[...]
      after = first.last ?? .text(branch)
    case .forward: after = Self.behind(branch)
    }
  }

  /// Leaves out branches around the row that the walk begins at in which there is no key by now.
  private mutating func leaveEmptyBranches() async throws {
    while let last = path.last,
      try await page(EntryPageQuery(prefix: last, limit: 1)).isEmpty
    {
      path.removeLast()
    }
  }

  // MARK: Forward

  private mutating func takeForward(_ key: EntryKey) async throws {
    let branches = branches(key)
    for (depth, branch) in branches.enumerated() {
      if path.indices.contains(depth), path[depth].hasBytes(of: branch) {
        if isOpen(branch) { continue }
        try await stepOver(branch)
        return
      }
      path = Array(branches[...depth])
      guard isOpen(branch) else {
        let count = try await stepOver(branch, from: key)
        rows.append(Self.row(branch, count))
        return
      }
      rows.append(Self.row(branch, nil))
      if isFull { return }
    }
    path = branches
    rows.append(Entry(key: key))
  }

  // MARK: Backward

  private mutating func takeBackward(_ key: EntryKey) async throws {
    let branches = branches(key)
    leave(until: branches)
    if isFull { return }
    guard let closed = branches.firstIndex(where: { !isOpen($0) }) else {
      path = branches
      rows.append(Entry(key: key))
      return
    }
    path = Array(branches[..<closed])
    let count = try await stepOver(branches[closed], from: key)
    rows.append(Self.row(branches[closed], count))
  }

  /// Adds the branches that come before what is in them, as the walk leaves them.
  private mutating func leave(until branches: [String]) {
    while !isFull, let last = path.last {
      let depth = path.count - 1
      if branches.indices.contains(depth), branches[depth].hasBytes(of: last) { return }
      rows.append(Self.row(last, nil))
      path.removeLast()
    }
  }

  // MARK: Keys

  /// Goes on behind a branch, in the direction of the walk.
  ///
  /// - Parameters:
  ///   - branch: The branch.
  ///   - first: The first of its keys in that direction, which was read just now.
  /// - Returns: How many keys are in it, where they were all read.
  /// - Throws: What the source throws.
  @discardableResult
  private mutating func stepOver(_ branch: String, from first: EntryKey? = nil) async throws -> Int?
  {
    var count = first == nil ? 0 : 1
    while let key = keys.first, branches(key).contains(where: { $0.hasBytes(of: branch) }) {
      keys.removeFirst()
      count += 1
    }
    if !keys.isEmpty || isLast { return count }
    switch query.page.direction {
    case .forward: after = Self.behind(branch)
    case .backward: after = .text(branch)
    }
    size = Self.leastSize
    return nil
  }

  private mutating func next() async throws -> EntryKey? {
    if let key = keys.popFirst() { return key }
    guard !isLast else { return nil }
    var wanted = query.page
    wanted.after = after
    wanted.limit = size
    let page = try await page(wanted)
    isLast = page.count < size
    after = page.last ?? after
    size = min(size * 4, Self.maximumSize)
    keys = page[...]
    return keys.popFirst()
  }

  private func page(_ query: EntryPageQuery) async throws -> [EntryKey] {
    var query = query
    query.detail = .keys
    query.scan = nil
    return try await source.getAll(query).getCancelling().map(\.key)
  }

  /// A key behind all with a prefix, or one of the last of them.
  private static func behind(_ branch: String) -> EntryKey {
    .malformedText(Array(branch.utf8) + [0xFF])
  }

  private static func row(_ branch: String, _ count: Int?) -> Entry {
    let value = count.map { StoredValue.integer(Int64($0)) }
    return Entry(key: .branch(branch), preview: value, type: value?.type)
  }
}
