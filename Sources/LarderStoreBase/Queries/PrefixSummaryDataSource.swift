import Harmony
package import LarderModel

/// A data source that answers ``PrefixSummaryQuery`` with pages of another source, and forwards all
/// other queries.
final class PrefixSummaryDataSource: GetDataSource, PutDataSource, DeleteDataSource {
  private let source: AnyDataSource<Entry>

  init(_ source: AnyDataSource<Entry>) {
    self.source = source
  }

  func get(_ query: any Query) -> Future<Entry> {
    source.get(query)
  }

  func getAll(_ query: any Query) -> Future<[Entry]> {
    guard let query = query as? PrefixSummaryQuery else { return source.getAll(query) }
    guard query.page.filter == nil else { return query.unsupported() }
    let source = source
    return Future { try await PrefixWalk(source, query).rows() }
  }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    source.put(value, in: query)
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    source.putAll(array, in: query)
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    source.delete(query)
  }
}

extension Store {
  /// Returns the same store with support for key trees, if its keys have prefixes.
  package func summarisingPrefixes() -> Store {
    guard capabilities.contains(.prefixes) else { return self }
    return through(AnyDataSource(PrefixSummaryDataSource(source)))
  }
}
