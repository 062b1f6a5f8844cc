package import LarderModel
import LarderOperations
import Harmony
import LarderFormats

extension EffectSlot {
  static let prefix = EffectSlot("prefix")
  static let marked = EffectSlot("marked")
  static let asking = EffectSlot("asking", isOfTab: true)
}

/// Counts the entries with a prefix and reads the first keys.
package struct MatchPrefix: BrowserEffect {
  package let store: StoreReference
  package let prefix: String
  package let ticket: Ticket?
  package var slot: EffectSlot? { .prefix }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.result { try await Self.match(prefix, in: runner.opened(store)) })
  }

  /// Counts the entries with a prefix and reads the first keys.
  fileprivate static func match(
    _ prefix: String, in opened: StoreRegistry.Opened
  ) async throws -> PrefixDeletionModel.Match {
    let source = opened.store.source
    let first = EntryPageQuery(prefix: prefix, limit: PrefixDeletionModel.exampleCount)
    let examples = try await source.getAll(first).getCancelling()
    // A short page is complete, so no count is needed.
    if examples.count < first.limit {
      return .init(count: examples.count, examples: examples.map(\.key))
    }
    let answer = try await source.get(CountQuery(prefix: prefix)).getCancelling()
    guard case .integer(let count) = answer.value else {
      throw StoreError.notSupported(Messages.notCounted)
    }
    return .init(count: Int(count), examples: examples.map(\.key))
  }

  package func receive(
    _ reply: Answer<PrefixDeletionModel.Match>, in state: inout BrowserState
  ) -> Effects {
    state.prefixMatched(reply)
  }
}

/// Deletes all entries with a prefix, unless they differ from those that were counted.
package struct DeletePrefix: BrowserEffect {
  package let store: StoreReference
  package let prefix: String
  package let match: PrefixDeletionModel.Match
  package let question: Ticket
  package var ticket: Ticket? { question }
  package var writtenStore: StoreReference? { store }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.changing(store, below: prefix, question.token, reply.send) {
        opened, scan -> PrefixDeletionModel.Outcome in
        let present = try await MatchPrefix.match(prefix, in: opened)
        guard present == match else { return .found(present) }
        defer { opened.cache.evictAll() }
        return .deleted(
          try await Deletion(in: opened.store).run(prefix: prefix, of: match.count, scan))
      })
  }

  package func receive(
    _ reply: OperationAnswer<PrefixDeletionModel.Outcome>, in state: inout BrowserState
  ) -> Effects {
    state.prefixDeleted(reply)
  }
}

/// Reads marked entries before asking for confirmation to delete them.
package struct ReadMarkedToDelete: BrowserEffect {
  package let store: StoreReference
  package let keys: [EntryKey]
  package let ticket: Ticket?
  package var slot: EffectSlot? { .marked }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(await runner.result { try await runner.deletions(of: keys, in: store) })
  }

  package func receive(_ reply: Answer<EntriesToDelete>, in state: inout BrowserState) -> Effects {
    state.markedReadToDelete(reply)
  }
}

/// Reads the expired entries of a list before asking for confirmation to delete them.
package struct ReadExpired: BrowserEffect {
  package let store: StoreReference
  package let prefix: String
  /// The filter of the list, or `nil` for all entries with the prefix.
  package let filter: EntryFilter?
  package let ticket: Ticket?
  package var slot: EffectSlot? { .asking }

  /// The maximum number of entries in one deletion.
  private static let maximumCount = 100_000

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let now = runner.environment.date()
    let query = EntryPageQuery(
      prefix: prefix, filter: filter, expiring: ExpiryRange(upTo: now), limit: Self.maximumCount,
      detail: .summary)
    await reply(
      await runner.result {
        let listing = try await runner.listing(query, in: runner.opened(store))
        // Skip entries that another program has refreshed since they were listed.
        var found = try await runner.deletions(of: listing.keys, in: store) {
          $0.expires.map { $0 <= now } ?? false
        }
        found.isWhole = listing.isWhole
        return found
      })
  }

  package func receive(_ reply: Answer<EntriesToDelete>, in state: inout BrowserState) -> Effects {
    state.expiredRead(reply)
  }
}

/// Deletes several entries in one change, if they are unchanged since they were read or are still
/// expired.
package struct DeleteMarked: BrowserEffect {
  package let store: StoreReference
  package let changes: [EntryChange]
  /// Whether to delete those that are still expired, and keep the others.
  package var areExpired = false
  package let question: Ticket
  package var ticket: Ticket? { question }
  package var writtenStore: StoreReference? { store }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(
      await runner.operation {
        try await runner.working(question.token, reply.send) { scan in
          let opened = try runner.opened(store)
          defer { opened.cache.evictAll() }
          let own = runner.registry.own
          let deletion = Deletion(in: opened.store)
          return try await own.noting(changes.map { ($0.key, nil) }, in: store) {
            guard areExpired else {
              try await deletion.run(changes, scan)
              return changes.count
            }
            var kept = Set(changes.map(\.key))
            defer { own.forget(kept.map { ($0, nil) }, in: store) }
            return try await deletion.run(
              expired: changes.map(\.readEntry), at: runner.environment.date, scan
            ) { kept.subtract($0.map(\.key)) }
          }
        }
      })
  }

  package func receive(_ reply: OperationAnswer<Int>, in state: inout BrowserState) -> Effects {
    state.markedDeleted(reply)
  }
}

extension EntryChange {
  /// The entry as it was read, without its value.
  fileprivate var readEntry: Entry {
    var entry = Entry(key: key)
    entry.fingerprint = expecting
    return entry
  }
}

/// A set of entries to delete, as they were read.
package struct EntriesToDelete: Sendable, Equatable {
  /// The deletion of each entry.
  package var changes: [EntryChange]
  /// The total size of the values, or `nil` if the size of any of them is unknown.
  package var bytes: Int? = 0
  /// The number of entries that cannot be read completely, and so cannot be deleted conditionally.
  package var unreadable = 0
  /// Whether these are all such entries, rather than the first ones.
  package var isWhole = true

  package init(changes: [EntryChange] = []) {
    self.changes = changes
  }
}

extension EffectRunner {
  /// Reads entries and returns a conditional deletion of each; missing entries are skipped.
  func deletions(
    of keys: [EntryKey], in reference: StoreReference,
    where isMeant: (Entry) -> Bool = { _ in true }
  ) async throws -> EntriesToDelete {
    let opened = try opened(reference)
    var found = EntriesToDelete()
    try await opened.store.source.forEachEntry(keys) { place, entry in
      guard let entry, isMeant(entry) else { return }
      guard let fingerprint = entry.fingerprint else {
        found.unreadable += 1
        return
      }
      found.changes.append(EntryChange(keys[place], value: nil, expecting: fingerprint))
      found.bytes = found.bytes.flatMap { sum in entry.size.map { sum.saturatingAdding($0) } }
    }
    return found
  }
}
