public import Harmony

/// A live source of another process, as a data source of this one.
///
/// It supports the same key queries as the original source. Each call is one request, and errors of
/// the other process are converted to the original types.
public struct RemoteDataSource: GetDataSource, PutDataSource, DeleteDataSource {
  /// The name of the exposed source.
  public let name: String

  let client: InspectionClient

  init(_ client: InspectionClient, _ name: String) {
    self.client = client
    self.name = name
  }

  /// Reads a value.
  ///
  /// - Parameter query: A query with keys.
  /// - Returns: A future that fails like the original source, or with an ``InspectionError``.
  public func get(_ query: any Query) -> Future<InspectedValue> {
    ask(.get, query, "get").map { try $0.part(\.value) }
  }

  /// Reads a list, which has to fit into a message.
  ///
  /// - Parameter query: A query with keys.
  /// - Returns: A future that fails like the original source, or with an ``InspectionError``.
  public func getAll(_ query: any Query) -> Future<[InspectedValue]> {
    ask(.getAll, query, "getAll").map { try $0.part(\.values) }
  }

  /// Writes a value, if the program exposes the source as writable.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - query: A query with keys.
  /// - Returns: A future that fails like the original source, or with an ``InspectionError``.
  @discardableResult
  public func put(_ value: InspectedValue?, in query: any Query) -> Future<InspectedValue> {
    ask(.put, query, "put", value: value).map { try $0.part(\.value) }
  }

  /// Writes a list, if the program exposes the source as writable.
  ///
  /// - Parameters:
  ///   - array: The values.
  ///   - query: A query with keys.
  /// - Returns: A future that fails like the original source, or with an ``InspectionError``.
  @discardableResult
  public func putAll(_ array: [InspectedValue], in query: any Query) -> Future<[InspectedValue]> {
    ask(.putAll, query, "putAll", values: array).map { try $0.part(\.values) }
  }

  /// Deletes entries, if the program exposes the source as writable.
  ///
  /// - Parameter query: A query with keys.
  /// - Returns: A future that fails like the original source, or with an ``InspectionError``.
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    ask(.delete, query, "delete").map { _ in }
  }

  /// Sends a request for the entries of a query.
  func ask(
    _ action: InspectionRequest.Action, _ query: any Query, _ method: String,
    value: InspectedValue? = nil, values: [InspectedValue]? = nil
  ) -> Future<InspectionAnswer> {
    guard let selected = InspectionQuery(query) else { return Future(query.notSupported(method)) }
    return client.ask(
      InspectionRequest(action, source: name, query: selected, value: value, values: values))
  }
}

extension RemoteDataSource: KeyListingDataSource {
  /// Lists keys, with as many requests as necessary.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    Future(future: { keys(try query.keySelection(for: "getKeys"), []) })
  }

  /// Counts keys.
  public func countKeys(_ query: any Query) -> Future<Int> {
    Future(future: {
      _ = try query.keySelection(for: "countKeys")
      return ask(.count, query, "countKeys").map { try $0.part(\.count) }
    })
  }

  /// Returns the keys of a selection, appended to those that have already been read.
  private func keys(_ selection: KeySelection, _ before: [String]) -> Future<[String]> {
    client.ask(
      InspectionRequest(.keys, source: name, query: InspectionQuery(selection))
    )
    .flatMap { answer in
      let page = try answer.part(\.keys)
      guard answer.isCut == true, let last = page.last else { return Future(before + page) }
      // Otherwise a faulty program could cause an endless loop.
      guard selection.isAhead(last) else {
        throw InspectionError.repeatedKeys
      }
      var rest = selection
      rest.after = last
      rest.limit = selection.limit.map { $0 - page.count }
      return keys(rest, before + page)
    }
  }
}

extension KeySelection {
  /// Whether a key is after the one that this selection starts after.
  fileprivate func isAhead(_ key: String) -> Bool {
    guard let after else { return true }
    return isDescending ? key.isOrderedBefore(after) : after.isOrderedBefore(key)
  }
}
