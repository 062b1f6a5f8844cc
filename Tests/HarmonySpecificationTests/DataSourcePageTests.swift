import Foundation
import Harmony
import Testing

// The examples of the pages "DataSource" and "Concept", unchanged, after the declarations they
// need.

private typealias MyCustomGetDataSource = InMemoryDataSource<String>

/// A custom type that conforms to the protocols as written on the pages.
///
/// Its values must be `Sendable`, which their use implies.
private final class Shelf: GetDataSource, PutDataSource, DeleteDataSource {
  typealias T = String

  private let memory = InMemoryDataSource<String>()

  // swift-format-ignore
  func get(_ query: Query) -> Future<T> { memory.get(query) }
  func getAll(_ query: Query) -> Future<[T]> { memory.getAll(query) }
  func put(_ value: T?, in query: Query) -> Future<T> { memory.put(value, in: query) }
  func putAll(_ array: [T], in query: Query) -> Future<[T]> { memory.putAll(array, in: query) }
  func delete(_ query: Query) -> Future<Void> { memory.delete(query) }
  func deleteAll(_ query: Query) -> Future<Void> { memory.delete(query) }
}

@Suite struct DataSourcePageTests {
  // swift-format-ignore
  @Test func `The usage of a source`() async {
    let statements = Example.run {
      // Swift
      let dataSource = MyCustomGetDataSource()
      dataSource.get(IdQuery("myKey")).then { value in
          print("Success: \(value)")
      }.fail { error in
          print("Failure: \(error)")
      }
    }
    let future = statements.first as? Future<String>
    await #expect(throws: CoreError.NotFound.self) { try await future?.get() }
  }

  // swift-format-ignore
  @Test func `Queries by identifier, in long and in short`() async throws {
    let dataSource = Shelf()
    let myObject = "object"
    let long = Example.run {
      dataSource.get(IdQuery("myKey"))
      dataSource.put(myObject, in:IdQuery("myKey"))
      dataSource.delete(IdQuery("myKey"))
    }
    let short = Example.run {
      dataSource.get("myKey")
      dataSource.put(myObject, forId:"myKey")
      dataSource.delete("myKey")
    }
    for statements in [long, short] {
      let get = statements[0] as? Future<String>
      let put = statements[1] as? Future<String>
      let delete = statements[2] as? Future<Void>
      await #expect(throws: CoreError.NotFound.self) { try await get?.get() }
      #expect(try await put?.get() == "object")
      try await delete?.get()
    }
    #expect(try await dataSource.getAll(AllObjectsQuery()).get() == [])
  }

  @Test func `Sources that the pages list can be named by what they hold`() async throws {
    let sources: [AnyDataSource<Int>] = [
      AnyDataSource(VoidDataSource<Int>()),
      AnyDataSource(InMemoryDataSource<Int>()),
      AnyDataSource(
        DataSourceMapper(
          dataSource: InMemoryDataSource<String>(),
          toInMapper: ClosureMapper<Int, String>(String.init),
          toOutMapper: ClosureMapper<String, Int> { Int($0) ?? 0 })),
      AnyDataSource(
        DataSourceValidator(
          dataSource: InMemoryDataSource<Int>(), validator: DefaultObjectValidation())),
      AnyDataSource(TimedCacheDataSource(InMemoryDataSource<Int>())),
      AnyDataSource(DataSourceAssembler(InMemoryDataSource<Int>())),
      AnyDataSource(RetryDataSource(InMemoryDataSource<Int>())),
    ]
    for source in sources.dropFirst() {
      try await source.put(1, forId: "a").get()
      #expect(try await AnyGetDataSource<Int>(source).get("a").get() == 1)
      try await AnyPutDataSource<Int>(source).put(2, forId: "a").get()
      try await AnyDeleteDataSource<Int>(source).delete("a").get()
      await #expect(throws: CoreError.NotFound.self) { try await source.get("a").get() }
    }
    await #expect(throws: CoreError.NotImplemented.self) { try await sources[0].get("a").get() }
  }

  @Test func `Each method has the signature that the pages write`() {
    func signatures<G: GetDataSource, P: PutDataSource, D: DeleteDataSource>(
      _ get: G, _ put: P, _ delete: D
    ) {
      let _: (Query) -> Future<G.T> = get.get(_:)
      let _: (Query) -> Future<[G.T]> = get.getAll(_:)
      let _: (P.T?, Query) -> Future<P.T> = put.put(_:in:)
      let _: ([P.T], Query) -> Future<[P.T]> = put.putAll(_:in:)
      let _: (Query) -> Future<Void> = delete.delete(_:)
      let _: (Int) -> Future<G.T> = get.get(_:)
      let _: (Int) -> Future<[G.T]> = get.getAll(_:)
      let _: (P.T?, Int) -> Future<P.T> = put.put(_:forId:)
      let _: ([P.T], Int) -> Future<[P.T]> = put.putAll(_:forId:)
      let _: (Int) -> Future<Void> = delete.delete(_:)
    }
    let memory = InMemoryDataSource<Int>()
    signatures(memory, memory, memory)
  }
}
