extension DeviceStorageDataSource {
  /// Where a cache over this source keeps its times: in a file beside that of the defaults, with
  /// `.harmony-times` after the name of the suite, where larder finds them.
  ///
  /// Sources of one suite share the file. A value is called in it as in the defaults, with its prefix;
  /// one of a root key by the key of the dictionary, a character zero and its own key.
  ///
  /// ```swift
  /// let rates = DeviceStorageDataSource<Double>(defaults, prefix: "rates")
  /// let cache = TimedCacheDataSource(rates, expiryInterval: 3_600, times: try rates.cacheTimes())
  /// ```
  ///
  /// - Returns: The file, which is made by the first time that is kept.
  /// - Throws: ``CoreError/IllegalArgument`` where the suite has no name that can be that of a file.
  public func cacheTimes() throws -> CacheTimesFile {
    let space = space
    return CacheTimesFile(path: try timesPath()) { key in
      let address = space.address(of: key)
      return (address.root.map { $0.text + "\0" } ?? "") + address.key.text
    }
  }
}
