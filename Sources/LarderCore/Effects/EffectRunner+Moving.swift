import Foundation
import Harmony

extension EffectRunner {
  /// Gives several entries other keys in one step, if they are what was marked.
  ///
  /// - Returns: The new keys.
  func rename(
    _ renames: [MarkedRenameModel.Rename], in opened: StoreRegistry.Opened
  ) async throws -> [EntryKey] {
    let arePaths = opened.store.kind.keysArePaths
    var queries: [RenameQuery] = []
    try await opened.store.source.forEachEntry(renames.map(\.key)) { place, entry in
      let rename = renames[place]
      guard let entry else { throw StoreError.conflict(current: nil) }
      guard let fingerprint = entry.fingerprint else {
        throw StoreError.notSupported("\(rename.key.spoken) cannot be read, and is not renamed")
      }
      guard fingerprint == rename.expecting ?? fingerprint else {
        throw StoreError.conflict(current: entry)
      }
      guard rename.newKey != rename.key else { return }
      queries.append(
        RenameQuery(
          entry.key, to: arePaths ? rename.newKey.exactPath : rename.newKey,
          expecting: fingerprint))
    }
    _ = try await opened.cache.putAll([], in: RenamesQuery(queries)).get()
    return queries.map(\.newKey)
  }

  /// Adds an entry that is like another one under a free key.
  func duplicate(_ query: RenameQuery, in opened: StoreRegistry.Opened) async throws -> Entry {
    let source = opened.store.source
    guard let entry = try await source.entry(query.entryKey), let value = entry.value,
      entry.fingerprint == query.expecting
    else { throw StoreError.conflict(current: try await source.entry(query.entryKey)) }
    if let obstacle = entry.copyObstacle {
      throw StoreError.notSupported(
        "\(entry.key.spoken) cannot be duplicated: \(obstacle); nothing was written")
    }
    if let taken = try await source.entry(query.newKey) {
      throw StoreError.conflict(current: taken)
    }
    let copy = Entry(key: query.newKey, value: value, form: entry.form)
    return try await opened.cache.put(copy, in: ReplaceQuery(query.newKey, expecting: nil)).get()
  }

  /// Copies entries to another store, and deletes them here once all are there.
  ///
  /// - Parameters:
  ///   - order: What is to go where.
  ///   - opened: The store that the entries are in.
  ///   - target: The store that they are to be in.
  ///   - scan: Where it is reported how far it is, and learnt that it is to stop. The copies are
  ///     changes, and so are the deletions after them.
  /// - Returns: How far it came.
  /// - Throws: What the stores throw; nothing is in the target then that was not there before, but
  ///   where the error says so.
  func transfer(
    _ order: TransferOrder, from opened: StoreRegistry.Opened, to target: StoreRegistry.Opened,
    _ scan: Scan
  ) async throws -> TransferOutcome {
    var outcome = TransferOutcome()
    do {
      try await transfer(order, from: opened, to: target, scan, &outcome)
    } catch {
      guard StoreError(error) == .cancelled else { throw error }
      outcome.isStopped = true
    }
    return outcome
  }

