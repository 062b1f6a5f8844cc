import LarderModel
import LarderOperations
import LarderFormats
import Foundation
import Harmony

/// Carries out the effects that are about stores, and answers with actions.
///
/// Knows stores and clocks, but no terminal. Every method may be called from any task; an effect
/// ends early when its task is cancelled, and the work at the store with it.
package struct EffectRunner: Sendable {
  /// Takes the actions that an effect answers with, in order.
  package typealias Send = @Sendable (BrowserAction) async -> Void

  let environment: Environment
  let registry = StoreRegistry()

  package init(_ environment: Environment) {
    self.environment = environment
  }

  /// Carries out an effect; effects about the terminal are not for this runner and do nothing.
  package func run(_ effect: BrowserEffect, send: @escaping Send) async {
    await carryOut(effect, send: send)
    if let reference = effect.writtenStore { await tellRemarks(of: reference, send: send) }
  }

  private func carryOut(_ effect: BrowserEffect, send: @escaping Send) async {
    switch effect {
    case .openLocation(let id, let text): await send(.opened(id, await open(id, text)))
    case .forgetLocation(let id): registry.forget(id)
    case .openStore(let reference):
      await send(.storeOpened(reference, await open(reference)))
    case .loadPage(let reference, let query, let token):
      await loadPage(reference, query, token: token, send: send)
    case .readEntry(let reference, let key, let token, let path):
      let result = await result { try await read(key, in: reference, through: path) }
      await send(.entryRead(token: token, result))
    case .loadTree(let reference, let query, let token):
      await loadTree(reference, query, token: token, send: send)
    case .count(let reference, let prefix, let token):
      await count(reference, prefix, token: token, send: send)
    case .countBranches(let reference, let branches, let token):
      await countBranches(reference, branches, token: token, send: send)
    case .checkKey(let reference, let key, let token):
      let result = await result {
        try await opened(reference).store.source.present(key)
      }
      await send(.keyChecked(token: token, result))
    case .write(let reference, let entry, let query, let token):
      registry.own.note(entry.key, entry.fingerprint, in: reference)
      var warnings: [String] = []
      let result = await result {
        let opened = try opened(reference)
        let stored = try await opened.cache.put(entry, in: query).get()
        registry.own.note(entry.key, stored.fingerprint, in: reference)
        warnings = opened.store.warnings(ofWriting: entry, as: stored, at: environment.date())
        return opened.store.hidesValues ? stored.concealed : stored
      }
      await send(.wrote(token: token, result))
      if !warnings.isEmpty { await send(.remarked(warnings.joined(separator: "; "))) }
    case .delete(let reference, let query, let token):
      registry.own.note(query.entryKey, nil, in: reference)
      let result = await result {
        try await opened(reference).cache.delete(query).get()
      }
      await send(.deleted(token: token, query.entryKey, result.failure))
    case .rename(let reference, let query, let token):
      registry.own.note(query.entryKey, nil, in: reference)
      registry.own.note(query.newKey, query.expecting, in: reference)
      let result = await result { try await rename(query, in: opened(reference)) }
      if case .success(let entry) = result { registry.own.note(entry, in: reference) }
      await send(.renamed(token: token, result))
    case .duplicate(let reference, let query, let token):
      registry.own.note(query.newKey, query.expecting, in: reference)
      let result = await result { try await duplicate(query, in: opened(reference)) }
      if case .success(let entry) = result { registry.own.note(entry, in: reference) }
      await send(.renamed(token: token, result))
    case .renameMarked(let reference, let renames, let token):
      let result = await operation {
        try await working(token, send: send) { scan in
          try await registry.own.sweeping(nil, in: reference) {
            try await rename(renames, in: opened(reference), scan)
          }
        }
      }
      await send(.markedRenamed(token: token, result))
    case .setExpiry(let reference, let chosen, let fingerprints, let expiry, let token):
      let result = await operation {
        try await working(token, send: send) { scan in
          try await registry.own.sweeping(nil, in: reference) {
            try await setExpiries(of: chosen, fingerprints, expiry, in: opened(reference), scan)
          }
        }
      }
      await send(.expirySet(token: token, result))
    case .changeCache(let reference, let chosen, let change, let token):
      let result = await result {
        try await working(token, send: send) { scan in
          try await self.change(change, chosen, in: opened(reference), scan)
        }
      }
      await send(.cacheChanged(token: token, result))
    case .waitToFollow(let pause, let token):
      guard (try? await environment.sleep(pause)) != nil else { return }
      await send(.followDue(token: token))
    case .lookAgain(let reference, let query, let key, let token):
      let look = await look(reference, query, key, token: token)
      guard !Task.isCancelled else { return }
      await send(.followed(look))
    case .transfer(let order, let reference, let target, let token):
      let result = await transfer(order, from: reference, to: target, token: token, send: send)
      await send(.transferred(token: token, result))
    case .listKeys(let reference, let query, let token):
      let result = await result { try await listing(query, in: opened(reference)) }
      await send(.keysListed(token: token, result))
    case .takeText(let reference, let keys, let text, let token):
      let result = await result {
        try await self.text(
          of: keys, text, limit: EntriesText.greatestCopy, in: opened(reference))
      }
      await send(.textTaken(token: token, result))
    case .exportEntries(let reference, let keys, let path, let replaces, let token):
      let result = await result {
        try await working(token, send: send) { scan in
          try await export(keys, to: path, replaces: replaces, in: opened(reference), scan)
        }
      }
      await send(.textTaken(token: token, result))
    case .matchPrefix(let reference, let prefix, let token):
      let result = await result { try await match(prefix, in: opened(reference)) }
      await send(.prefixMatched(token: token, result))
    case .deletePrefix(let reference, let prefix, let match, let token):
      let result = await operation {
        try await working(token, send: send) { scan in
          try await registry.own.sweeping(prefix, in: reference) {
            try await delete(prefix, if: match, in: opened(reference), scan)
          }
        }
      }
      await send(.prefixDeleted(token: token, result))
    case .readMarked(let reference, let keys, let token):
      let result = await result { try await deletions(of: keys, in: opened(reference)) }
      await send(.markedRead(token: token, result))
    case .deleteMarked(let reference, let changes, let token):
      for change in changes { registry.own.note(change.key, nil, in: reference) }
      let result = await operation {
        try await working(token, send: send) { scan in
          try await delete(changes, in: opened(reference), scan)
        }
      }
      await send(.markedDeleted(token: token, result))
    case .replay(let reference, let query, let token):
      let result = await result {
        try await registry.own.sweeping(nil, in: reference) {
          try await replay(query, in: opened(reference))
        }
      }
      var refused: RefusedStep?
      if case .failure(.conflict) = result { refused = await refusedStep(query, in: reference) }
      await send(.replayed(token: token, reference, result, refused: refused))
    case .bringBack(let reference, let change, let token):
      registry.own.note(
        change.key, change.value.map { Fingerprint(of: $0) }, in: reference)
      let result = await result {
        _ = try await opened(reference).cache.putAll([], in: ChangesQuery([change])).get()
      }
      await send(.broughtBack(token: token, result.failure))
    case .decodePicture(let bytes, let token):
      let picture = await Background.runCancelling(isAlone: true) { isCancelled in
        PictureDecoder.decode(bytes, isCancelled: isCancelled)
      }
      guard let picture, !Task.isCancelled else { return }
      await send(.pictureDecoded(token: token, picture))
    case .readInside(let model, let token):
      let read = await Background.runCancelling(isAlone: true) { isCancelled in
        var model = model
        return model.read(isCancelled: isCancelled) ? model : nil
      }
      guard let read = read ?? nil, !Task.isCancelled else { return }
      await send(.insideRead(token: token, read))
    case .workOnValue(let model, let job, let token):
      let done = await Background.runCancelling { isCancelled in
        var model = model
        let finding = model.perform(job, isCancelled: isCancelled)
        return (model, finding)
      }
      guard let (model, finding) = done, !Task.isCancelled else { return }
      await send(.valueWorked(token: token, model, finding))
    case .checkTyped(let editor, let token): await check(editor, token: token, send: send)
    case .compare(let order, let token):
      let result = await result { try await compare(order) }
      await send(.compared(token: token, result))
    case .stopWork(let token): registry.works.stop(token)
    case .watch(let reference, let token): await watch(reference, token: token, send: send)
    case .sumTimes(let reference, let prefix, let token):
      let result = await result { try await sumTimes(below: prefix, in: opened(reference)) }
      await send(.timesSummed(token: token, result))
    case .attend(let reference, let text, let isAway, let token):
      await attend(reference, text, isAway: isAway, token: token, send: send)
    case .inspectCache(let reference): await inspect(reference, send: send)
    case .refreshCached(let reference, let key, let token):
      let result = await result {
        let opened = try opened(reference)
        let entry = try await opened.cache.refresh(EntryQuery(key)).getCancelling()
        return opened.store.hidesValues ? entry.concealed : entry
      }
      await send(.entryRead(token: token, result))
    case .evictCached(let reference, let key, let token):
      _ = registry.store(reference)?.cache.evict(EntryQuery(key).key)
      let result = await result { try await read(key, in: reference, through: .cacheOnly) }
      await send(.entryRead(token: token, result))
    case .takeSecret(let reference, let key, let token):
      let result = await result {
        let entry = try await read(key, in: reference, through: .revealing)
        return ValueText.text(of: entry.value ?? .null)
      }
      await send(.secretTaken(token: token, result))
    case .waitToConceal(let token):
      guard (try? await environment.sleep(.seconds(30))) != nil else { return }
      await send(.timeToConceal(token: token))
    case .waitToForgetCopy:
      guard (try? await environment.sleep(.seconds(45))) != nil else { return }
      await send(.timeToForgetCopy)
    case .tick:
      guard (try? await environment.sleep(.seconds(1))) != nil else { return }
      await send(.ticked(now: environment.clock.now))
    case .askTime: await send(.timeTold(environment.date(), isWaited: false))
    case .waitForTime:
      guard (try? await environment.sleep(.seconds(1))) != nil else { return }
      await send(.timeTold(environment.date(), isWaited: true))
    case .waitToKeep:
      guard (try? await environment.sleep(BrowserState.momentToKeep)) != nil else { return }
      await send(.timeToKeep(Date()))
    case .keepDraft(let draft, let old, let token):
      let result = await result { try environment.drafts?.keep(draft, number: token) }
      if result.failure == nil, let old {
        environment.drafts?.drop(old.id)
        if let file = old.outside, let text = file.found {
          environment.editor.discard(file.path, text)
        }
      }
      await send(.draftKept(token: token, problem: result.failure?.message))
    case .dropDraft(let id): environment.drafts?.drop(id)
    case .findDrafts(let reference, let place):
      await send(.draftsFound(reference, draftsLeft(inFile: place.path)))
    case .findBookmarks(let reference, let place):
      let bookmarks = environment.bookmarks?.all(at: place) ?? []
      if !bookmarks.isEmpty { await send(.bookmarksFound(reference, bookmarks)) }
    case .setBookmark(let bookmark, let isKept, let token):
      let result = await result {
        try registry.bookmarks.perform(token, for: bookmark.id) {
          try environment.bookmarks?.set(bookmark, isKept: isKept)
        }
      }
      if let error = result.failure {
        await send(.failed("the bookmark could not be kept: \(error.message)"))
      }
    case .offer(let query, let token):
      await send(.offered(token: token, await offers(query)))
    case .editOutside(let text, let draft, let token):
      await send(.editedOutside(token: token, await editOutside(text, draft, token: token)))
    case .cancel, .useTheme, .copy, .forgetCopy, .suspend, .redraw, .quit: break
    }
  }

  func result<Value>(
    _ work: () async throws -> Value
  ) async -> Result<Value, StoreError> {
    do {
      return .success(try await work())
    } catch {
      return .failure(StoreError(error))
    }
  }

  func operation<Value>(
    _ work: () async throws -> Value
  ) async -> Result<Value, OperationFailure> {
    do {
      return .success(try await work())
    } catch {
      return .failure(OperationFailure(error))
    }
  }
}

extension Result {
  /// The error of a failure.
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
