package import LarderModel
import Foundation
import Harmony

extension EffectSlot {
  static let details = EffectSlot("details", isOfTab: true)
}

/// Reads an entry and what the backing store of a cache holds, to describe it.
package struct DescribeEntry: BrowserEffect {
  package let store: StoreReference
  package let key: EntryKey
  /// Whether larder's own cache is looked at.
  package let isReadThrough: Bool
  package let ticket: Ticket?
  package var slot: EffectSlot? { .details }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(await runner.result { try await read(runner) })
  }

  private func read(_ runner: EffectRunner) async throws -> EntryReading {
    let opened = try runner.opened(store)
    let time = runner.environment.date()
    let source = opened.store.source
    let cached = isReadThrough ? opened.cache.entryThatIsCached(key, at: time) : nil
    let stored = isReadThrough && cached != nil ? nil : try await source.entry(key)
    guard let entry = cached ?? stored else {
      throw StoreError.notFound("\(key.shown(opened.store.keyStyle)) is not there any more")
    }
    let cache = opened.store.cache
    guard cached != nil || (!isReadThrough && cache != nil) else {
      return EntryReading(entry: entry, backing: nil, time: time)
    }
    do {
      let beneath = try await isReadThrough ? source.entry(key) : cache?.beneath(key)
      return EntryReading(entry: entry, backing: Self.backing(of: entry, beneath), time: time)
    } catch let error as StoreError where error != .cancelled {
      return EntryReading(entry: entry, backing: .unreadable(error.message), time: time)
    }
  }

  private static func backing(of entry: Entry, _ beneath: Entry?) -> EntryDetails.Backing {
    guard let beneath else { return .nothing }
    return beneath.fingerprint == entry.fingerprint ? .same : .other
  }

  package func receive(_ reply: Answer<EntryReading>, in state: inout BrowserState) -> Effects {
    state.entryDescribed(reply)
  }
}