  private func transfer(
    _ order: TransferOrder, from opened: StoreRegistry.Opened, to target: StoreRegistry.Opened,
    _ scan: Scan, _ outcome: inout TransferOutcome
  ) async throws {
    let verb = order.isMove ? "moved" : "copied"
    if opened.store.hidesValues, !target.store.hidesValues {
      throw StoreError.secrets("put into a store that shows its values")
    }
    guard target.store.capabilities.isSuperset(of: [.writable, .creates]) else {
      throw StoreError.readOnly(
        "\(target.store.location) takes no new entries"
          + (target.store.readOnlyReason.map { ": \($0)" } ?? "") + "; nothing was \(verb)")
    }
    var copies: [EntryChange] = []
    var ends: [Date?] = []
    var originals: [EntryChange] = []
    var deletions: [EntryChange] = []
    var size = 0
    let columns = opened.store.valueColumns
    var left = TransferReport()
    let arePaths = target.store.kind.keysArePaths
    let isSameKind = opened.store.kind == target.store.kind
    try await opened.store.source.forEachEntry(order.keys) { place, entry in
      try scan.reportRead(place)
      guard let entry else { throw StoreError.conflict(current: nil) }
      guard let value = entry.value, let fingerprint = entry.fingerprint, entry.isWhole else {
        throw StoreError.notSupported("\(entry.key.spoken) cannot be read; nothing was \(verb)")
      }
      if let obstacle = entry.copyObstacle {
        throw StoreError.notSupported(
          "\(entry.key.spoken) cannot be copied: \(obstacle); nothing was \(verb)")
      }
      guard fingerprint == order.fingerprints[order.keys[place]] ?? fingerprint else {
        throw StoreError.conflict(current: entry)
      }
      size += value.storedSize
      guard size <= EntriesText.greatestFile else {
        throw StoreError.notSupported(
          "the entries are more than \(EntriesText.greatestFile >> 20) MiB; nothing was \(verb). "
            + "larder export and larder import copy any number of them")
      }
      var copy = entry
      copy.expires = entry.countsUntil(in: opened.store)
      copy = target.store.taking(copy, of: columns, leaving: &left)
      copies.append(
        EntryChange(
          arePaths ? copy.key.exactPath : copy.key, value: copy.value, expecting: nil,
          form: isSameKind ? copy.form : nil))
      ends.append(copy.expires)
      originals.append(EntryChange(entry.key, value: value, expecting: nil, form: entry.form))
      deletions.append(EntryChange(entry.key, value: nil, expecting: fingerprint))
    }
    if target.store.setsExpiriesAfterWriting {
      for case .some(let end) in ends where end != .distantFuture { left.addExpiry() }
    }
    if order.isMove, !left.isEmpty {
      throw StoreError.notSupported(
        "\(target.store.location) has no place for \(left.list); nothing was moved, as that would be "
          + "lost. A copy goes without")
    }
    outcome.left = left
    for (place, end) in ends.enumerated() {
      guard let value = copies[place].value else { continue }
      copies[place].value = try await target.store.value(value, until: end, of: copies[place].key)
    }
    try await target.store.source.forEachEntry(copies.map(\.key)) { place, entry in
      try scan.reportWaiting()
      guard entry == nil else {
        throw StoreError.failed(
          "there is an entry \(deletions[place].key.spoken) already in "
            + "\(target.store.location); nothing was \(verb)")
      }
    }
    let writing = scan.step(from: 0)
    // Of a store that makes all changes or none, none is left after a failure.
    defer { outcome.copied = writing.changed }
    let written = try await write(copies, to: target, writing, isMove: order.isMove)
    try? writing.reportChanged(copies.count)
    do {
      try await check(written, against: copies, in: target, verb)
    } catch {
      writing.reportRollback()
      throw error
    }
    guard order.isMove else { return }
    // What is there is still here, too.
    try scan.reportWaiting()
    outcome.deleted = try await delete(
      deletions, of: opened, nowIn: target.store.location, scan.step(from: copies.count))
    outcome.isStopped = outcome.deleted < deletions.count
    let count = outcome.deleted
    try await keep(
      Array(originals.prefix(count)), as: Array(copies.prefix(count)), of: opened, in: target)
  }

  /// Deletes what was copied; says what became of it where not all could be deleted.
  ///
  /// - Returns: How many were deleted, fewer than all where it was stopped.
  private func delete(
    _ deletions: [EntryChange], of opened: StoreRegistry.Opened, nowIn place: StoreLocation,
    _ scan: Scan
  ) async throws -> Int {
    do {
      _ = try await opened.cache.putAll([], in: ChangesQuery(deletions, scan: scan)).get()
      return deletions.count
    } catch {
      let error = StoreError(error)
      if error == .cancelled { return scan.changed }
      let outcome = scan.changed == 0 ? "were not" : "were not all"
      throw StoreError.failed(
        "the entries are in \(place) now, and \(outcome) deleted here: \(error.message)")
    }
  }

