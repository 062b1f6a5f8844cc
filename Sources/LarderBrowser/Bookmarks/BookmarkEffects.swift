package import LarderModel
import Harmony

extension EffectSlot {
  static let bookmarks = EffectSlot("bookmarks")
}

/// Reads the bookmarks of a store.
package struct FindBookmarks: BrowserEffect {
  package let store: StoreReference
  package let place: StoreLocation
  package var slot: EffectSlot? { .bookmarks }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let bookmarks = runner.environment.bookmarks?.all(at: place) ?? []
    if !bookmarks.isEmpty { await reply(bookmarks) }
  }

  package func receive(_ bookmarks: [Bookmark], in state: inout BrowserState) -> Effects {
    state.bookmarksFound(store, bookmarks)
  }
}

/// Sets or removes a bookmark; of several writes of the same bookmark, the one with the highest
/// token wins.
package struct SetBookmark: BrowserEffect {
  package let bookmark: Bookmark
  package let isKept: Bool
  package let token: Int
  package var isWrite: Bool { true }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    let result = await runner.result {
      try runner.registry.bookmarks.perform(token, for: bookmark.id) {
        try runner.environment.bookmarks?.set(bookmark, isKept: isKept)
      }
    }
    if let error = result.failure {
      await reply.send(.notice("the bookmark could not be saved: \(error.message)", .error))
    }
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
