import LarderModel

extension Command {
  /// Commands about the timed cache over a store.
  static let caching: [Command] = [
    Command(
      "cache", "cache",
      help: "Shows or hides when entries expire, their ages and their hits.",
      keys: ["c"], isHint: true, needs: .store, unavailable: needsExpiry
    ) { state, _ in state.toggleTimes() },
    Command(
      "read-through", "read-through cache",
      help: "Reads values through larder's own cache, and shows what it holds, or stops that.",
      keys: [], needs: .store, unavailable: needsStore
    ) { state, _ in state.toggleCache() },
    Command(
      "show", "show",
      help: "Lists only entries that are fresh, expire soon, are expired, never expire, or all.",
      keys: [], argument: "STATE", needs: .list, unavailable: needsStore
    ) { state, argument in state.chooseTimes(argument) },
    Command(
      "why", "why",
      help: "Show when the entry expires, how that is known, and what the backing store holds.",
      keys: ["i"], places: [.keys, .value, .details], needs: .entry, unavailable: needsEntry
    ) { state, _ in state.toggleDetails() },
    Command(
      "compare-backing", "compare",
      help: "Show the cached value beside that of the backing store.", keys: ["v"],
      places: [.details],
      unavailable: { state in
        switch state.details?.backing {
        case .same, .other: nil
        default: "there is no value in a backing store to compare with"
        }
      }
    ) { state, _ in state.compareWithBacking() },
    Command(
      "refresh", "refresh",
      help: "Reads what is selected or marked anew into the cache, from what is underneath.",
      keys: ["R"], places: [.stores, .keys, .value, .details], needs: .store,
      unavailable: { needsCache($0) ?? needsChosen($0) },
      unmarked: { _ in nil }
    ) { state, _ in state.refreshCached() },
    Command(
      "evict", "evict",
      help: "Takes what is selected or marked out of the cache; what is underneath keeps it.",
      keys: ["P"], places: [.stores, .keys, .value, .details], needs: .store,
      unavailable: { needsCache($0) ?? needsChosen($0) },
      unmarked: { _ in nil }
    ) { state, _ in state.evictCached() },
  ]

  private static let needsCache: @Sendable (BrowserState) -> String? = { state in
    if state.meansStoreCache { return needsWritable(state) }
    return state.cache == nil ? needsLook(state) : nil
  }

  /// A reason where there is no time to show.
  private static let needsExpiry: @Sendable (BrowserState) -> String? = { state in
    if let reason = needsStore(state) { return reason }
    guard state.keys?.store.capabilities.contains(.expiry) != true else { return nil }
    return "this store has no expiry; \(state.settings.bindings.call("read-through")) shows what "
      + "larder's own cache holds of it"
  }

  private static func needsLook(_ state: BrowserState) -> String {
    let readThrough = state.settings.bindings.call("read-through")
    let times = state.keys?.times == nil ? "" : "these times come from the store itself; "
    return times + "\(readThrough) looks at it through larder's own cache first"
  }

  /// A reason where nothing is chosen; larder's own cache is about one entry at a time.
  private static let needsChosen: @Sendable (BrowserState) -> String? = { state in
    state.meansStoreCache && state.chosenEntries != nil ? nil : needsEntry(state)
  }
}
