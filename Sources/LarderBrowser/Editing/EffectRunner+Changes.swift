import LarderModel
import LarderOperations
import Harmony

extension EffectRunner {
  /// Passes on what a store has to say of the change that it has just made.
  func tellRemarks(of reference: StoreReference, send: Send) async {
    let sentences = registry.store(reference)?.store.remarks?.take() ?? []
    guard !sentences.isEmpty else { return }
    await send(.remarked(sentences.joined(separator: "; ")))
  }

  /// Undoes or redoes a step of the journal.
  func replay(
    _ request: ReplayRequest, in opened: StoreRegistry.Opened
  ) async throws -> JournalStep {
    // Whoever stops waiting for it does not stop it.
    try await Future {
      // Which entries it changes is not known, also where it fails half way.
      defer { opened.cache.evictAll() }
      return try await opened.store.replay(request)
    }.get()
  }

  /// The step that somebody else's change stood against, and the first after it to go on with.
  func refusedStep(_ request: ReplayRequest, in reference: StoreReference) async -> RefusedStep? {
    let steps = await steps(of: reference, isRedo: request.isRedo)
    guard let number = request.step ?? steps.first?.number,
      let history = try? opened(reference).store.history
    else { return nil }
    func conflicts(of number: Int64) async -> [StepConflict]? {
      let request = ReplayRequest(isRedo: request.isRedo, step: number)
      return try? await history.conflicts(of: request, limit: 1)
    }
    var next: Int64?
    // The one before it may be about the same entry; what is behind many is not looked for.
    for step in steps.drop(while: { $0.number != number }).dropFirst().prefix(10)
    where next == nil && step.count <= 1_000 {
      if await conflicts(of: step.number)?.isEmpty == true { next = step.number }
    }
    return RefusedStep(number: number, next: next, conflict: await conflicts(of: number)?.first)
  }

  /// The steps of a store that can be undone, or redone, the next first.
  func steps(of reference: StoreReference, isRedo: Bool) async -> [JournalStep] {
    let history = try? opened(reference).store.history
    return (try? await history?.steps(isRedo: isRedo, limit: OfferQuery.limit)) ?? []
  }

  /// Gives an entry another key, after a look at it: a key that the store cannot have or that is
  /// taken is refused before anything is recorded.
  func rename(_ query: RenameQuery, in opened: StoreRegistry.Opened) async throws -> Entry {
    if let taken = try await opened.store.source.entry(query.newKey) {
      throw StoreError.conflict(current: taken)
    }
    do {
      return try await opened.cache.put(nil, in: query).get()
    } catch is CoreError.QueryNotSupported {
      throw StoreError.notSupported("entries of this store cannot get other keys")
    }
  }

  /// Counts the entries with a prefix, and reads the first of their keys.
  func match(
    _ prefix: String, in opened: StoreRegistry.Opened
  ) async throws -> PrefixDeletionModel.Match {
    let source = opened.store.source
    let first = EntryPageQuery(prefix: prefix, limit: PrefixDeletionModel.exampleCount)
    let examples = try await source.getAll(first).getCancelling()
    // Few are all there are, and need no count.
    if examples.count < first.limit {
      return .init(count: examples.count, examples: examples.map(\.key))
    }
    let answer = try await source.get(CountQuery(prefix: prefix)).getCancelling()
    guard case .integer(let count) = answer.value else {
      throw StoreError.notSupported("this store cannot count its entries")
    }
    return .init(count: Int(count), examples: examples.map(\.key))
  }

  /// Deletes the entries with a prefix, unless there are others than were counted.
  func delete(
    _ prefix: String, if match: PrefixDeletionModel.Match, in opened: StoreRegistry.Opened,
    _ scan: Scan
  ) async throws -> PrefixDeletionModel.Outcome {
    let present = try await self.match(prefix, in: opened)
    guard present == match else { return .found(present) }
    defer { opened.cache.evictAll() }
    return .deleted(
      try await Deletion(in: opened.store).run(prefix: prefix, of: match.count, scan))
  }

  /// Reads entries, for deletions of each as it is now; those that are gone are left out.
  func deletions(
    of keys: [EntryKey], in opened: StoreRegistry.Opened
  ) async throws -> [EntryChange] {
    var changes: [EntryChange] = []
    try await opened.store.source.forEachEntry(keys) { place, entry in
      guard let entry else { return }
      guard let fingerprint = entry.fingerprint else {
        throw StoreError.failed("an entry cannot be read whole; nothing was deleted")
      }
      changes.append(EntryChange(keys[place], value: nil, expecting: fingerprint))
    }
    return changes
  }

  /// Deletes entries in one step, if all are still what was read before the person said yes.
  func delete(
    _ changes: [EntryChange], in opened: StoreRegistry.Opened, _ scan: Scan
  ) async throws -> Int {
    defer { opened.cache.evictAll() }
    try await Deletion(in: opened.store).run(changes, scan)
    return changes.count
  }
}
