package import LarderModel
import Foundation

/// What was seen of the rows on screen and of the value, when a program was looked at again.
package struct FollowingLook: Sendable, Equatable {
  /// What is read again of a list.
  package enum Request: Sendable, Equatable {
    /// The rows on screen, which are in the order of the keys.
    case rows(EntryPageQuery)
    /// The rows in memory, of which any may be elsewhere by now.
    case list(EntryPageQuery)
    /// Those of a tree.
    case tree(PrefixSummaryQuery)

    /// The maximum number of rows.
    var limit: Int {
      switch self {
      case .rows(let query), .list(let query): query.limit
      case .tree(let query): query.page.limit
      }
    }

    /// What all keys begin with that are counted.
    var prefix: String {
      switch self {
      case .rows(let query), .list(let query): query.prefix
      case .tree(let query): query.page.prefix
      }
    }
  }

  /// The entries that were asked for; nil where none were, or they could not be read.
  package var entries: [Entry]?
  /// The entry whose value is shown; nil where it was not asked for, or is gone.
  package var entry: Entry?
  /// How many entries there are in all; nil where that was not asked for, or is not known.
  package var count: Int?
  /// Why the program did not answer.
  package var failure: StoreError?
  /// How long it took.
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
  /// How long nobody looks at a program again.
  private static let followingPause = Duration.seconds(2)
  /// How often a value is asked for again that does not come.
  private static let mostMisses = 3
  /// The most entries that are added up again whenever one of them is another.
  private static let quickCount = 2_000

  /// Looks again after a while at what is on screen of a running program, which does not tell what
  /// it changes.
  ///
  /// Whoever looks into a program expects to see it as it is, and whoever reads does not expect that
  /// rows move away: the rows on screen and the value are brought up to date where they stand.
  mutating func follow(after pause: Duration = followingPause) -> Effects {
    guard let store = keys?.store, store.capabilities.contains(.departs) else { return [] }
    let ticket = ticket { $0.keys?.following }
    keys?.following = ticket.token
    return [WaitToFollow(pause: pause, ticket: ticket)]
  }

  /// Asks for what is on screen, unless something else is being read, or is typed.
  mutating func lookAgain() -> Effects {
    guard let model = keys else { return [] }
    guard overlay == nil, opening == nil, !model.isAway, !model.isBusy else { return follow() }
    let key = cache == nil ? value?.entry.value?.key : nil
    let request = model.request(viewport.keys)
    keys?.followed = request
    guard request != nil || key != nil else { return follow() }
    let ticket = ticket { $0.keys?.following }
    keys?.following = ticket.token
    return [LookAgain(store: model.store.reference, request: request, key: key, ticket: ticket)]
  }

  /// Brings the rows on screen and the value up to date.
  mutating func followed(_ look: FollowingLook) -> Effects {
    guard let model = keys else { return [] }
    if look.failure?.mayPass == true { keys?.misses += 1 }
    // So that the program is never busy with this for more than a twentieth of the time. One that
    // does not answer may be stopped, or slow.
    let pause = look.failure == nil ? look.duration * 20 : .zero
    let effects = follow(after: max(Self.followingPause, pause, Self.pause(after: keys?.misses)))
    guard overlay == nil, !model.isAway, !model.isBusy else { return effects }
    if let failure = look.failure {
      // What can be listed is, whatever becomes of the value.
      guard look.entries == nil else { return effects + takeRows(look) }
      bearSilence(failure)
      return effects
    }
    if model.isSilent || model.failure != nil { return effects + readAnswering() }
    return effects + takeRows(look) + (tryValueAgain() ?? takeValue(look))
  }

  /// How long a program is left alone that has not answered so many times.
  private static func pause(after misses: Int?) -> Duration {
    guard let misses, misses > 1 else { return .zero }
    return min(.seconds(60), followingPause * (1 << min(misses - 1, 5)))
  }

  /// Reads a value again that could not be had in time, a few times; nil where that is not
  /// how it is.
  private mutating func tryValueAgain() -> Effects? {
    guard case .failed(let error)? = value?.entry, error.mayPass else {
      if case .running? = value?.entry { return nil }
      keys?.misses = 0
      return nil
    }
    guard let misses = keys?.misses, misses <= Self.mostMisses else { return [] }
    return readSelectedAnew()
  }

  /// Says, once, that a program does not answer any more.
  private mutating func bearSilence(_ failure: StoreError) {
    guard keys?.isSilent == false, failure.mayPass else { return }
    keys?.isSilent = true
    guard keys?.failure == nil else { return }
    say("\(failure.message); its keys stay on screen", .warning)
  }

  /// Reads everything again of a program that answers again.
  private mutating func readAnswering() -> Effects {
    keys?.isSilent = false
    keys?.failure = nil
    if let store = keys?.store { say("\(store.location.title()) answers again, and is read again") }
    // A scan that was stopped stays stopped.
    guard keys?.isPaused == false else { return readSelected() }
    return readAgain() + countKeys()
  }

  private mutating func takeRows(_ look: FollowingLook) -> Effects {
    // Of a list that is another one by now nothing is known.
    guard let before = keys, let entries = look.entries, let request = before.followed,
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
    if let count = look.count, keys?.counting == nil, before.total != .exactly(count) {
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

  private mutating func takeValue(_ look: FollowingLook) -> Effects {
    guard cache == nil, let new = look.entry, let model = keys,
      case .loaded(let old)? = value?.entry, old.key == new.key,
      model.selected?.key == new.key, new.differs(from: old)
    else { return [] }
    _ = awaitValue(of: new.key, in: model.store)
    return entryRead(.success(new))
  }
}
