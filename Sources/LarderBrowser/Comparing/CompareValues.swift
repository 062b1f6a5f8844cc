import LarderModel
import Foundation
import Harmony

extension EffectSlot {
  static let comparison = EffectSlot("comparison", isOfTab: true)
}

/// Compares two values.
package struct CompareValues: BrowserEffect {
  package let order: CompareOrder
  package let ticket: Ticket?
  package var slot: EffectSlot? { .comparison }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(await runner.result { try await runner.compare(order) })
  }

  package func receive(_ reply: Answer<ComparisonModel>, in state: inout BrowserState) -> Effects {
    state.compared(reply)
  }
}

extension EffectRunner {
  /// Reads two values and compares them.
  fileprivate func compare(_ order: CompareOrder) async throws -> ComparisonModel {
    if case .backing(let isOwn) = order.other {
      return try await explained(order.place, isOwn: isOwn)
    }
    if case .counterpart(let other) = order.other {
      return try await counterparts(order.place, other)
    }
    let entry = try await whole(order.place)
    switch order.other {
    case .counterpart: throw CoreError.IllegalArgument()
    case .first(let places):
      var missing: (any Error)?
      for place in places {
        do {
          let other = try await whole(place)
          let title = Messages.both(entry.name, other.name)
          return try await Self.compared(title, entry, other)
        } catch StoreError.notFound(let text) {
          missing = missing ?? StoreError.notFound(text)
        }
      }
      throw missing ?? StoreError.notFound(Messages.nothingToCompare)
    case .backing: throw StoreError.notSupported(Messages.noBackingValue)
    case .before:
      let before = try await before(entry.entry.key, order.place)
      let time = before.modified.map(Timestamp.secondText)
      let title = Messages.lastChange(of: entry.name)
      return try await Self.compared(
        title, (Messages.before(time), before), (Messages.now, entry.entry))
    }
  }

  /// Compares the entries with the same key in two stores; one of them may be missing.
  private func counterparts(
    _ place: CompareOrder.Place, _ other: CompareOrder.Place
  ) async throws -> ComparisonModel {
    guard case .known(let key) = place.key else { throw CoreError.IllegalArgument() }
    func side(_ place: CompareOrder.Place) async throws -> Named {
      do {
        return try await whole(place)
      } catch StoreError.notFound {
        return (place.name ?? "", Entry(key: key))
      }
    }
    let sides = (try await side(place), try await side(other))
    let style = try opened(place.store).store.keyStyle
    return try await Self.compared(key.shown(style), sides.0, sides.1)
  }

  /// Compares the cached version of an entry with that of the backing store.
  ///
  /// - Throws: ``StoreError/notFound(_:)`` with a description of the other version if either is
  ///   missing.
  private func explained(
    _ place: CompareOrder.Place, isOwn: Bool
  ) async throws -> ComparisonModel {
    guard case .known(let key) = place.key else { throw CoreError.IllegalArgument() }
    let opened = try opened(place.store)
    let name = key.shown(opened.store.keyStyle)
    let cached =
      isOwn
      ? opened.cache.entryThatIsCached(key, at: environment.date())
      : try await opened.store.source.entry(key)
    guard let cached else {
      throw StoreError.notFound(Messages.valueNotCached(name))
    }
    let life = CacheAge(cached, at: environment.date()).spoken
    let backing =
      isOwn
      ? try await opened.store.source.entry(key) : try await opened.store.cache?.backing(key)
    guard let backing else {
      throw StoreError.notFound(Messages.onlyCached(name, life))
    }
    // The title line has more room for the description than the heading of one half.
    return try await Self.compared(
      "\(name), \(life)", (Messages.cachedTitle, cached), (Messages.backingStore, backing))
  }

  private typealias Named = (name: String, entry: Entry)

  /// Compares two values on a background thread, because large ones take a while.
  private static func compared(
    _ title: String, _ left: Named, _ right: Named
  ) async throws -> ComparisonModel {
    let model = await Background.runCancelling { isCancelled in
      ComparisonModel(title: title, left, right, isCancelled: isCancelled)
    }
    try Task.checkCancellation()
    guard let model else { throw CancellationError() }
    return model
  }

  private func before(_ key: EntryKey, _ place: CompareOrder.Place) async throws -> Entry {
    let opened = try opened(place.store)
    let name = key.shown(opened.store.keyStyle)
    guard let history = opened.store.history else {
      throw StoreError.notSupported(Messages.noHistory)
    }
    guard let answer = try await history.entry(before: key) else {
      throw StoreError.notFound(Messages.noChange(of: name))
    }
    guard answer.value != nil else {
      throw StoreError.notFound(
        Messages.lastChangeAdded(name, at: answer.modified.map(Timestamp.secondText)))
    }
    return answer
  }

  /// Reads a complete entry, and opens its store if necessary.
  private func whole(_ place: CompareOrder.Place) async throws -> Named {
    if case .failure(let error) = await open(place.store) { throw error }
    let store = try opened(place.store).store
    if store.hidesValues { throw StoreError.secrets("compare") }
    let key =
      switch place.key {
      case .known(let key): key
      case .typed(let text): EntryKey(notation: text, style: store.keyStyle)
      }
    let name = (place.name.map { $0 + " " } ?? "") + key.shown(store.keyStyle)
    guard let entry = try await store.source.entry(key, readsFiles: true) else {
      throw StoreError.notFound(Messages.missing(name))
    }
    guard entry.isWhole, entry.value != nil else {
      throw StoreError.notSupported(Messages.incomplete(name))
    }
    return (name, entry)
  }
}
