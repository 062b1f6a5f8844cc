import LarderModel

extension TableLens {
  /// The visited and bookmarked pages of Firefox, according to `nsPlacesTables.h`.
  ///
  /// The hash of the URL has an index, but not a unique one, and other tables refer to the number.
  static let firefoxPlaces = TableLens(
    program: "Firefox", table: "moz_places",
    columns: [
      "id", "url", "title", "rev_host", "visit_count", "last_visit_date", "guid", "url_hash",
    ],
    siblings: ["moz_bookmarks", "moz_historyvisits"], key: ["id"], title: "url",
    referrers: [("moz_bookmarks", "fk")], fixed: ["url", "url_hash", "rev_host", "guid"],
    isClosed: true)

  /// The visits to those pages.
  static let firefoxVisits = TableLens(
    program: "Firefox", table: "moz_historyvisits", columns: ["id", "place_id", "visit_date"],
    siblings: ["moz_places"], key: ["id"], references: ["place_id": "moz_places"])

  /// The bookmarks of those pages.
  ///
  /// Firefox counts them in `moz_places` by temporary triggers, which larder does not have.
  static let firefoxBookmarks = TableLens(
    program: "Firefox", table: "moz_bookmarks", columns: ["id", "fk", "title", "parent"],
    siblings: ["moz_places"], key: ["id"], title: "title", references: ["fk": "moz_places"],
    referrers: [("moz_bookmarks", "parent")], fixed: ["fk"], isClosed: true)
}
