import LarderFiles
package import LarderModel
package import Foundation
package import Harmony

/// A bookmarked key, as it is stored between runs.
package struct Bookmark: Sendable, Equatable {
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
///
/// Safe to use from any thread and process, because each bookmark is stored separately.
package struct BookmarkKeeper: Sendable {
  private let source: AnyDataSource<Bookmark>

  /// Creates a keeper that stores bookmarks by their ids in a source, which must answer
  /// ``AllObjectsQuery``.
  package init(_ source: AnyDataSource<Bookmark>) {
    self.source = source
  }

  /// Sets or removes a bookmark.
  ///
  /// - Throws: Any error of the source.
  package func set(_ bookmark: Bookmark, isKept: Bool) throws {
    if isKept {
      _ = try source.put(bookmark, forId: bookmark.id).result.get()
    } else {
      _ = try source.delete(bookmark.id).result.get()
    }
  }

  /// Returns the bookmarks of a store, sorted by key, without those that cannot be read.
  package func all(at place: StoreLocation) -> [Bookmark] {
    guard let ids = try? source.getKeys(AllObjectsQuery()).result.get() else { return [] }
    return ids.compactMap { try? source.get($0).result.get() }
      .filter { $0.place.isSame(as: place) }
      .sorted { $0.key < $1.key }
  }
}

extension BookmarkKeeper {
  /// Returns a keeper that stores bookmarks in the user's state folder, in files that only the user
  /// can read.
  ///
  /// The folder is created with the first bookmark.
  package static func inState(environment: [String: String]) -> BookmarkKeeper {
    BookmarkKeeper(StateFolder.source("bookmarks", environment: environment))
  }
}