  /// Brings back what the deletion has taken from the other store too, as a trigger may.
  ///
  /// - Parameters:
  ///   - originals: What was moved, as it was.
  ///   - copies: What the entries have to be.
  ///   - opened: The store that they were in.
  ///   - target: The store that they have to be in.
  /// - Throws: ``StoreError`` where something was gone; it says where it is now.
  private func keep(
    _ originals: [EntryChange], as copies: [EntryChange], of opened: StoreRegistry.Opened,
    in target: StoreRegistry.Opened
  ) async throws {
    var lost: [EntryChange] = []
    try await target.store.source.forEachEntry(copies.map(\.key)) { place, entry in
      guard let value = copies[place].value, entry?.holds(value) != true else { return }
      lost.append(originals[place])
    }
    guard let first = lost.first else { return }
    let others = lost.count == 1 ? "" : " and \(lost.count - 1) more"
    let what =
      "the deletion of \(first.key.spoken)\(others) here has taken or changed it in "
      + "\(target.store.location) too"
    do {
      _ = try await opened.cache.putAll([], in: ChangesQuery(lost)).get()
    } catch {
      throw StoreError.failed("\(what); u here brings it back: \(StoreError(error).message)")
    }
    throw StoreError.failed("\(what); it is here again, and was not moved")
  }

  /// Writes copies; where not all could be written, says what became of the others.
  private func write(
    _ copies: [EntryChange], to target: StoreRegistry.Opened, _ scan: Scan, isMove: Bool
  ) async throws -> [Entry] {
    do {
      return try await target.cache.putAll([], in: ChangesQuery(copies, scan: scan)).get()
    } catch {
      let error = StoreError(error)
      if target.store.kind.isAtomic || error == .cancelled || scan.changed == 0 { throw error }
      let canUndo = target.store.capabilities.contains(.undo)
      let count = "\(Thousands.text(scan.changed)) of \(Thousands.text(copies.count))"
      throw StoreError.failed(
        "\(error.message); \(count) were copied" + (isMove ? ", and none was deleted here" : "")
          + (canUndo ? "; u there takes back what was copied" : ""))
    }
  }

  /// Takes copies back, and says so, where a store keeps something else than it was given.
  private func check(
    _ written: [Entry], against copies: [EntryChange], in target: StoreRegistry.Opened,
    _ verb: String
  ) async throws {
    let stored = Dictionary(written.map { ($0.key.exactPath, $0) }) { $1 }
    let other = copies.first { copy in
      guard let entry = stored[copy.key.exactPath], let value = copy.value else { return true }
      return !entry.holds(value)
    }
    guard let other else { return }
    let deletions = written.compactMap { entry in
      entry.fingerprint.map { EntryChange(entry.key, value: nil, expecting: $0) }
    }
    _ = try await target.cache.putAll([], in: ChangesQuery(deletions)).get()
    let type = other.value?.type.rawValue ?? "nothing"
    let keeps =
      switch stored[other.key.exactPath]?.type?.rawValue {
      case nil: "keep \(other.key.spoken) under another key"
      case type: "keep another \(type) under \(other.key.spoken)"
      case let kept?: "keep \(other.key.spoken), which is \(type), as \(kept)"
      }
    throw StoreError.notSupported("\(target.store.location) would \(keeps); nothing was \(verb)")
  }
}

extension Scan {
  /// The scan of a step that makes some of the changes, after those that were made before it.
  ///
  /// What the step reads again is not told, as it was read before.
  fileprivate func step(from count: Int) -> Scan {
    Scan { step in
      do {
        try self.reportChanged(count + step.changed)
      } catch {
        step.stop()
      }
    }
  }
}

/// How far entries came to another store.
package struct TransferOutcome: Sendable, Equatable {
  /// How many are there.
  package var copied: Int
  /// How many of these were deleted where they were.
  package var deleted: Int
  /// Whether it was stopped on the way.
  package var isStopped: Bool
  /// What the other store has no place for.
  package var left = TransferReport()

  package init(copied: Int = 0, deleted: Int = 0, isStopped: Bool = false) {
    self.copied = copied
    self.deleted = deleted
    self.isStopped = isStopped
  }
}

/// Entries that are to be in another store.
package struct TransferOrder: Sendable, Equatable {
  /// Their keys.
  package var keys: [EntryKey]
  /// What the person saw under them, where that is known.
  package var fingerprints: [EntryKey: Fingerprint]
  /// Whether they are deleted where they are.
  package var isMove: Bool
}
