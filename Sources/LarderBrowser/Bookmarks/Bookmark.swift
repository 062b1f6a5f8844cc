import LarderFiles
package import LarderModel
package import Foundation
package import Harmony

/// A key that a user wants to find again, as it is kept between runs.
package struct Bookmark: Sendable, Equatable {
  /// The store, by its path without links.
  package var place: StoreLocation
  /// The key.
  package var key: EntryKey
  /// When it was set.
  package var date: Date

  package init(place: StoreLocation, key: EntryKey, date: Date = Date()) {
    self.place = place
    self.key = key
    self.date = date
  }

  /// What the bookmark is kept under: one for each key of each store.
  package var id: String {
    let parts: [StoredValue] = [
      .text(place.path), place.collection.map { .text($0) } ?? .null,
      .data(EntryCoding.encode(key)),
    ]
    return Fingerprint(of: .array(parts)).description
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
    // For people who look into the file.
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

/// Keeps bookmarks between runs.
///
/// Safe from any thread and process: each bookmark is kept by itself.
package struct BookmarkKeeper: Sendable {
  private let source: AnyDataSource<Bookmark>

  /// Keeps bookmarks in a source, by their ids; it answers ``AllObjectsQuery``.
  package init(_ source: AnyDataSource<Bookmark>) {
    self.source = source
  }

  /// Sets a bookmark, or takes it away.
  ///
  /// - Throws: What the source throws.
  package func set(_ bookmark: Bookmark, isKept: Bool) throws {
    if isKept {
      _ = try source.put(bookmark, forId: bookmark.id).result.get()
    } else {
      _ = try source.delete(bookmark.id).result.get()
    }
  }

  /// The bookmarks of a store in the order of their keys; what cannot be read is left where it is.
  package func all(at place: StoreLocation) -> [Bookmark] {
    guard let ids = try? source.getKeys(AllObjectsQuery()).result.get() else { return [] }
    return ids.compactMap { try? source.get($0).result.get() }
      .filter { $0.place.isSame(as: place) }
      .sorted { $0.key < $1.key }
  }
}

extension BookmarkKeeper {
  /// Keeps bookmarks in the folder for a user's state, in files that nobody else may read.
  ///
  /// The folder is made with the first bookmark.
  package static func inState(environment: [String: String]) -> BookmarkKeeper {
    BookmarkKeeper(StateFolder.source("bookmarks", environment: environment))
  }
}
