import LarderModel

extension TableLens {
  /// The visited pages of Chrome and other Chromium browsers, according to `url_database.cc`.
  ///
  /// The URL has an index, but not a unique one.
  static let chromiumHistory = TableLens(
    program: "a Chromium browser", table: "urls",
    columns: [
      "id", "url", "title", "visit_count", "typed_count", "last_visit_time", "hidden",
    ],
    siblings: ["visits", "meta"], key: ["id"],
    defaults: ["last_visit_time": .now(.webkit)], title: "url")

  /// The visits to those pages.
  static let chromiumVisits = TableLens(
    program: "a Chromium browser", table: "visits", columns: ["id", "url", "visit_time"],
    siblings: ["urls", "meta"], key: ["id"], references: ["url": "urls"])
}
