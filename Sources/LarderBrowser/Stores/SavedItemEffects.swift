package import LarderModel
import Harmony

/// Reads the items of a store.
package struct FindItems<Item: SavedItem>: BrowserEffect {
  package let store: StoreReference
  package let place: StoreLocation
  package var slot: EffectSlot? { Item.slot }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let items = Item.storage(in: runner.environment)?.all(at: place) ?? []
    if !items.isEmpty { await reply(items) }
  }

  package func receive(_ items: [Item], in state: inout BrowserState) -> Effects {
    Item.add(items, to: store, in: &state)
    return []
  }
}

/// Stores or removes an item; of several writes of the same item, the one with the highest token
/// wins.
package struct SetItem<Item: SavedItem>: BrowserEffect {
  package let item: Item
  package let isKept: Bool
  package let token: Int
  package var isWrite: Bool { true }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let result = await runner.result {
      try runner.registry.items.perform(token, for: "\(Item.slot.name) \(item.id)") {
        try Item.storage(in: runner.environment)?.set(item, isKept: isKept)
      }
    }
    if let error = result.failure {
      await reply.send(.notice(Messages.notSaved(Item.noun, error.message), .error))
    }
  }
}

extension BrowserState {
  /// Starts reading the bookmarks and the saved filters of a store.
  func findItems(of store: StoreSummary) -> Effects {
    guard itemObstacle(store) == nil, let place = place(of: store.reference) else { return [] }
    return [
      FindItems<Bookmark>(store: store.reference, place: place),
      FindItems<SavedFilter>(store: store.reference, place: place),
    ]
  }

  /// Returns the reason why a store cannot have bookmarks and saved filters, or `nil` if it can.
  func itemObstacle(_ store: StoreSummary) -> String? {
    if drafts.session == nil { return Messages.noJournalNoItems }
    return store.kind.isPersistent ? nil : Messages.noItems
  }
}

/// Runs operations that may arrive out of order, so that the latest one for each id wins.
final class LatestWins: Sendable {
  private let numbers = Locked<[String: Int]>([:])

  /// Performs an operation, unless a later one for the same id was performed before.
  ///
  /// Operations are serialized, so they must be short.
  func perform(_ number: Int, for id: String, _ order: () throws -> Void) rethrows {
    try numbers.withLock { numbers in
      guard number > numbers[id] ?? .min else { return }
      numbers[id] = number
      try order()
    }
  }
}
