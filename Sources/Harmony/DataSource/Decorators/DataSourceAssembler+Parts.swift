extension DataSourceAssembler where Get == Put, Put == Delete {
  /// Creates a source that uses one source for everything.
  ///
  /// - Parameter dataSource: The source to read, write and remove with.
  public convenience init(_ dataSource: Get) {
    self.init(get: dataSource, put: dataSource, delete: dataSource)
  }
}

extension DataSourceAssembler where Put == VoidPutDataSource<T>, Delete == VoidDeleteDataSource {
  /// Creates a read-only source.
  ///
  /// - Parameter getDataSource: The source to read from.
  public convenience init(get getDataSource: Get) {
    self.init(get: getDataSource, put: VoidPutDataSource(), delete: VoidDeleteDataSource())
  }
}

extension DataSourceAssembler where Get == VoidGetDataSource<T>, Delete == VoidDeleteDataSource {
  /// Creates a write-only source.
  ///
  /// - Parameter putDataSource: The source to write to.
  public convenience init(put putDataSource: Put) {
    self.init(get: VoidGetDataSource(), put: putDataSource, delete: VoidDeleteDataSource())
  }
}

extension DataSourceAssembler where Get == VoidGetDataSource<T>, Put == VoidPutDataSource<T> {
  /// Creates a source that can only remove.
  ///
  /// - Parameter deleteDataSource: The source to remove from.
  public convenience init(delete deleteDataSource: Delete) {
    self.init(get: VoidGetDataSource(), put: VoidPutDataSource(), delete: deleteDataSource)
  }
}

extension DataSourceAssembler
where Get == VoidGetDataSource<T>, Put == VoidPutDataSource<T>, Delete: PutDataSource, Delete.T == T
{
  /// Creates a source that can only remove and has the value type of the given source.
  ///
  /// - Parameter deleteDataSource: The source to remove from; its other methods are not used.
  public convenience init(delete deleteDataSource: Delete) {
    self.init(get: VoidGetDataSource(), put: VoidPutDataSource(), delete: deleteDataSource)
  }
}

extension DataSourceAssembler
where
  Get == VoidGetDataSource<T>, Put == VoidPutDataSource<T>, Delete == AnyDeleteDataSource<T>
{
  /// Creates a source that can only remove and has the value type of the eraser.
  ///
  /// - Parameter deleteDataSource: The source to remove from.
  public convenience init(delete deleteDataSource: Delete) {
    self.init(get: VoidGetDataSource(), put: VoidPutDataSource(), delete: deleteDataSource)
  }
}

extension DataSourceAssembler where Get == VoidGetDataSource<T> {
  /// Creates a source that can write and remove but not read.
  ///
  /// - Parameters:
  ///   - putDataSource: The source to write to.
  ///   - deleteDataSource: The source to remove from.
  public convenience init(put putDataSource: Put, delete deleteDataSource: Delete) {
    self.init(get: VoidGetDataSource(), put: putDataSource, delete: deleteDataSource)
  }
}

extension DataSourceAssembler where Put == VoidPutDataSource<T> {
  /// Creates a source that can read and remove but not write.
  ///
  /// - Parameters:
  ///   - getDataSource: The source to read from.
  ///   - deleteDataSource: The source to remove from.
  public convenience init(get getDataSource: Get, delete deleteDataSource: Delete) {
    self.init(get: getDataSource, put: VoidPutDataSource(), delete: deleteDataSource)
  }
}

extension DataSourceAssembler where Delete == VoidDeleteDataSource {
  /// Creates a source that can read and write but not remove.
  ///
  /// - Parameters:
  ///   - getDataSource: The source to read from.
  ///   - putDataSource: The source to write to.
  public convenience init(get getDataSource: Get, put putDataSource: Put) {
    self.init(get: getDataSource, put: putDataSource, delete: VoidDeleteDataSource())
  }
}
