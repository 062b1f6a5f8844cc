package import LarderModel
import Foundation

/// The rows on screen and the value, as read by polling a live process.
package struct PollResult: Sendable, Equatable {
  /// A query for the part of the list to read again.
  package enum Request: Sendable, Equatable {
    /// The visible rows of a list in key order.
    case rows(EntryPageQuery)
    /// All rows in memory, of a list whose rows may have moved.
    case list(EntryPageQuery)
    /// The rows of a tree.
    case tree(PrefixSummaryQuery)

    /// The maximum number of rows to read.
    var limit: Int {
      switch self {
      case .rows(let query), .list(let query): query.limit
      case .tree(let query): query.page.limit
      }
    }

    /// The prefix of the keys that are counted.
    var prefix: String {
      switch self {
      case .rows(let query), .list(let query): query.prefix
      case .tree(let query): query.page.prefix
      }
    }
  }

  /// The entries, or `nil` if they were not requested or could not be read.
  package var entries: [Entry]?
  /// The entry whose value is shown, or `nil` if it was not requested or was deleted.
  package var entry: Entry?
  /// The number of entries, or `nil` if it was not requested or is not known.
  package var count: Int?
  /// The error if the process did not answer.
  package var failure: StoreError?
  /// The duration of the poll.
  package var duration: Duration

  package init(
    entries: [Entry]?, entry: Entry?, count: Int? = nil, failure: StoreError? = nil,
    duration: Duration
  ) {
    self.entries = entries
    self.entry = entry
    self.count = count
    self.failure = failure
    self.duration = duration
  }
}

extension BrowserState {
  /// The minimum pause between two polls.
  private static let followingPause = Duration.seconds(2)
  /// The maximum number of times that a failed read of the value is retried.
  private static let mostMisses = 3
  /// The maximum number of entries for which the expiry summary is computed again after each
  /// change.
  private static let quickCount = 2_000

  /// Schedules the next poll of a live process, which does not report its changes.
  ///
  /// The rows on screen and the value are updated in place: they should be current, but rows must
  /// not move away while the user reads them.
  mutating func follow(after pause: Duration = followingPause) -> Effects {
    guard let store = keys?.store, store.capabilities.contains(.departs) else { return [] }
    let ticket = ticket { $0.keys?.following }
    keys?.following = ticket.token
    return [WaitToPoll(pause: pause, ticket: ticket)]
  }

  /// Polls the content on screen, unless something else is being read or an overlay is open.
  mutating func pollContents() -> Effects {
    guard let model = keys else { return [] }
    guard overlay == nil, opening == nil, !model.isAway, !model.isBusy else { return follow() }
    let key = cache == nil ? value?.entry.value?.key : nil
    let request = model.request(viewport.keys)
    keys?.followed = request
    guard request != nil || key != nil else { return follow() }
    let ticket = ticket { $0.keys?.following }
    keys?.following = ticket.token
    return [PollEntries(store: model.store.reference, request: request, key: key, ticket: ticket)]
  }

  /// Updates the rows on screen and the value.
  mutating func followed(_ result: PollResult) -> Effects {
    guard let model = keys else { return [] }
    if result.failure?.mayPass == true { keys?.misses += 1 }
    // Polling takes at most a twentieth of the process's time, and backs off from a process that
    // does not answer, which may be stopped or slow.
    let pause = result.failure == nil ? result.duration * 20 : .zero
    let effects = follow(after: max(Self.followingPause, pause, Self.pause(after: keys?.misses)))
    guard overlay == nil, !model.isAway, !model.isBusy else { return effects }
    if let failure = result.failure {
      // Rows can be listed even if the value cannot be read.
      guard result.entries == nil else { return effects + takeRows(result) }
      reportUnresponsive(failure)
      return effects
    }
    if model.isSilent || model.failure != nil { return effects + readAnswering() }
    return effects + takeRows(result) + (tryValueAgain() ?? takeValue(result))
  }

  /// Returns the pause after a number of successive failures.
  private static func pause(after misses: Int?) -> Duration {
    guard let misses, misses > 1 else { return .zero }
    return min(.seconds(60), followingPause * (1 << min(misses - 1, 5)))
  }

  /// Retries reading a value that timed out, up to a maximum; returns `nil` if there is nothing to
  /// retry.
  private mutating func tryValueAgain() -> Effects? {
    guard case .failed(let error)? = value?.entry, error.mayPass else {
      if case .running? = value?.entry { return nil }
      keys?.misses = 0
      return nil
    }
    guard let misses = keys?.misses, misses <= Self.mostMisses else { return [] }
    return reloadSelected()
  }

  /// Reports, once, that a live process stopped answering.
  private mutating func reportUnresponsive(_ failure: StoreError) {
    guard keys?.isSilent == false, failure.mayPass else { return }
    keys?.isSilent = true
    guard keys?.failure == nil else { return }
    say(Messages.unresponsive(failure.message), .warning)
  }

  /// Reloads everything when a live process answers again.
  private mutating func readAnswering() -> Effects {
    keys?.isSilent = false
    keys?.failure = nil
    if let store = keys?.store { say(Messages.responds(store.location.title())) }
    // A scan that the user stopped is not resumed.
    guard keys?.isPaused == false else { return readSelected() }
    return readAgain() + countKeys()
  }

  private mutating func takeRows(_ result: PollResult) -> Effects {
    // The list has changed since the request, so the reply is about a different one.
    guard let before = keys, let entries = result.entries, let request = before.followed,
      request == before.request(viewport.keys)
    else { return [] }
    let height = viewport.keys
    var isOther =
      switch request {
      case .rows:
        keys?.take(entries, isEnd: entries.count < request.limit, height: height) ?? false
      case .list, .tree:
        keys?.takeList(entries, isEnd: entries.count < request.limit, height: height) ?? false
      }
    if let count = result.count, keys?.counting == nil, before.total != .exactly(count) {
      keys?.total = .exactly(count)
      isOther = true
    }
    guard isOther else { return [] }
    let known = Set(before.window.entries)
    keys?.forgetRows(of: entries.filter { !known.contains($0) }.map(\.key))
    let isMoved = keys?.selected?.key != before.selected?.key
    if keys?.selected == nil { value = nil }
    let sums: Effects =
      if case .exactly(let count)? = keys?.total, count <= Self.quickCount { sumTimes() } else {
        []
      }
    keys?.tree?.forgetCounts()
    return (isMoved ? readSelected() : []) + loadNeeded() + sums + countBranches()
  }

  private mutating func takeValue(_ result: PollResult) -> Effects {
    guard cache == nil, let new = result.entry, let model = keys,
      case .loaded(let old)? = value?.entry, old.key == new.key,
      model.selected?.key == new.key, new.differs(from: old)
    else { return [] }
    _ = awaitValue(of: new.key, in: model.store)
    return entryRead(.success(new))
  }
}
