extension TableLens {
  /// The cache of Python's diskcache, after its `core.py` of version 5.
  ///
  /// Its index is of the key and of whether that is pickled; no two rows have the same key, as bytes
  /// that are not pickled would have to be those of a pickle. The mode 1 is that of a value as it is.
  static let diskcache = TableLens(
    program: "diskcache", table: "Cache",
    columns: [
      "key", "raw", "store_time", "expire_time", "tag", "size", "mode", "filename", "value",
    ],
    sibling: "Settings", key: "key", file: "filename",
    defaults: [
      "raw": .integer(1), "mode": .integer(1), "size": .integer(0), "access_count": .integer(0),
      "store_time": .now, "access_time": .now,
    ])
}
