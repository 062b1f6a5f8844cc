package import LarderModel
import Harmony

extension EffectSlot {
  static let page = EffectSlot("page", isOfTab: true)
  static let count = EffectSlot("count", isOfTab: true)
}

/// Loads a page of a list or key tree in pieces, so that results show immediately and a long scan
/// can be observed and stopped.
package struct LoadPage: BrowserEffect {
  package let store: StoreReference
  package let query: EntryPageQuery
  /// The query for the page of the tree, or `nil` for a list.
  package let tree: PrefixSummaryQuery?
  /// Whether to show a sample of the entries until the first page is known.
  package var showsSample = false
  package let ticket: Ticket?
  package var slot: EffectSlot? { .page }

  /// The result of loading a page.
  package enum Reply: Sendable, Equatable {
    /// Entries were found.
    case entries(PageReply)
    /// A sample of the entries, in no particular order.
    case sample([Entry])
    /// The number of entries examined so far.
    case progress(Int)
    case failed(StoreError)
  }

  /// The maximum duration of a scan before partial results are returned: a few frames.
  private static let budget = Duration.milliseconds(60)

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    do {
      if let tree {
        try await loadTree(tree, runner, reply)
      } else if query.inKeyOrder == nil {
        try await loadSorted(runner, reply)
      } else {
        try await loadInOrder(runner, reply)
      }
    } catch {
      await reply(.failed(StoreError(error)))
    }
  }

  /// Loads a page of a tree, which never takes long.
  private func loadTree(
    _ tree: PrefixSummaryQuery, _ runner: EffectRunner, _ reply: Replies<Self>
  ) async throws {
    let page = try await runner.opened(store).store.source.getAll(tree).getCancelling()
    guard !Task.isCancelled else { return }
    let isEnd = page.count < tree.page.limit
    await reply(
      .entries(PageReply(entries: page, examined: page.count, isEnd: isEnd, isLast: true)))
  }

  /// Loads a page that is not in key order, for which the store examines all entries.
  private func loadSorted(_ runner: EffectRunner, _ reply: Replies<Self>) async throws {
    let page = try await runner.telling({ Reply.progress($0.examined) }, to: reply) { scan in
      var query = query
      query.scan = scan
      let page = try await runner.opened(store).store.source.getAll(query).getCancelling()
      return PageReply(
        entries: page, examined: max(scan.examined, page.count),
        isEnd: scan.isReported ? scan.isComplete : page.count < query.limit, isLast: true,
        undecided: scan.unreadable.map(\.key))
    }
    guard !Task.isCancelled else { return }
    await reply(.entries(page))
  }

  private func loadInOrder(_ runner: EffectRunner, _ reply: Replies<Self>) async throws {
    if showsSample {
      let source = try runner.opened(store).store.source
      let sample = try? await source.getAll(SampleQuery(query)).getCancelling()
      if let sample, !sample.isEmpty, !Task.isCancelled { await reply(.sample(sample)) }
    }
    var query = query
    var examined = 0
    while true {
      let before = examined
      let (page, scan) = try await runner.telling(
        { Reply.progress(before + $0.examined) }, budget: Self.budget, to: reply
      ) { scan in
        query.scan = scan
        return (try await runner.opened(store).store.source.getAll(query).getCancelling(), scan)
      }
      examined += max(scan.examined, page.count)
      let isEnd = scan.isReported ? scan.isComplete : page.count < query.limit
      let isLast = isEnd || page.count >= query.limit
      let position = scan.position ?? page.last?.key
      guard !Task.isCancelled else { return }
      await reply(
        .entries(
          PageReply(
            entries: page, examined: examined, position: position, isEnd: isEnd, isLast: isLast,
            undecided: scan.unreadable.map(\.key))))
      if isLast { return }
      query.limit -= page.count
      query.after = position ?? query.after
    }
  }

  package func receive(_ reply: Reply, in state: inout BrowserState) -> Effects {
    switch reply {
    case .entries(let page): state.pageArrived(page)
    case .sample(let entries): state.sampleArrived(entries)
    case .progress(let examined): state.pageProgressed(examined: examined)
    case .failed(let error): state.pageFailed(error)
    }
  }
}

/// Counts the keys with a prefix: by an estimate if the store has one, else by a scan.
package struct CountEntries: BrowserEffect {
  package let store: StoreReference
  package let prefix: String
  package let ticket: Ticket?
  package var slot: EffectSlot? { .count }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    guard let store = runner.registry.store(store)?.store else { return }
    for precision in [CountQuery.Precision.estimate, .exact] {
      if let total = await store.total(prefix: prefix, precision: precision) {
        return await reply(total)
      }
    }
  }

  package func receive(_ total: KeysModel.Total, in state: inout BrowserState) -> Effects {
    state.counted(total)
  }
}

extension EffectRunner {
  /// Returns the answer to a count query, or `nil` if the store has none.
  func answer(_ query: CountQuery, in reference: StoreReference) async -> Entry? {
    try? await registry.store(reference)?.store.source.get(query).getCancelling()
  }
}

/// A part of a page: the entries found since the last reply of the same effect.
package struct PageReply: Sendable, Equatable {
  /// The entries, in the direction of the query.
  package var entries: [Entry]
  /// The total number of entries examined so far.
  package var examined: Int
  /// The key after which to continue, if the page ended before its limit.
  package var position: EntryKey?
  /// Whether the store has no more entries in this direction.
  package var isEnd: Bool
  /// Whether this is the last reply of the effect.
  package var isLast: Bool
  /// The keys of entries for which it is not known whether they match.
  package var undecided: [EntryKey]

  package init(
    entries: [Entry], examined: Int, position: EntryKey? = nil, isEnd: Bool, isLast: Bool,
    undecided: [EntryKey] = []
  ) {
    self.entries = entries
    self.examined = examined
    self.position = position
    self.isEnd = isEnd
    self.isLast = isLast
    self.undecided = undecided
  }
}
