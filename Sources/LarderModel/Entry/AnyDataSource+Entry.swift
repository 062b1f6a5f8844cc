package import Harmony

extension AnyDataSource<Entry> {
  /// The entry under a key, whole; nil where there is none.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - maximumSize: The largest value that is read; nil for any.
  ///   - readsFiles: Whether a value in a file beside the store is read, too; without, the entry is not
  ///     whole then.
  /// - Returns: The entry.
  /// - Throws: What the source throws.
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

  /// The entry under a key, without its value where the source can do without.
  ///
  /// - Throws: What the source throws, also where there is none.
  package func present(_ key: EntryKey) async throws -> Entry {
    do {
      return try await get(PresenceQuery(key)).getCancelling()
    } catch is CoreError.QueryNotSupported {
      return try await get(EntryQuery(key)).getCancelling()
    }
  }

  /// Reads the entries under some keys in order; many in one go where the source can.
  ///
  /// They are whole but for values in files beside the store.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - maximumSize: The largest value that is read; nil for any.
  ///   - leavesOutLarge: Whether larger columns are left out of their row, where the source can.
  ///   - readsFiles: Whether values in files beside the store are read, too.
  ///   - take: Called with the place of each key and its entry, nil where there is none. What it
  ///     throws ends the reading.
  /// - Throws: What the source throws for the key behind the last that was taken.
  package func forEachEntry(
    _ keys: [EntryKey], maximumSize: Int? = nil, leavesOutLarge: Bool = false,
    readsFiles: Bool = false,
    _ take: (Int, Entry?) throws -> Void
  ) async throws {
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
        } catch StoreError.failed {
          // One of the keys is at fault, and it is to be seen which.
        }
        for var entry in found {
          if readsFiles, entry.value != nil, !entry.isWhole {
            entry = try await whole(entry, maximumSize: maximumSize)
          }
          try take(place, entry.value == nil && entry.type == nil ? nil : entry)
          place += 1
        }
        if !found.isEmpty { continue }
      }
      try take(
        place, try await entry(keys[place], maximumSize: maximumSize, readsFiles: readsFiles))
      place += 1
    }
  }

  /// An entry of a list with the value that is in a file; a key alone where it is gone.
  private func whole(_ entry: Entry, maximumSize: Int?) async throws -> Entry {
    try await self.entry(entry.key, maximumSize: maximumSize, readsFiles: true)
      ?? Entry(key: entry.key)
  }
}

/// So many that what is done once for all of them takes no time beside the reading.
private let entriesAtOnce = 500
