import Foundation
import Harmony
import Testing

@Suite struct DeviceStorageDataSourceTests {
  private let suite = StorePlaces.suite()
  private var defaults: UserDefaults { StorePlaces.defaults(suite) }

  @Test func `The example in the specification works`() async throws {
    let doubles = DeviceStorageDataSource<Double>(defaults, prefix: "Double")
    let integers = DeviceStorageDataSource<Int>(defaults, prefix: "Int")
    try await doubles.put(3.14159265359, forId: "pi").get()
    try await integers.put(3, forId: "pi").get()
    #expect(defaults.double(forKey: "Double.pi") == 3.14159265359)
    #expect(defaults.integer(forKey: "Int.pi") == 3)
    #expect(
      Set(defaults.persistentDomain(forName: suite)?.keys ?? [:].keys) == ["Double.pi", "Int.pi"])
    let texts = DeviceStorageDataSource<String>(defaults, prefix: "Double")
    #expect(try await texts.get("pi").get() == "3.14159265359")
  }

  @Test func `The standard defaults are used by default`() async throws {
    StorePlaces.removeStandardLater()
    let source = DeviceStorageDataSource<Int>(prefix: suite)
    try await source.put(1, forId: "a").get()
    UserDefaults.standard.set(2, forKey: suite + ".b")
    #expect(UserDefaults.standard.integer(forKey: suite + ".a") == 1)
    #expect(try await source.getAll(AllObjectsQuery()).get() == [1, 2])
    try await source.delete(AllObjectsQuery()).get()
    #expect(UserDefaults.standard.object(forKey: suite + ".b") == nil)
  }

  // MARK: Upstream's faults

  @Test func `A missing number is not zero`() async {
    let missing = CoreError.NotFound.self
    await #expect(throws: missing) { try await source(Int.self).get("a").get() }
    await #expect(throws: missing) { try await source(Double.self).get("a").get() }
    await #expect(throws: missing) { try await source(Float.self).get("a").get() }
    await #expect(throws: missing) { try await source(Bool.self).get("a").get() }
    await #expect(throws: missing) { try await source(Int.self).getAll(IdsQuery(["a"])).get() }
  }

  @Test func `A string that is not a number is not zero`() async throws {
    try await source(String.self).put("abc", forId: "a").get()
    await #expect(throws: CoreError.NotFound.self) { try await source(Int.self).get("a").get() }
    try await source(String.self).put("42", forId: "a").get()
    #expect(try await source(Int.self).get("a").get() == 42)
  }

  @Test func `A list is not a number, and a fraction is not an integer`() async throws {
    try await source(Int.self).putAll([1, 2], forId: "l").get()
    await #expect(throws: CoreError.NotFound.self) { try await source(Int.self).get("l").get() }
    try await source(Double.self).put(3.5, forId: "d").get()
    await #expect(throws: CoreError.NotFound.self) { try await source(Int.self).get("d").get() }
    try await source(Double.self).put(3, forId: "d").get()
    #expect(try await source(Int.self).get("d").get() == 3)
  }

  @Test func `A prefix includes its dot`() async throws {
    let short = DeviceStorageDataSource<Int>(defaults, prefix: "a")
    let long = DeviceStorageDataSource<Int>(defaults, prefix: "ab")
    try await short.put(1, forId: "z").get()
    try await long.put(2, forId: "z").get()
    #expect(try await short.getAll(AllObjectsQuery()).get() == [1])
    try await short.delete(AllObjectsQuery()).get()
    #expect(try await long.get("z").get() == 2)
    #expect(defaults.object(forKey: "a.z") == nil)
  }

  @Test func `A root key finds and deletes everything stored through it`() async throws {
    let type = DeviceStorageType.rootKey("root")
    let source = DeviceStorageDataSource<Int>(defaults, storageType: type)
    try await source.put(1, forId: "a").get()
    try await source.putAll([2, 3], forId: "b").get()
    #expect(try await source.getAll(AllObjectsQuery()).get() == [1, 2, 3])
    #expect(defaults.dictionary(forKey: "root<Int>")?["a"] as? Int == 1)
    let others = DeviceStorageDataSource<String>(defaults, storageType: type)
    try await others.put("x", forId: "a").get()
    try await source.delete(AllObjectsQuery()).get()
    #expect(try await source.getAll(AllObjectsQuery()).get() == [])
    #expect(defaults.dictionary(forKey: "root<Int>") == nil)
    #expect(try await others.get("a").get() == "x")
  }

  @Test func `Clearing a prefix clears values of every type`() async throws {
    try await DeviceStorageDataSource<Data>(defaults, prefix: "p").put(Data([1]), forId: "d").get()
    try await DeviceStorageDataSource<Int>(defaults, prefix: "p").delete(AllObjectsQuery()).get()
    #expect(defaults.object(forKey: "p.d") == nil)
  }

  @Test func `A type that defaults cannot hold is refused and never traps`() async {
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await source(UUID.self).put(UUID(), forId: "a").get()
    }
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await source([UUID].self).put([UUID()], forId: "a").get()
    }
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await source(Int?.self).put(.some(nil), forId: "a").get()
    }
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await source([String: any Sendable].self).put(["a": UUID()], forId: "a").get()
    }
  }

  @Test(arguments: ["../evil", "a/b", "", "..", "nul\0"])
  func `A suite name must not be a path`(name: String) async throws {
    let source = DeviceStorageDataSource<Int>(try #require(UserDefaults(suiteName: name)))
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await source.put(1, forId: "a").get()
    }
    await #expect(throws: CoreError.IllegalArgument.self) { try await source.get("a").get() }
  }

  // MARK: What is shared with other users of the defaults

  @Test func `Changes made through UserDefaults are read`() async throws {
    let source = source(Int.self)
    defaults.set(1, forKey: "a")
    #expect(try await source.get("a").get() == 1)
    try await source.put(2, forId: "a").get()
    #expect(defaults.integer(forKey: "a") == 2)
    defaults.set(3, forKey: "a")
    #expect(try await source.get("a").get() == 3)
    #expect(try await source.getAll(AllObjectsQuery()).get() == [3])
    defaults.synchronize()
    #expect(try await source.get("a").get() == 3)
    try await source.put(4, forId: "a").get()
    defaults.removeObject(forKey: "a")
    await #expect(throws: CoreError.NotFound.self) { try await source.get("a").get() }
    #expect(try await source.getKeys(AllObjectsQuery()).get() == [])
    defaults.set(5, forKey: "a")
    #expect(try await source.get("a").get() == 5)
    try await source.delete("a").get()
    #expect(defaults.object(forKey: "a") == nil)
  }

  @Test func `Changes to the dictionary of a root key through UserDefaults are read`()
    async throws
  {
    let source = DeviceStorageDataSource<Int>(defaults, storageType: .rootKey("r"))
    for index in 0..<100 { try await source.put(index, forId: index).get() }
    defaults.set(["x": 1], forKey: "r<Int>")
    defaults.synchronize()
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["x"])
    #expect(try await source.get("x").get() == 1)
  }

  @Test func `Registered defaults are read like values`() async throws {
    defaults.register(defaults: [suite: 7])
    #expect(try await source(Int.self).get(suite).get() == 7)
    #expect(try await source(Int.self).getKeys(AllObjectsQuery()).get() == [])
  }

  private func source<T>(_ type: T.Type) -> DeviceStorageDataSource<T> {
    DeviceStorageDataSource<T>(defaults)
  }

  @Test func `In regular storage a source only lists values of its type`() async throws {
    let defaults = StorePlaces.defaults()
    let texts = DeviceStorageDataSource<String>(defaults)
    try await texts.put("1", forId: "text").get()
    try await texts.putAll(["2"], forId: "texts").get()
    try await DeviceStorageDataSource<Int>(defaults).put(3, forId: "number").get()
    try await DeviceStorageDataSource<Bool>(defaults).put(true, forId: "truth").get()
    #expect(try await texts.get("number").get() == "3")
    #expect(try await texts.getKeys(AllObjectsQuery()).get() == ["text", "texts"])
    #expect(try await texts.getAll(AllObjectsQuery()).get() == ["1", "2"])
    try await texts.delete(AllObjectsQuery()).get()
    #expect(try await texts.getKeys(AllObjectsQuery()).get() == [])
    #expect(try await texts.get("number").get() == "3")
    #expect(try await DeviceStorageDataSource<Bool>(defaults).get("truth").get())
  }
}
