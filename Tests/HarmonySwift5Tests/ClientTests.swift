import Foundation
import Harmony
import Testing

// A client as written for upstream: classes without `Sendable`, existentials without `any`.

class Item {
  let id: Int
  var name: String

  init(id: Int, name: String) {
    self.id = id
    self.name = name
  }
}

class ItemToName: Mapper<Item, String> {
  override func map(_ from: Item) throws -> String { from.name }
}

class NameToItem: Mapper<String, Item> {
  override func map(_ from: String) throws -> Item { Item(id: 0, name: from) }
}

class LongNames: ObjectValidation {
  func isObjectValid<T>(_ object: T) -> Bool { (object as? Item).map { $0.name.count > 2 } ?? true }
}

class Repository<D: GetDataSource & PutDataSource & DeleteDataSource> where D.T == Item {
  let source: D
  var loaded = 0

  init(source: D) { self.source = source }

  func load(_ id: Int) -> Future<Item> {
    source.get(id).then { _ in self.loaded += 1 }
  }

  func rename(_ id: Int, to name: String) -> Future<Item> {
    source.get(IdQuery(id)).flatMap { item in
      item.name = name
      return self.source.put(item, in: IdQuery(item.id))
    }
  }
}

final class ItemsDataSource: GetDataSource, PutDataSource, DeleteDataSource {
  typealias T = Item
  let memory = InMemoryDataSource<Item>()

  func get(_ query: Query) -> Future<Item> {
    switch query {
    case let query as KeyQuery: return memory.get(query)
    default: query.fatalError(.get, self)
    }
  }

  func getAll(_ query: Query) -> Future<[Item]> { memory.getAll(query) }

  @discardableResult
  func put(_ value: Item?, in query: Query) -> Future<Item> { memory.put(value, in: query) }

  @discardableResult
  func putAll(_ array: [Item], in query: Query) -> Future<[Item]> {
    memory.putAll(array, in: query)
  }

  @discardableResult
  func delete(_ query: Query) -> Future<Void> { memory.delete(query) }

  @discardableResult
  func deleteAll(_ query: Query) -> Future<Void> { memory.delete(query) }
}

class ClientTests {
  @Test func `A client's source, stack and repository`() async throws {
    let stack = TimedCacheDataSource<Item, RetryDataSource<ItemsDataSource, Item>>(
      RetryDataSource(ItemsDataSource(), retryCount: 2, retryIf: { !($0 is CoreError.NotFound) }),
      expiryInterval: 60)
    let repository = Repository(source: stack)
    stack.put(Item(id: 1, name: "one"), forId: 1)
    let renamed = try await repository.rename(1, to: "first").get()
    #expect(renamed.name == "first")
    #expect(try await repository.load(1).get().name == "first")
    #expect(repository.loaded == 1)
  }

  @Test func `Decorators with upstream's generic parameters and labels`() async throws {
    let memory = InMemoryDataSource<String>()
    let mapper = DataSourceMapper<InMemoryDataSource<String>, String, Item>(
      dataSource: memory, toInMapper: ItemToName(), toOutMapper: NameToItem())
    let validator = DataSourceValidator<
      DataSourceMapper<InMemoryDataSource<String>, String, Item>, Item
    >(
      dataSource: mapper, validator: LongNames())
    mapper.put(Item(id: 1, name: "a"), forId: "a")
    let caught = validator.get("a").recover(if: CoreError.NotValid.self) { _ in
      Future(Item(id: 2, name: "other"))
    }
    #expect(try await caught.get().name == "other")
    let get = GetDataSourceMapper(dataSource: memory, toOutMapper: NameToItem())
    let put = PutDataSourceMapper(
      dataSource: memory, toInMapper: ItemToName(), toOutMapper: NameToItem())
    let assembler = DataSourceAssembler(get: get, put: put, delete: memory)
    let any = AnyDataSource(assembler)
    any.delete("a")
    await #expect(throws: CoreError.NotFound.self) { try await any.get("a").get() }
    let parts: (AnyGetDataSource<Item>, AnyPutDataSource<Item>) =
      (any.asAnyGetDataSource(), any.asAnyPutDataSource())
    parts.1.putAll([Item(id: 1, name: "b")], forId: "b")
    #expect(try await parts.0.getAll("b").get().count == 1)
    let debug = DebugDataSource(
      memory, delay: .sync(0), error: .error(CoreError.Failed(), probability: 0))
    #expect(try await debug.getAll(AllObjectsQuery()).get() == ["b"])
    _ = (VoidGetDataSource<Int>(), VoidPutDataSource<Int>(), VoidDeleteDataSource())
    let readable: DataSourceAssembler = DataSourceAssembler(get: memory)
    await #expect(throws: CoreError.NotImplemented.self) { try await readable.delete("b").get() }
  }

  @Test func `Default arguments may be left out`() {
    _ = TimedCacheDataSource(InMemoryDataSource<Int>())
    _ = RetryDataSource(InMemoryDataSource<Int>())
    _ = RetryDataSource(InMemoryDataSource<Int>(), retryCount: 3)
    _ = CoreError.NotFound()
    _ = CoreError.NotFound("There is no user")
    _ = ClassError(code: 3, description: "Own")
    _ = EncodableToDataMapper<[Int]>()
    _ = DispatchQueueExecutor()
    InMemoryDataSource<Int>().put(in: IdQuery("a"))
  }

  @Test func `Defaults with upstream's arguments`() async throws {
    let defaults = try #require(UserDefaults(suiteName: "harmony-test-\(UUID().uuidString)"))
    let sources = [
      DeviceStorageDataSource<Int>(defaults),
      DeviceStorageDataSource<Int>(defaults, prefix: "a"),
      DeviceStorageDataSource<Int>(defaults, storageType: .regular),
      DeviceStorageDataSource<Int>(defaults, storageType: .prefix("b")),
      DeviceStorageDataSource<Int>(defaults, storageType: .rootKey("c")),
    ]
    for source in sources {
      source.put(1, forId: "k")
      #expect(try await source.get("k").get() == 1)
      try await source.delete("k").get()
    }
  }

  @available(*, deprecated)
  @Test func `The older delete is still there`() async throws {
    let source = InMemoryDataSource<Int>()
    source.put(1, forId: "a")
    source.deleteAll("a")
    source.deleteAll(AllObjectsQuery())
    #expect(source.keys == [])
  }
}
