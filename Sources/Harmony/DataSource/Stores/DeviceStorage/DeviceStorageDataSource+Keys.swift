extension DeviceStorageDataSource: KeyListingDataSource {
  /// Lists the keys that hold a value or a list of this type, without the prefix.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    Future(value: {
      guard let selection = (query as? any KeySelectionQuery)?.selection else {
        throw query.notSupported("getKeys")
      }
      return selection.keys(of: try readable().map(\.key))
    })
  }

  /// Counts the keys that hold a value or a list of this type.
  public func countKeys(_ query: any Query) -> Future<Int> {
    Future(value: {
      guard let selection = (query as? any KeySelectionQuery)?.selection else {
        throw query.notSupported("countKeys")
      }
      return selection.count(of: try readable().map(\.key))
    })
  }
}
