import Foundation
import Harmony
import HarmonyInspection
import LarderModel
import LarderStoreBase

/// The calls to a live source for one query, which share its time limit.
struct LiveCalls: EntryCalls {
  let source: RemoteDataSource
  let facts: InspectedSource
  let pages: LivePages

  init(_ source: RemoteDataSource, _ facts: InspectedSource, patience: Duration) {
    self.source = source
    self.facts = facts
    pages = LivePages(source, type: facts.type, patience: patience)
  }

  /// Throws an error if the program cannot list the keys of the source.
  func checkListing() throws(StoreError) {
    guard facts.listsKeys else {
      throw .unlistable(facts.name)
    }
  }

  /// Returns an entry with the number of entries that match.
  func count(_ query: CountQuery) async throws -> Entry {
    try checkListing()
    return try await pages.count(query)
  }

  /// Returns a page of entries.
  func page(_ query: EntryPageQuery) async throws -> [Entry] {
    try query.checkOrder(LiveKind.known(of: facts))
    try checkListing()
    return try await pages.page(query)
  }

  /// Returns the entry for a key, or throws if there is none.
  func read(_ key: EntryKey) async throws -> Entry {
    try await present(key).found(key).entry
  }

  /// Returns the entry shown for a key; for a cache, the cached entry.
  func present(_ key: EntryKey) async throws -> Sent? {
    guard let name = key.liveKey else { return nil }
    do {
      let entry = try await source.entry(name).getCancelling()
      guard let value = entry.value, entry.key.hasBytes(of: name) else {
        throw InspectionError.otherEntry
      }
      return (try entry.entry(isWhole: true, type: facts.type, at: .now), value)
    } catch is CoreError.NotFound {
      return nil
    }
  }

  // MARK: Writing

  /// Writes a value, if the condition of the request holds.
  ///
  /// - Returns: The entry as the program stored it.
  func put(
    _ value: StoredValue, form: String?, _ request: WriteRequest
  ) async throws -> Entry {
    guard let name = request.key.liveKey else {
      throw StoreError.liveKeysAreText
    }
    let sent = try LiveValue.sent(value, form: form, type: facts.type)
    let liveForm = LiveForm(form)
    if liveForm.isAlone, facts.isCache {
      return try await putAlone(name, sent, liveForm, request)
    }
    try await replace(name, with: sent, request)
    await retime(request.key, name, liveForm)
    // The write succeeded, even if the program ends before it is read back.
    if let stored = try? await standing(request.key).stored { return stored }
    // A cache may have evicted it already.
    return Entry(key: request.key, value: value, form: form)
  }

  /// Restores an entry that only the cache had, without writing to the backing store.
  private func putAlone(
    _ name: String, _ value: InspectedValue, _ form: LiveForm, _ request: WriteRequest
  ) async throws -> Entry {
    try await checkExchange(asksCache: true)
    if case .nothing = request.condition {
      _ = try await expectation(request)
    } else {
      try await replace(name, with: nil, request)
    }
    let content = RemoteDataSource.CachedContent(
      value, expires: form.expires.map { min($0, InspectedEntry.CachedState.never) })
    let entry = try await source.exchange(name, for: content, expecting: .nothing).getCancelling()
    return try entry?.entry(isWhole: true, type: facts.type, at: .now) ?? Entry(key: request.key)
  }

  /// Deletes an entry, if the condition holds.
  func delete(_ key: EntryKey, _ condition: WriteRequest.Condition) async throws {
    guard let name = key.liveKey else { return }
    try await replace(name, with: nil, WriteRequest(key, condition))
  }

  /// Makes changes one by one.
  ///
  /// If there are several, all are checked first, so that none is made if one is certain to fail.
  ///
  /// - Returns: The entries as the program stored them.
  func make(_ query: ChangesQuery) async throws -> [Entry] {
    for (count, change) in query.changes.enumerated() where query.changes.count > 1 {
      try query.scan?.reportRead(count)
      try await query.scan.blaming(change.key) { _ = try await expectation(WriteRequest(change)) }
    }
    return try await makeInOrder(query)
  }

