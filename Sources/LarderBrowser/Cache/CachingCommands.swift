import LarderModel

extension Command {
  /// The commands for caches.
  static let caching: [Command] = [
    Command(
      "cache", "cache", help: "Show or hide expiry, age and hits of entries",
      keys: ["c"],
      aliases: ["times", "expiries"],
      isHint: true, needs: .store, unavailable: needsExpiry
    ) { state, _ in state.toggleTimes() },
    Command(
      "read-through", "read-through cache", help: "Turn larder's own read cache on or off",
      keys: [],
      aliases: ["proxy"],
      needs: .store, unavailable: needsStore
    ) { state, _ in state.toggleCache() },
    Command(
      "show", "show",
      help: "List only fresh, expired or soon-expiring entries",
      keys: [],
      aliases: ["only", "expired", "fresh", "stale"],
      argument: "STATE", needsArgument: true, needs: .list, unavailable: needsStore
    ) { state, argument in state.chooseTimes(argument) },
    Command(
      "why", "why", help: "Show when the entry expires, and why",
      keys: ["i"], places: [.keys, .value, .details],
      aliases: ["stale", "info", "explain", "inspect", "details", "describe"],
      needs: .entry, unavailable: needsEntry
    ) { state, _ in state.toggleDetails() },
    Command(
      "compare-backing", "compare",
      help: "Show the cached value beside that of the backing store", keys: ["v"],
      places: [.details],
      unavailable: { state in
        switch state.details?.backing {
        case .same, .other: nil
        default: Messages.noBackingValue
        }
      }
    ) { state, _ in state.compareWithBacking() },
    Command(
      "refresh", "refresh", help: "Refresh selected or marked entries from the backing store",
      keys: ["R"], places: Place.panes.union([.details]),
      aliases: ["fetch"],
      needs: .store, unavailable: { needsCache($0) ?? needsChosen($0) },
      unmarked: { _ in nil }
    ) { state, _ in state.refreshCached() },
    Command(
      "evict", "evict", help: "Remove from the cache only; the stored value stays",
      keys: ["P"], places: Place.panes.union([.details]),
      aliases: ["drop", "invalidate"],
      needs: .store, unavailable: { needsCache($0) ?? needsChosen($0) },
      unmarked: { _ in nil }
    ) { state, _ in state.evictCached() },
  ]

  private static let needsCache: @Sendable (BrowserState) -> String? = { state in
    if state.meansStoreCache { return needsWritable(state) }
    return state.cache == nil ? needsLook(state) : nil
  }

  /// Returns a reason if the store has no expiry times.
  private static let needsExpiry: @Sendable (BrowserState) -> String? = { state in
    if let reason = needsStore(state) { return reason }
    guard state.keys?.store.capabilities.contains(.expiry) != true else { return nil }
    return Messages.noExpiry(readThrough: state.settings.bindings.call("read-through"))
  }

  private static func needsLook(_ state: BrowserState) -> String {
    Messages.needsCache(
      hasTimes: state.keys?.times != nil,
      readThrough: state.settings.bindings.call("read-through"))
  }

  /// Returns a reason if no entry is chosen; larder's own cache handles one entry at a time.
  private static let needsChosen: @Sendable (BrowserState) -> String? = { state in
    state.meansStoreCache && state.chosenEntries != nil ? nil : needsEntry(state)
  }
}
