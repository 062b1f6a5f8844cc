import Harmony
import Testing

// The declarations of the specification, unchanged, checked against this module. Only the method
// bodies were added.

// swift-format-ignore
private enum QueryPage {
  public protocol Query { }

  public protocol KeyQuery : Query {
      var key : String { get }
  }
}

// swift-format-ignore
private enum ConceptPage {
  public protocol DataSource { }

  public protocol GetDataSource : DataSource {
      associatedtype T
      func get(_ query: Query) -> Future<T>
      func getAll(_ query: Query) -> Future<[T]>
  }

  public protocol PutDataSource : DataSource {
      associatedtype T
      func put(_ value: T?, in query: Query) -> Future<T>
      func putAll(_ array: [T], in query: Query) -> Future<[T]>
  }

  public protocol DeleteDataSource : DataSource {
      func delete(_ query: Query) -> Future<Void>
      func deleteAll(_ query: Query) -> Future<Void>
  }
}

// swift-format-ignore
private enum PageOf2018 {
  public protocol DataSource {
      associatedtype T
  }

  public protocol GetDataSource : DataSource {
      func get(_ query: Query) -> Future<T>
      func getAll(_ query: Query) -> Future<[T]>
  }

  public protocol PutDataSource : DataSource {
      func put(_ value: T?, in query: Query) -> Future<T>
      func putAll(_ array: [T], in query: Query) -> Future<[T]>
  }

  public protocol DeleteDataSource : DataSource {
      func delete(_ query: Query) -> Future<Void>
      func deleteAll(_ query: Query) -> Future<Void>
  }
}

// A source of this module satisfies the specification.
extension InMemoryDataSource: ConceptPage.GetDataSource, ConceptPage.PutDataSource {}
extension InMemoryDataSource: ConceptPage.DeleteDataSource {}
extension InMemoryDataSource: PageOf2018.GetDataSource, PageOf2018.PutDataSource {}
extension InMemoryDataSource: PageOf2018.DeleteDataSource {}
extension IdQuery: QueryPage.KeyQuery {}
extension AllObjectsQuery: QueryPage.KeyQuery {}

// swift-format-ignore
extension GetDataSource {
    public func get<K>(_ id: K) -> Future<T> where K:Hashable { get(IdQuery(id)) }
    public func getAll<K>(_ id: K) -> Future<[T]> where K:Hashable { getAll(IdQuery(id)) }
}

// swift-format-ignore
extension PutDataSource {
    public func put<K>(_ value: T?, forId id: K) -> Future<T> where K:Hashable { put(value, in: IdQuery(id)) }
    public func putAll<K>(_ array: [T], forId id: K) -> Future<[T]> where K:Hashable { putAll(array, in: IdQuery(id)) }
}

// swift-format-ignore
extension DeleteDataSource {
    public func delete<K>(_ id: K) -> Future<Void> where K:Hashable { delete(IdQuery(id)) }
    public func deleteAll<K>(_ id: K) -> Future<Void> where K:Hashable { deleteAll(IdQuery(id)) }
}

class DeclarationTests {
  /// Reads with the protocols of the specification instead of the module's.
  private func first<S: ConceptPage.GetDataSource>(of source: S) -> Future<S.T> {
    source.getAll(AllObjectsQuery()).map { values in
      guard let value = values.first else { throw CoreError.NotFound() }
      return value
    }
  }

  /// Moves a value between identifiers that are only `Hashable`.
  private func move<K: Hashable, S: GetDataSource & PutDataSource & DeleteDataSource>(
    _ id: K, to other: K, in source: S
  ) -> Future<Void> {
    source.get(id).flatMap { source.put($0, forId: other) }.flatMap { _ in source.delete(id) }
  }

  @Test func `The module's sources fit the declarations`() async throws {
    let source = InMemoryDataSource<Int>()
    try await source.put(1, forId: "a").get()
    try await move("a", to: "b", in: source).get()
    #expect(source.keys == ["b"])
    #expect(try await first(of: source).get() == 1)
  }
}
