extension DeviceStorageDataSource: KeyListingDataSource {
  /// Lists the keys that hold a value or a list of this type, without the prefix.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    Future(value: { try query.keySelection(for: "getKeys").keys(of: readable().map(\.key)) })
  }

  /// Counts the keys that hold a value or a list of this type.
  public func countKeys(_ query: any Query) -> Future<Int> {
    Future(value: { try query.keySelection(for: "countKeys").count(of: readable().map(\.key)) })
  }
}
