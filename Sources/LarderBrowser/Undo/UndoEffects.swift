package import LarderModel
import Harmony

/// Undoes or redoes a change in the store's journal.
package struct ReplayChange: BrowserEffect {
  package let store: StoreReference
  package let request: ReplayRequest
  package let ticket: Ticket?
  package var writtenStore: StoreReference? { store }

  /// The result, with the conflict if the change was refused.
  package struct Reply: Sendable {
    package var result: Answer<ChangeSummary>
    package var refused: RefusedChange?

    package init(_ result: Answer<ChangeSummary>, refused: RefusedChange? = nil) {
      self.result = result
      self.refused = refused
    }
  }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let result = await runner.result {
      try await runner.registry.own.sweeping(nil, in: store) { try await replay(runner) }
    }
    var refused: RefusedChange?
    if case .failure(.conflict) = result { refused = await refusedChange(runner) }
    await reply(Reply(result, refused: refused))
  }

  /// Undoes or redoes the change.
  private func replay(_ runner: EffectRunner) async throws -> ChangeSummary {
    let opened = try runner.opened(store)
    // Cancelling this task does not stop the change.
    return try await Future {
      // It is not known which entries were changed, even if it fails halfway.
      defer { opened.cache.evictAll() }
      return try await opened.store.replay(request)
    }.get()
  }

  /// Returns the refused change with its conflict, and the next change that can be undone or
  /// redone.
  private func refusedChange(_ runner: EffectRunner) async -> RefusedChange? {
    let steps = await runner.steps(of: store, isRedo: request.isRedo)
    guard let number = request.step ?? steps.first?.number,
      let history = try? runner.opened(store).store.history
    else { return nil }
    func conflicts(of number: Int64) async -> [UndoConflict]? {
      let request = ReplayRequest(isRedo: request.isRedo, step: number)
      return try? await history.conflicts(of: request, limit: 1)
    }
    var next: Int64?
    // The next changes may be about the same entry, so check a few of them.
    for step in steps.drop(while: { $0.number != number }).dropFirst().prefix(10)
    where next == nil && step.count <= 1_000 {
      if await conflicts(of: step.number)?.isEmpty == true { next = step.number }
    }
    return RefusedChange(number: number, next: next, conflict: await conflicts(of: number)?.first)
  }

  package func receive(_ reply: Reply, in state: inout BrowserState) -> Effects {
    state.replayed(store, reply.result, refused: reply.refused)
  }
}

/// Applies a refused undo or redo, overwriting the conflicting version.
package struct ForceReplay: BrowserEffect {
  package let store: StoreReference
  package let change: EntryChange
  package let ticket: Ticket?
  package var writtenStore: StoreReference? { store }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    runner.registry.own.note(
      change.key, change.value.map { Fingerprint(of: $0) }, in: store)
    await reply(
      await runner.result {
        _ = try await runner.opened(store).cache.putAll([], in: ChangesQuery([change])).get()
      })
  }

  package func receive(_ reply: Answer<Void>, in state: inout BrowserState) -> Effects {
    state.forcedReplayEnded(reply.failure)
  }
}

extension EffectRunner {
  /// Returns the changes of a store that can be undone or redone, the next one first.
  func steps(of reference: StoreReference, isRedo: Bool) async -> [ChangeSummary] {
    let history = try? opened(reference).store.history
    return (try? await history?.steps(isRedo: isRedo, limit: CompletionQuery.limit)) ?? []
  }
}
