package import LarderModel
package import Foundation
import Harmony

/// A bookmarked key, as it is stored between runs.
package struct Bookmark: SavedItem, Equatable {
  /// The location of the store, with symbolic links resolved.
  package var place: StoreLocation
  /// The key.
  package var key: EntryKey
  /// The date on which the bookmark was set.
  package var date: Date

  package init(place: StoreLocation, key: EntryKey, date: Date = Date()) {
    self.place = place
    self.key = key
    self.date = date
  }

  /// The id of the bookmark, which is unique for each key of each store.
  package var id: String {
    let parts: [StoredValue] = [
      .text(place.path), place.collection.map { .text($0) } ?? .null,
      .data(EntryCoding.encode(key)),
    ]
    return Fingerprint(of: .array(parts)).description
  }

  package static let noun = "bookmark"
  package static let slot = EffectSlot("bookmarks")

  package static func storage(in environment: EffectRunner.Environment) -> BookmarkStorage? {
    environment.bookmarks
  }

  package static func add(
    _ bookmarks: [Bookmark], to store: StoreReference, in state: inout BrowserState
  ) {
    let keys = bookmarks.map(\.key)
    if state.keys?.store.reference == store { state.keys?.bookmarks.formUnion(keys) }
    state.tabs.changeLists(of: store) { $0.bookmarks.formUnion(keys) }
  }
}

extension Bookmark: Codable {
  private enum Name: String, CodingKey {
    case path, collection, key, title, date
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Name.self)
    try members.encode(place.path, forKey: .path)
    try members.encodeIfPresent(place.collection, forKey: .collection)
    try members.encode(Data(EntryCoding.encode(key)), forKey: .key)
    // For people who read the file.
    try members.encode(key.notation(.typed), forKey: .title)
    try members.encode(date, forKey: .date)
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Name.self)
    place = StoreLocation(
      path: try members.decode(String.self, forKey: .path),
      collection: try members.decodeIfPresent(String.self, forKey: .collection))
    let bytes = Array(try members.decode(Data.self, forKey: .key))
    guard let key = EntryCoding.key(bytes) else {
      throw DecodingError.dataCorruptedError(
        forKey: .key, in: members, debugDescription: "no key")
    }
    self.key = key
    date = try members.decode(Date.self, forKey: .date)
  }
}

/// Stores bookmarks between runs.
package typealias BookmarkStorage = SavedItemStorage<Bookmark>
