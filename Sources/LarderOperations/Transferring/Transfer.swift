import LarderDocuments
package import LarderModel
import Harmony

/// Copies or moves entries to another store, either all of them or none.
///
/// Everything that can be checked is checked before the first write. If the store has no
/// transactions, a transfer that fails or is stopped midway is rolled back.
package struct Transfer: Sendable {
  /// The entries to transfer.
  package enum Selection: Sendable {
    /// All entries whose keys have a prefix, except those without a value, such as links.
    case prefix(String)
    /// The entries with the given keys, each only if its fingerprint matches the one that was seen,
    /// if any.
    case keys([EntryKey], seen: [EntryKey: Fingerprint])
  }

  private let origin: Store
  private let target: Store
  private let selection: Selection
  private let isMove: Bool
  private let replaces: Bool
  private let replaced: [EntryKey: Fingerprint?]?

  /// Creates a copy or a move.
  ///
  /// A move requires that no entry exists in the target, and deletes the originals once all entries
  /// are copied.
  ///
  /// - Parameters:
  ///   - selection: The entries.
  ///   - origin: The source store.
  ///   - target: The target store.
  ///   - isMove: Whether to delete the originals.
  ///   - replaces: Whether to replace entries with another value.
  ///   - replaced: The expected fingerprints of entries to replace, with nil for keys that must not
  ///     exist.
  package init(
    _ selection: Selection, from origin: Store, to target: Store, isMove: Bool = false,
    replaces: Bool = false, replaced: [EntryKey: Fingerprint?]? = nil
  ) {
    self.origin = origin
    self.target = target
    self.selection = selection
    self.isMove = isMove
    self.replaces = replaces
    self.replaced = replaced
  }

  /// Plans and performs the transfer.
  ///
  /// - Parameter scan: The scan that reports progress and can stop the transfer. Both the copies
  ///   and the deletions that follow are reported as changes.
  /// - Returns: The result.
  /// - Throws: ``OperationFailure``.
  package func run(_ scan: Scan) async throws -> Outcome {
    guard target.capabilities.isSuperset(of: [.writable, .creates]) else {
      throw OperationFailure(
        StoreError.noNewEntries(target))
    }
    return try await run(plan(scan), scan)
  }

  // MARK: Planning

  /// Reads the entries and determines the changes, without writing.
  ///
  /// - Throws: ``OperationFailure`` if an entry cannot be copied.
  package func plan(_ scan: Scan) async throws -> Plan {
    do {
      if origin.hidesValues, !target.hidesValues {
        throw StoreError.shownSecrets
      }
      var plan = Plan()
      try await read(into: &plan, scan)
      plan.copies = try await copies(of: plan.originals, leaving: &plan.left)
      if isMove {
        try checkLoss(plan.left)
        if plan.losses.count > 0 { throw StoreError.moveLoses(plan.losses) }
      }
      try await findChanges(in: &plan, scan)
      return plan
    } catch {
      throw OperationFailure(error)
    }
  }

  /// The maximum number of bytes in one transfer, which is limited by the journal if there is one.
  private var maximumSize: Int {
    target.capabilities.contains(.undo) ? EntryQuery.usualMaximumSize : 256 << 20
  }

  private func read(into plan: inout Plan, _ scan: Scan) async throws {
    var size = 0
    var keys: Set<EntryKey> = []
    func take(_ entry: Entry, _ plan: inout Plan) throws {
      guard entry.isWhole, let value = entry.value, entry.fingerprint != nil else {
        throw StoreError.notCopied(entry.key, Messages.noReadableValue)
      }
      if let obstacle = entry.copyObstacle { throw StoreError.notCopied(entry.key, obstacle) }
      guard keys.insert(entry.key).inserted else {
        throw StoreError.sameKeys(entry.key, in: origin.location)
      }
      if let loss = entry.loss {
        plan.losses.add(entry.key.notation(origin.keyStyle), because: loss)
      }
      size += 64 + value.storedSize
      guard size <= maximumSize else {
        throw StoreError.tooLargeToCopy(maximum: maximumSize)
      }
      plan.originals.append(entry)
      try scan.reportRead(plan.originals.count)
    }
    switch selection {
    case .keys(let keys, let seen):
      try await origin.source.forEachEntry(keys, readsFiles: true) { index, entry in
        guard let entry else { throw StoreError.conflict(current: nil) }
        if let seen = seen[keys[index]], let fingerprint = entry.fingerprint, seen != fingerprint {
          throw StoreError.conflict(current: entry)
        }
        try take(entry, &plan)
      }
    case .prefix(let prefix):
      let query = EntryPageQuery(prefix: prefix, limit: PageLimit.maximum, detail: .values)
      for try await page in EntryPages(of: origin.source, query) {
        for entry in page {
          if let type = entry.specialType, type != "folder" {
            plan.omitted.append(entry.key)
          } else if entry.value != nil, entry.isWhole {
            try take(entry, &plan)
          } else {
            try take(try await origin.source.entry(entry.key, readsFiles: true) ?? entry, &plan)
          }
        }
      }
    }
  }

  /// Returns the entries as the target store is to hold them.
  private func copies(
    of entries: [Entry], leaving left: inout TransferReport
  ) async throws -> [Entry] {
    let sharesForms = target.kind.sharesForms(with: origin.kind)
    if !sharesForms, let odd = entries.first(where: { target.isUnreadable($0.value) }) {
      throw StoreError.unreadable(odd.key)
    }
    let columns = origin.valueColumns
    return try await target.imported(
      entries.map { entry in
        var copy = entry
        copy.expires = entry.expiresAt(in: origin)
        copy = target.taking(copy, of: columns, leaving: &left)
        if target.kind.keysArePaths { copy.key = entry.key.exactPath }
        if !sharesForms { copy.form = nil }
        if let value = copy.value, value.type == .data { copy.value = target.asKept(value) }
        return copy
      })
  }

  /// Throws if a move would lose data that the target store cannot represent.
  private func checkLoss(_ left: TransferReport) throws {
    guard !left.isEmpty else { return }
    throw StoreError.moveLoses(left, in: target.location)
  }

  /// Determines the changes by reading the target's current entries with the same keys.
  private func findChanges(in plan: inout Plan, _ scan: Scan) async throws {
    try await target.forEachBase(plan.copies.map(\.key), readsFiles: true) { index, current in
      try scan.reportWaiting()
      let copy = plan.copies[index]
      do {
        if isMove, current != nil { throw StoreError.conflict(current: current) }
        let expected = replaced?[copy.key]
        if let expected, current?.fingerprint != expected {
          throw StoreError.conflict(current: current)
        }
        let change = try copy.importChange(
          over: current, replaces: replaces || expected != nil,
          restoring: target.kind.restoredForms,
          keepsDigits: target.kind.keepsDigits)
        guard let change else { return }
        plan.changes.append(change)
      } catch {
        throw OperationFailure(
          error,
          because: Messages.exists(
            copy.key.notation(target.keyStyle), in: target.location, isMove: isMove))
      }
      plan.reversed.append(
        EntryChange(
          copy.key, value: current?.value,
          expecting: copy.value.map { Fingerprint(of: target.asKept($0)) }, form: current?.form))
    }
  }

  // MARK: Writing

  /// Returns the expected result of the transfer, as far as the target store can tell without
  /// writing.
  ///
  /// - Throws: ``OperationFailure`` if the store would reject the entries.
  package func tried(_ plan: Plan) async throws -> Outcome {
    var outcome = expected(of: plan)
    do {
      if let stored = try await target.trial(plan.changes, areExact: true) {
        if let difference = difference(between: plan.changes, stored) { throw difference }
        outcome.stored = stored
      } else {
        outcome.stored = plan.changes.compactMap { change in
          change.value.map { Entry(key: change.key, value: $0, form: change.form) }
        }
      }
    } catch {
      throw OperationFailure(error)
    }
    return outcome
  }

  private func expected(of plan: Plan) -> Outcome {
    Outcome(
      copied: plan.changes.count, same: plan.count - plan.changes.count, left: plan.left,
      losses: plan.losses)
  }

  /// Performs the transfer.
  ///
  /// - Throws: ``OperationFailure`` with the resulting state of the target store.
  package func run(_ plan: Plan, _ scan: Scan) async throws -> Outcome {
    var outcome = expected(of: plan)
    guard !plan.changes.isEmpty else { return outcome }
    let writing = scan.step(from: 0)
    outcome.stored = try await write(plan, writing)
    outcome.change = writing.step
    try? writing.reportChanged(plan.changes.count)
    outcome.expiryProblem = await target.setExpiries(
      of: outcome.stored, as: plan.copies, leaving: &outcome.left)
    outcome.otherExpiries = target.keysWithOtherExpiries(outcome.stored, than: plan.copies)
    guard isMove else { return outcome }
    do {
      try checkLoss(outcome.left)
    } catch {
      throw await rolledBack(plan, outcome.stored, writing, for: StoreError(error))
    }
    outcome.deleted = try await delete(plan, scan.step(from: plan.changes.count))
    outcome.isStopped = outcome.deleted < plan.count
    try await restoreLost(plan, outcome.deleted)
    return outcome
  }

  private func write(_ plan: Plan, _ scan: Scan) async throws -> [Entry] {
    let stored: [Entry]
    do {
      let query = ChangesQuery(plan.changes, scan: scan, areExact: true)
      stored = try await target.source.putAll([], in: query).getCancelling()
    } catch {
      throw OperationFailure(error, outcome: await outcome(ofFailure: plan, scan))
    }
    guard let difference = difference(between: plan.changes, stored) else { return stored }
    throw await rolledBack(plan, stored, scan, for: difference)
  }

  /// Rolls back the changes made before a failure, and returns the outcome as a clause.
  private func outcome(ofFailure plan: Plan, _ scan: Scan) async -> String {
    let count = target.changesLeft(by: scan)
    guard count > 0 else { return OperationFailure.nothingWritten }
    // The previous value of a replaced secret is unknown, so it cannot be restored.
    if target.hidesValues { return Messages.partlyWritten(count, of: plan.changes.count) }
    guard let problem = await rollBack(Array(plan.reversed.prefix(count)), scan) else {
      return Messages.rolledBack(count)
    }
    return Messages.notRolledBack(count, problem)
  }

  /// Rolls back a completed transfer that cannot be kept, and returns the failure to throw.
  private func rolledBack(
    _ plan: Plan, _ stored: [Entry], _ scan: Scan, for reason: StoreError
  ) async -> OperationFailure {
    let reversed = zip(plan.reversed, stored).map { change, entry in
      EntryChange(
        entry.key, value: change.key == entry.key ? change.value : nil,
        expecting: entry.fingerprint, form: change.form)
    }
    let isKnown = stored.count == plan.reversed.count || scan.step != nil
    let problem =
      isKnown ? await rollBack(reversed, scan) : Messages.notReported
    guard let problem else {
      scan.reportRollback()
      return OperationFailure(reason, outcome: Messages.copyRolledBack)
    }
    return OperationFailure(
      StoreError.failed(reason.message),
      outcome: Messages.copyNotRolledBack(problem))
  }

  /// Reverts the changes through the journal, or through inverse changes if there is none.
  ///
  /// The journal discards the change, so that a later undo does not encounter it.
  ///
  /// - Returns: The reason why it failed and how to retry, or nil on success.
  private func rollBack(_ reversed: [EntryChange], _ scan: Scan) async -> String? {
    do {
      if let step = scan.step {
        try await target.replay(ReplayRequest(step: step, isForgotten: true))
      } else {
        _ = try await target.source.putAll([], in: ChangesQuery(reversed)).getCancelling()
      }
      return nil
    } catch {
      return Messages.rollBackLater(StoreError(error).message, change: scan.step)
    }
  }

  /// Returns an error if the store holds something other than the values written, and nil
  /// otherwise.
  private func difference(between changes: [EntryChange], _ stored: [Entry]) -> StoreError? {
    let stored = Dictionary(stored.map { ($0.key.exactPath, $0) }) { $1 }
    let other = changes.first { change in
      guard let entry = stored[change.key.exactPath], let value = change.value else { return true }
      return !entry.holds(value) && !entry.holds(target.asKept(value, form: entry.form))
    }
    guard let other else { return nil }
    return .storesOther(
      other.key.notation(target.keyStyle), other.value?.type.rawValue ?? "nothing",
      as: stored[other.key.exactPath]?.type?.rawValue, in: target.location)
  }

  // MARK: Moving

  /// Deletes the copied entries from the source store, and returns the number deleted before a
  /// stop.
  private func delete(_ plan: Plan, _ scan: Scan) async throws -> Int {
    let deletions = plan.originals.map {
      EntryChange($0.key, value: nil, expecting: $0.fingerprint)
    }
    do {
      let query = ChangesQuery(deletions, scan: scan)
      _ = try await origin.source.putAll([], in: query).getCancelling()
      return deletions.count
    } catch {
      let count = origin.changesLeft(by: scan)
      if StoreError(error) == .cancelled { return count }
      throw OperationFailure(
        StoreError.failed(StoreError(error).message),
        outcome: Messages.notMoved(
          count, of: plan.count, from: origin.location, to: target.location))
    }
  }

  /// Restores entries that the deletion also removed or changed in the target, such as through a
  /// trigger.
  private func restoreLost(_ plan: Plan, _ count: Int) async throws {
    var lost: [EntryChange] = []
    try await target.source.forEachEntry(plan.copies.prefix(count).map(\.key)) { index, entry in
      guard let value = plan.copies[index].value, entry?.holds(value) != true else { return }
      let original = plan.originals[index]
      lost.append(
        EntryChange(original.key, value: original.value, expecting: nil, form: original.form))
    }
    guard let first = lost.first else { return }
    let reason = StoreError.moveDeletesCopy(
      first.key, others: lost.count - 1, from: origin.location, to: target.location)
    do {
      _ = try await origin.source.putAll([], in: ChangesQuery(lost)).getCancelling()
    } catch {
      throw OperationFailure(
        reason, outcome: Messages.notRestored(StoreError(error).message))
    }
    throw OperationFailure(reason, outcome: Messages.restored)
  }
}

extension Scan {
  /// Returns a scan for one stage of the transfer, whose changes are counted on top of earlier
  /// stages.
  ///
  /// Entries that the stage reads are not reported, as they were read before.
  fileprivate func step(from count: Int) -> Scan {
    let step = Scan { step in
      do {
        try self.reportChanged(count + step.changed)
      } catch {
        step.stop()
      }
    }
    onStop { [weak step] in step?.stop() }
    return step
  }
}
