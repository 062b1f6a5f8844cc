package import LarderModel
import Harmony

extension EffectSlot {
  static let page = EffectSlot("page", isOfTab: true)
  static let count = EffectSlot("count", isOfTab: true)
}

/// Reads a page of a list, or of a tree of its keys, piece by piece, so that what is found shows at
/// once and a long scan can be watched and stopped.
package struct LoadPage: BrowserEffect {
  package let store: StoreReference
  package let query: EntryPageQuery
  /// The page of the tree; nil where the list is none.
  package let tree: PrefixSummaryQuery?
  package let ticket: Ticket?
  package var slot: EffectSlot? { .page }

  /// What was read.
  package enum Reply: Sendable, Equatable {
    /// Entries were found.
    case entries(PageReply)
    /// So many entries have been looked at.
    case progress(Int)
    case failed(StoreError)
  }

  /// How long a store may look before it answers with what it has: the time of a few frames.
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

  /// Reads a page of a tree, which never takes long.
  private func loadTree(
    _ tree: PrefixSummaryQuery, _ runner: EffectRunner, _ reply: Replies<Self>
  ) async throws {
    let page = try await runner.opened(store).store.source.getAll(tree).getCancelling()
    guard !Task.isCancelled else { return }
    let isEnd = page.count < tree.page.limit
    await reply(
      .entries(PageReply(entries: page, examined: page.count, isEnd: isEnd, isLast: true)))
  }

  /// Reads a page in another order than that of the keys, for which the store looks at all entries.
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
    var query = query
    var examined = 0
    while true {
      let scan = Scan(budget: Self.budget)
      query.scan = scan
      let page = try await runner.opened(store).store.source.getAll(query).getCancelling()
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
    case .progress(let examined): state.pageProgressed(examined: examined)
    case .failed(let error): state.pageFailed(error)
    }
  }
}

/// Counts the keys with a prefix, as well as the store can at once and else by a scan.
package struct CountEntries: BrowserEffect {
  package let store: StoreReference
  package let prefix: String
  package let ticket: Ticket?
  package var slot: EffectSlot? { .count }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    for precision in [CountQuery.Precision.estimate, .exact] {
      let query = CountQuery(prefix: prefix, precision: precision)
      if let answer = await runner.answer(query, in: store),
        case .integer(let count)? = answer.value
      {
        return await reply(answer.isWhole ? .exactly(Int(count)) : .about(Int(count)))
      }
    }
  }

  package func receive(_ total: KeysModel.Total, in state: inout BrowserState) -> Effects {
    state.counted(total)
  }
}

extension EffectRunner {
  /// The answer to a question for a number; nil where the store has none.
  func answer(_ query: CountQuery, in reference: StoreReference) async -> Entry? {
    try? await registry.store(reference)?.store.source.get(query).getCancelling()
  }
}

/// Part of a page: what has been found since the last reply of the same effect.
package struct PageReply: Sendable, Equatable {
  /// The entries, in the direction of the query.
  package var entries: [Entry]
  /// How many entries the store has looked at in all.
  package var examined: Int
  /// The key to go on after, where the page ended before its limit.
  package var position: EntryKey?
  /// Whether the store has no more entries in the direction of the query.
  package var isEnd: Bool
  /// Whether nothing more comes from the effect.
  package var isLast: Bool
  /// The entries of which it could not be told whether they match.
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
