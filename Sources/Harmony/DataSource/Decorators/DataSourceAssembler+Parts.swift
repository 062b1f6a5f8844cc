extension DataSourceAssembler where Get == Put, Put == Delete {
  /// Creates a source whose three parts are one.
  ///
  /// - Parameter dataSource: Answers reads, takes writes and removes.
  public convenience init(_ dataSource: Get) {
    self.init(get: dataSource, put: dataSource, delete: dataSource)
  }
}

extension DataSourceAssembler where Put == VoidPutDataSource<T>, Delete == VoidDeleteDataSource {
  /// Creates a source that can read only.
  ///
  /// - Parameter getDataSource: Answers reads.
  public convenience init(get getDataSource: Get) {
    self.init(get: getDataSource, put: VoidPutDataSource(), delete: VoidDeleteDataSource())
  }
}

extension DataSourceAssembler where Get == VoidGetDataSource<T>, Delete == VoidDeleteDataSource {
  /// Creates a source that can write only.
  ///
  /// - Parameter putDataSource: Takes writes.
  public convenience init(put putDataSource: Put) {
    self.init(get: VoidGetDataSource(), put: putDataSource, delete: VoidDeleteDataSource())
  }
}

extension DataSourceAssembler where Get == VoidGetDataSource<T>, Put == VoidPutDataSource<T> {
  /// Creates a source that can remove only.
  ///
  /// - Parameter deleteDataSource: Removes.
  public convenience init(delete deleteDataSource: Delete) {
    self.init(get: VoidGetDataSource(), put: VoidPutDataSource(), delete: deleteDataSource)
  }
}

extension DataSourceAssembler
where Get == VoidGetDataSource<T>, Put == VoidPutDataSource<T>, Delete: PutDataSource, Delete.T == T
{
  /// Creates a source that can remove only, of the type that the given source is of.
  ///
  /// - Parameter deleteDataSource: Removes; what else it can do is not used.
  public convenience init(delete deleteDataSource: Delete) {
    self.init(get: VoidGetDataSource(), put: VoidPutDataSource(), delete: deleteDataSource)
  }
}

extension DataSourceAssembler
where
  Get == VoidGetDataSource<T>, Put == VoidPutDataSource<T>, Delete == AnyDeleteDataSource<T>
{
  /// Creates a source that can remove only, of the type that the eraser is told.
  ///
  /// - Parameter deleteDataSource: Removes.
  public convenience init(delete deleteDataSource: Delete) {
    self.init(get: VoidGetDataSource(), put: VoidPutDataSource(), delete: deleteDataSource)
  }
}

extension DataSourceAssembler where Get == VoidGetDataSource<T> {
  /// Creates a source that can write and remove only.
  ///
  /// - Parameters:
  ///   - putDataSource: Takes writes.
  ///   - deleteDataSource: Removes.
  public convenience init(put putDataSource: Put, delete deleteDataSource: Delete) {
    self.init(get: VoidGetDataSource(), put: putDataSource, delete: deleteDataSource)
  }
}

extension DataSourceAssembler where Put == VoidPutDataSource<T> {
  /// Creates a source that can read and remove only.
  ///
  /// - Parameters:
  ///   - getDataSource: Answers reads.
  ///   - deleteDataSource: Removes.
  public convenience init(get getDataSource: Get, delete deleteDataSource: Delete) {
    self.init(get: getDataSource, put: VoidPutDataSource(), delete: deleteDataSource)
  }
}

extension DataSourceAssembler where Delete == VoidDeleteDataSource {
  /// Creates a source that can read and write only.
  ///
  /// - Parameters:
  ///   - getDataSource: Answers reads.
  ///   - putDataSource: Takes writes.
  public convenience init(get getDataSource: Get, put putDataSource: Put) {
    self.init(get: getDataSource, put: putDataSource, delete: VoidDeleteDataSource())
  }
}