  /// Deletes the listed entries with a prefix; for a cache, only those that are cached.
  func delete(below prefix: String, _ scan: Scan?) async throws {
    try checkListing()
    let entries = try await pages.entries(below: prefix, facts.isCache ? .values : .keys, nil)
    var count = 0
    defer { scan?.reportDeleted(count) }
    for entry in entries {
      try scan?.reportChanged(count)
      // If the backing store has a newer value than the listed one, the entry must not be deleted.
      let condition = entry.fingerprint.map { WriteRequest.Condition.unchanged($0) } ?? .anything
      try await afterOthers(count) { try await delete(entry.key, condition) }
      count += 1
    }
  }

  /// Renames an entry: first writes it under the new key, then deletes the old one.
  ///
  /// - Returns: The entry with its new key.
  func rename(_ rename: RenameQuery) async throws -> Entry {
    let old = try await standing(rename.entryKey)
    guard let base = old.base, base.entry.fingerprint == rename.expecting else {
      throw StoreError.conflict(current: old.stored)
    }
    if rename.entryKey == rename.newKey { return old.stored ?? base.entry }
    guard let name = rename.entryKey.liveKey, let newName = rename.newKey.liveKey else {
      throw StoreError.liveKeysAreText
    }
    try await replace(newName, with: base.value, WriteRequest(rename.newKey, .nothing))
    // The program may store the value in a different form.
    let copy = try? await standing(rename.newKey)
    do {
      // Check the backing store again, which the program does not compare.
      let now = try await standing(rename.entryKey)
      guard now.base?.entry.fingerprint == rename.expecting else { throw InspectionError.conflict }
      try await source.replace(name, with: nil, expecting: now.expectation).getCancelling()
    } catch InspectionError.conflict {
      try await takeAway(copy, newName, of: rename)
      throw StoreError.conflict(current: try await standing(rename.entryKey).stored)
    } catch let error as InspectionError {
      // The error must not claim that nothing was written.
      throw StoreError.halfRenamed(rename, error)
    }
    let form = LiveForm(old.stored?.withTimeInForm().form)
    guard form.expires != nil else { return copy?.stored ?? Entry(key: rename.newKey) }
    await retime(rename.newKey, newName, form)
    return (try? await standing(rename.newKey))?.stored ?? Entry(key: rename.newKey)
  }

  /// Sets the expiry in the form for an entry that was just written.
  ///
  /// Errors are ignored, since the value has been written: a cache may determine the TTL itself, or
  /// not store the entry at all.
  private func retime(_ key: EntryKey, _ name: String, _ form: LiveForm) async {
    guard facts.isCache, let expires = form.expires, let written = try? await present(key) else {
      return
    }
    let time = min(expires, InspectedEntry.CachedState.never)
    // The expectation protects a value that another writer has stored since.
    _ = try? await source.expire(name, at: time, expecting: .value(written.value)).getCancelling()
  }

  /// Deletes the copy under the new key, because the entry under the old key has changed.
  private func takeAway(
    _ copy: Standing?, _ newName: String, of rename: RenameQuery
  ) async throws {
    do {
      guard let copy else { throw InspectionError.conflict }
      guard copy.base != nil else { return }
      try await source.replace(newName, with: nil, expecting: copy.expectation).getCancelling()
    } catch {
      throw StoreError.changedDuring(rename)
    }
  }

  private func replace(
    _ name: String, with value: InspectedValue?, _ request: WriteRequest
  ) async throws {
    let expected = try await expectation(request)
    do {
      try await source.replace(name, with: value, expecting: expected).getCancelling()
    } catch InspectionError.conflict {
      throw StoreError.conflict(current: try await standing(request.key).stored)
    }
  }

  /// Makes one of several changes, and adds the number of previous changes to an error.
  func afterOthers<Result>(
    _ count: Int, _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let error as CoreError.IllegalArgument {
      throw StoreError.failed(Messages.message(error.description, after: count))
    } catch let error as InspectionError where count > 0 && error != .conflict {
      throw StoreError.unknownOutcome(
        Messages.message(Messages.unknownOutcome(error), after: count))
    } catch StoreError.unknownOutcome(let message) where count > 0 {
      throw StoreError.unknownOutcome(Messages.message(message, after: count))
    } catch StoreError.failed(let message) where count > 0 {
      throw StoreError.failed(Messages.message(message, after: count))
    } catch StoreError.notSupported(let message) where count > 0 {
      throw StoreError.notSupported(Messages.message(message, after: count))
    }
  }
}
