extension Command {
  /// Commands about the timed cache over a store.
  static let caching: [Command] = [
    Command(
      "cache", "cache",
      help:
        "Shows until when entries count, where that is kept, then what larder's own cache holds.",
      keys: ["c"], isHint: true, needs: .store, unavailable: needsStore
    ) { state, _ in state.toggleTimes() },
    Command(
      "show", "show", help: "Lists only entries that are expired, expire soon, are fresh, or all.",
      keys: [], argument: "STATE", needs: .list, unavailable: needsStore
    ) { state, argument in state.chooseTimes(argument) },
    Command(
      "refresh", "refresh", help: "Reads the selected entry anew into the cache.", keys: ["R"],
      needs: .store,
      unavailable: { needsCache($0) ?? needsEntry($0) }
    ) { state, _ in state.refreshCached() },
    Command(
      "evict", "evict", help: "Takes the selected entry out of the cache; the store keeps it.",
      keys: ["X"], needs: .store, unavailable: { needsCache($0) ?? needsEntry($0) }
    ) { state, _ in state.evictCached() },
  ]

  private static let needsCache: @Sendable (BrowserState) -> String? = { state in
    state.cache == nil ? "press c to look at the cache first" : nil
  }
}
