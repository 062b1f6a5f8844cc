import Harmony
import LarderModel

/// A walk over the keys of a source that produces the rows of a key tree and skips closed branches.
///
/// The keys must be in byte order: then all keys with a prefix are adjacent, and the prefix
/// followed by a byte that is not valid in UTF-8 comes after all of them.
struct PrefixWalk {
  private let source: AnyDataSource<Entry>
  private let query: PrefixSummaryQuery
  private var rows: [Entry] = []
  /// The open branches that contain the last row, outermost first.
  private var path: [String] = []
  /// The keys that were read but not processed.
  private var keys: ArraySlice<EntryKey> = []
  /// The key after which to read the next keys.
  private var after: EntryKey?
  private var isLast = false
  private var size = maximumSize

  /// The maximum number of keys to read in one page.
  private static let maximumSize = 256
  /// The number of keys to read after skipping a branch, as the next branch may be long too.
  private static let minimumSize = 16

  init(_ source: AnyDataSource<Entry>, _ query: PrefixSummaryQuery) {
    self.source = source
    self.query = query
  }

  /// Returns the rows of the page.
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

  /// Positions the walk at the row that precedes the page.
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
      // The first key of a branch may be equal to its prefix.
      let first = try await page(EntryPageQuery(prefix: branch, limit: 1))
      keys = first[...]
      after = first.last ?? .text(branch)
    case .forward: after = Self.behind(branch)
    }
  }

  /// Removes branches that contain the start of the walk but have become empty.
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

  /// Adds the rows of branches that the backward walk leaves, as a branch precedes its contents.
  private mutating func leave(until branches: [String]) {
    while !isFull, let last = path.last {
      let depth = path.count - 1
      if branches.indices.contains(depth), branches[depth].hasBytes(of: last) { return }
      rows.append(Self.row(last, nil))
      path.removeLast()
    }
  }

  // MARK: Keys

  /// Skips a branch in the direction of the walk.
  ///
  /// - Parameters:
  ///   - branch: The branch.
  ///   - first: The first key of the branch in that direction, if it was just read.
  /// - Returns: The number of keys in the branch, or nil if not all of them were read.
  /// - Throws: Errors of the source.
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
    size = Self.minimumSize
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

  /// Returns a key after all keys with a prefix, or among the last of them.
  private static func behind(_ branch: String) -> EntryKey {
    .malformedText(Array(branch.utf8) + [0xFF])
  }

  private static func row(_ branch: String, _ count: Int?) -> Entry {
    let value = count.map { StoredValue.integer(Int64($0)) }
    return Entry(key: .branch(branch), preview: value, type: value?.type)
  }
}
