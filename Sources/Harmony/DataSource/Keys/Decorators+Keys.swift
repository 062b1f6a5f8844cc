extension DataSourceMapper: KeyListingDataSource where D: KeyListingDataSource {
  /// Forwards to the inner source.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    dataSource.getKeys(query)
  }

  /// Forwards to the inner source.
  public func countKeys(_ query: any Query) -> Future<Int> {
    dataSource.countKeys(query)
  }
}

extension GetDataSourceMapper: KeyListingDataSource where D: KeyListingDataSource {
  /// Forwards to the inner source.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    dataSource.getKeys(query)
  }

  /// Forwards to the inner source.
  public func countKeys(_ query: any Query) -> Future<Int> {
    dataSource.countKeys(query)
  }
}

extension DataSourceValidator: KeyListingDataSource where D: KeyListingDataSource {
  /// Forwards to the inner source.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    dataSource.getKeys(query)
  }

  /// Forwards to the inner source.
  public func countKeys(_ query: any Query) -> Future<Int> {
    dataSource.countKeys(query)
  }
}

extension TimedCacheDataSource: KeyListingDataSource where D: KeyListingDataSource {
  /// Forwards to the inner source; keys are not cached.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    dataSource.getKeys(query)
  }

  /// Forwards to the inner source; keys are not cached.
  public func countKeys(_ query: any Query) -> Future<Int> {
    dataSource.countKeys(query)
  }
}

extension DataSourceAssembler: KeyListingDataSource where Get: KeyListingDataSource {
  /// Forwards to the source for reading.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    getDataSource.getKeys(query)
  }

  /// Forwards to the source for reading.
  public func countKeys(_ query: any Query) -> Future<Int> {
    getDataSource.countKeys(query)
  }
}

extension RetryDataSource: KeyListingDataSource where D: KeyListingDataSource {
  /// Lists keys, retrying on failure.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    attempt { $0.getKeys(query) }
  }

  /// Counts keys, retrying on failure.
  public func countKeys(_ query: any Query) -> Future<Int> {
    attempt { $0.countKeys(query) }
  }
}

extension DebugDataSource: KeyListingDataSource where D: KeyListingDataSource {
  /// Forwards to the inner source and disturbs its answer.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    disturb("getKeys", query) { dataSource.getKeys(query) }
  }

  /// Forwards to the inner source and disturbs its answer.
  public func countKeys(_ query: any Query) -> Future<Int> {
    disturb("countKeys", query) { dataSource.countKeys(query) }
  }
}
