package import LarderModel
import Foundation
import Harmony

/// Reads an entry, and compares it with the backing store if it is cached.
package struct DescribeEntry: BrowserEffect {
  package let store: StoreReference
  package let key: EntryKey
  /// Whether the store is read through larder's own cache.
  package let isReadThrough: Bool
  package let ticket: Ticket?
  package var slot: EffectSlot? { .asking }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(await runner.result { try await read(runner) })
  }

  private func read(_ runner: EffectRunner) async throws -> EntryReading {
    let opened = try runner.opened(store)
    let time = runner.environment.date()
    let (source, cache) = (opened.store.source, opened.store.cache)
    let cached = isReadThrough ? opened.cache.entryThatIsCached(key, at: time) : nil
    var entry = cached
    if entry == nil { entry = try await source.entry(key) }
    guard let entry else {
      throw StoreError.notFound(Messages.gone(key.shown(opened.store.keyStyle)))
    }
    guard cached != nil || !isReadThrough && cache != nil else {
      return EntryReading(entry: entry, backing: nil, time: time)
    }
    do {
      let stored = try await isReadThrough ? source.entry(key) : cache?.backing(key)
      return EntryReading(entry: entry, backing: Self.backing(of: entry, stored), time: time)
    } catch let error as StoreError where error != .cancelled {
      return EntryReading(entry: entry, backing: .unreadable(error.message), time: time)
    }
  }

  private static func backing(of entry: Entry, _ stored: Entry?) -> EntryDetails.Backing {
    guard let stored else { return .nothing }
    return stored.fingerprint == entry.fingerprint ? .same : .other
  }

  package func receive(_ reply: Answer<EntryReading>, in state: inout BrowserState) -> Effects {
    state.entryDescribed(reply)
  }
}
