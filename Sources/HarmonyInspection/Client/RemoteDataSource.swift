public import Harmony

/// A live source of another process, as a source of this one.
///
/// It answers the queries of keys that the source itself answers: each call is one request, and
/// the other process's errors come back as what they were there.
public struct RemoteDataSource: GetDataSource, PutDataSource, DeleteDataSource {
  /// The name that the source is shown under.
  public let name: String

  let client: InspectionClient

  init(_ client: InspectionClient, _ name: String) {
    self.client = client
    self.name = name
  }

  /// Reads a value.
  ///
  /// - Parameter query: A query of keys.
  /// - Returns: A future that fails as the source itself does, or with an ``InspectionError``.
  public func get(_ query: any Query) -> Future<InspectedValue> {
    ask(.get, query, "get").map { try $0.part(\.value) }
  }

  /// Reads a list, which has to fit into one message.
  ///
  /// - Parameter query: A query of keys.
  /// - Returns: A future that fails as the source itself does, or with an ``InspectionError``.
  public func getAll(_ query: any Query) -> Future<[InspectedValue]> {
    ask(.getAll, query, "getAll").map { try $0.part(\.values) }
  }

  /// Writes a value, where the program lets those who look write.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - query: A query of keys.
  /// - Returns: A future that fails as the source itself does, or with an ``InspectionError``.
  @discardableResult
  public func put(_ value: InspectedValue?, in query: any Query) -> Future<InspectedValue> {
    ask(.put, query, "put", value: value).map { try $0.part(\.value) }
  }

  /// Writes a list, where the program lets those who look write.
  ///
  /// - Parameters:
  ///   - array: The values.
  ///   - query: A query of keys.
  /// - Returns: A future that fails as the source itself does, or with an ``InspectionError``.
  @discardableResult
  public func putAll(_ array: [InspectedValue], in query: any Query) -> Future<[InspectedValue]> {
    ask(.putAll, query, "putAll", values: array).map { try $0.part(\.values) }
  }

  /// Deletes, where the program lets those who look write.
  ///
  /// - Parameter query: A query of keys.
  /// - Returns: A future that fails as the source itself does, or with an ``InspectionError``.
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    ask(.delete, query, "delete").map { _ in }
  }

  /// Asks for something about what a query selects.
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
  /// Lists keys, with as many requests as it takes.
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

  /// The keys of a selection, after those that have been read.
  private func keys(_ selection: KeySelection, _ before: [String]) -> Future<[String]> {
    client.ask(
      InspectionRequest(.keys, source: name, query: InspectionQuery(selection))
    )
    .flatMap { answer in
      let page = try answer.part(\.keys)
      guard answer.isCut == true, let last = page.last else { return Future(before + page) }
      // Or there would be no end to it.
      guard selection.isAhead(last) else {
        throw InspectionError.malformed("keys came that had come before")
      }
      var rest = selection
      rest.after = last
      rest.limit = selection.limit.map { $0 - page.count }
      return keys(rest, before + page)
    }
  }
}

extension KeySelection {
  /// Whether a key lies behind the one that this selection goes on after.
  fileprivate func isAhead(_ key: String) -> Bool {
    guard let after else { return true }
    return isDescending ? key.isOrderedBefore(after) : after.isOrderedBefore(key)
  }
}
