import LarderModel
import Harmony

extension EffectRunner {
  /// Reads a page of the tree of keys, which never takes long.
  func loadTree(
    _ reference: StoreReference, _ query: PrefixSummaryQuery, token: Int, send: Send
  ) async {
    do {
      let page = try await opened(reference).store.source.getAll(query).getCancelling()
      guard !Task.isCancelled else { return }
      await send(
        .pageArrived(
          PageReply(
            token: token, entries: page, examined: page.count,
            isEnd: page.count < query.page.limit, isLast: true)))
    } catch {
      await send(.pageFailed(token: token, StoreError(error)))
    }
  }

  /// Reads a page in another order, for which the store looks at all entries, and tells how many it
  /// has looked at.
  private func loadSorted(
    _ reference: StoreReference, _ query: EntryPageQuery, token: Int, send: @escaping Send
  ) async {
    do {
      let reply = try await telling(send: send) { scan in
        .pageProgressed(token: token, examined: scan.examined)
      } work: { scan in
        var query = query
        query.scan = scan
        let page = try await opened(reference).store.source.getAll(query).getCancelling()
        return PageReply(
          token: token, entries: page, examined: max(scan.examined, page.count),
          isEnd: scan.isReported ? scan.isComplete : page.count < query.limit, isLast: true,
          undecided: scan.unreadable.map(\.key))
      }
      guard !Task.isCancelled else { return }
      await send(.pageArrived(reply))
    } catch {
      await send(.pageFailed(token: token, StoreError(error)))
    }
  }

  /// How long a store may look before it answers with what it has: the time of a few frames.
  private static let budget = Duration.milliseconds(60)

  /// Reads a page piece by piece, so that what is found shows at once and a long scan can be
  /// watched and stopped.
  func loadPage(
    _ reference: StoreReference, _ query: EntryPageQuery, token: Int, send: @escaping Send
  ) async {
    guard query.inKeyOrder != nil else {
      return await loadSorted(reference, query, token: token, send: send)
    }
    var query = query
    var examined = 0
    while true {
      let scan = Scan(budget: Self.budget)
      query.scan = scan
      do {
        let page = try await opened(reference).store.source.getAll(query).getCancelling()
        examined += max(scan.examined, page.count)
        let isEnd = scan.isReported ? scan.isComplete : page.count < query.limit
        let isLast = isEnd || page.count >= query.limit
        let position = scan.position ?? page.last?.key
        guard !Task.isCancelled else { return }
        await send(
          .pageArrived(
            PageReply(
              token: token, entries: page, examined: examined, position: position,
              isEnd: isEnd, isLast: isLast, undecided: scan.unreadable.map(\.key))))
        if isLast { return }
        query.limit -= page.count
        query.after = position ?? query.after
      } catch {
        await send(.pageFailed(token: token, StoreError(error)))
        return
      }
    }
  }
}
