package import Harmony

extension AnyDataSource<Entry> {
  /// Returns the complete entry for a key, or nil if there is none.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - maximumSize: The maximum size of a value to read; nil for no limit.
  ///   - readsFiles: Whether to read a value that is in a file beside the store; otherwise such an
  ///     entry
  ///     is not whole.
  /// - Returns: The entry.
  /// - Throws: An error from the source.
  package func entry(
    _ key: EntryKey, maximumSize: Int? = nil, readsFiles: Bool = false
  ) async throws -> Entry? {
    do {
      let query = EntryQuery(key, maximumSize: maximumSize, readsFiles: readsFiles)
      return try await get(query).getCancelling()
    } catch is CoreError.NotFound {
      return nil
    } catch StoreError.notFound {
      return nil
    }
  }

  /// Returns the entry for a key, without its value if the source can omit it.
  ///
  /// - Throws: An error from the source, also if there is no such entry.
  package func present(_ key: EntryKey) async throws -> Entry {
    do {
      return try await get(PresenceQuery(key)).getCancelling()
    } catch is CoreError.QueryNotSupported {
      return try await get(EntryQuery(key)).getCancelling()
    }
  }

  /// Reads the entries for the given keys in order, in batches if the source supports them.
  ///
  /// The entries are whole, except for values in files beside the store unless `readsFiles` is
  /// true.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - maximumSize: The maximum size of a value to read; nil for no limit.
  ///   - leavesOutLarge: Whether to omit larger columns from their row, if the source can.
  ///   - readsFiles: Whether to read values that are in files beside the store.
  ///   - skip: Called with the index of a key whose entry cannot be read, and the reason. An error
  ///     that it throws ends the reading.
  ///   - take: Called with the index of each key and its entry, or nil if there is none. An error
  ///     that it throws ends the reading.
  /// - Throws: An error from the source for the key after the last one passed to `take`.
  package func forEachEntry(
    _ keys: [EntryKey], maximumSize: Int? = nil, leavesOutLarge: Bool = false,
    readsFiles: Bool = false,
    skip: (Int, any Error) throws -> Void = { throw $1 },
    _ take: (Int, Entry?) throws -> Void
  ) async throws {
    func read(_ place: Int, _ entry: () async throws -> Entry?) async throws {
      let found: Entry?
      do {
        found = try await entry()
      } catch {
        try skip(place, error)
        return
      }
      try take(place, found)
    }
    var place = 0
    var isTogether = true
    while place < keys.count {
      if isTogether, leavesOutLarge || keys.count - place > 1 {
        let some = Array(keys[place...].prefix(entriesAtOnce))
        var found: [Entry] = []
        do {
          found = try await getAll(
            EntriesQuery(some, maximumSize: maximumSize, leavesOutLarge: leavesOutLarge)
          ).getCancelling()
        } catch is CoreError.QueryNotSupported {
          isTogether = false
        } catch {
          switch StoreError(error) {
          // Reading the keys individually identifies the one that fails.
          case .failed, .corrupt: break
          default: throw error
          }
        }
        for entry in found {
          try await read(place) {
            let isPart = readsFiles && entry.value != nil && !entry.isWhole
            let entry = isPart ? try await whole(entry, maximumSize: maximumSize) : entry
            return entry.value == nil && entry.type == nil ? nil : entry
          }
          place += 1
        }
        if !found.isEmpty { continue }
      }
      try await read(place) {
        try await entry(keys[place], maximumSize: maximumSize, readsFiles: readsFiles)
      }
      place += 1
    }
  }

  /// Returns an entry with its value read from a file, or the key alone if the entry no longer
  /// exists.
  private func whole(_ entry: Entry, maximumSize: Int?) async throws -> Entry {
    try await self.entry(entry.key, maximumSize: maximumSize, readsFiles: true)
      ?? Entry(key: entry.key)
  }
}

/// The batch size, large enough to make the cost per batch negligible.
private let entriesAtOnce = 500
