import Harmony
import HarmonyTesting
import Testing

@Suite struct EraserTests {
  @Test func `Erased sources forward every method`() async throws {
    let spy = DataSourceSpy(InMemoryDataSource<Int>())
    let get: AnyGetDataSource<Int> = spy.asAnyGetDataSource()
    let put: AnyPutDataSource<Int> = spy.asAnyPutDataSource()
    let delete: AnyDeleteDataSource<Int> = spy.asAnyDeleteDataSource()
    try await put.put(1, forId: "a").get()
    try await put.putAll([2], forId: "b").get()
    #expect(try await get.get("a").get() == 1)
    #expect(try await get.getAll("b").get() == [2])
    try await delete.delete("a").get()
    #expect(spy.calls.map(\.description) == ["put a", "putAll b", "get a", "getAll b", "delete a"])
  }

  @Test func `An erased source is not wrapped again`() {
    let any = InMemoryDataSource<Int>().asAnyDataSource()
    #expect(any.asAnyDataSource() === any)
    let get = any.asAnyGetDataSource()
    #expect(get.asAnyGetDataSource() === get)
    let put = any.asAnyPutDataSource()
    #expect(put.asAnyPutDataSource() === put)
  }

  @Test func `Sources can be declared by their value type`() async throws {
    let source: any GetDataSource<Int> = InMemoryDataSource<Int>()
    await #expect(throws: CoreError.NotFound.self) { try await source.get("a").get() }
  }

  @Test func `An assembler with missing parts reports that they are not implemented`()
    async throws
  {
    let memory = InMemoryDataSource<Int>()
    try await memory.put(1, forId: "a").get()
    let reading = DataSourceAssembler(get: memory)
    #expect(try await reading.get("a").get() == 1)
    await #expect(throws: CoreError.NotImplemented.self) {
      try await reading.put(1, forId: "a").get()
    }
    let writing = DataSourceAssembler(put: memory, delete: memory)
    try await writing.put(2, forId: "b").get()
    try await writing.delete("a").get()
    #expect(memory.keys == ["b"])
    await #expect(throws: CoreError.NotImplemented.self) { try await writing.get("b").get() }
    let both = DataSourceAssembler(get: memory, put: memory)
    await #expect(throws: CoreError.NotImplemented.self) { try await both.delete("b").get() }
    let neither = DataSourceAssembler(get: memory, delete: memory)
    await #expect(throws: CoreError.NotImplemented.self) {
      try await neither.putAll([1], forId: "b").get()
    }
  }

  @Test func `An assembler infers its type from a single part`() async throws {
    let memory = InMemoryDataSource<Int>()
    let writing = DataSourceAssembler(put: memory)
    try await writing.put(1, forId: "a").get()
    await #expect(throws: CoreError.NotImplemented.self) { try await writing.get("a").get() }
    await #expect(throws: CoreError.NotImplemented.self) { try await writing.delete("a").get() }
    let removing = DataSourceAssembler(delete: memory)
    await #expect(throws: CoreError.NotImplemented.self) {
      try await removing.put(1, forId: "a").get()
    }
    try await removing.delete("a").get()
    #expect(memory.keys == [])
    let typed = DataSourceAssembler<
      VoidGetDataSource<String>, VoidPutDataSource<String>, VoidDeleteDataSource, String
    >(delete: VoidDeleteDataSource())
    await #expect(throws: CoreError.NotImplemented.self) { try await typed.get("a").get() }
    let eraser: AnyDeleteDataSource<Int> = memory.asAnyDeleteDataSource()
    let erased = DataSourceAssembler(delete: eraser)
    try await erased.delete("a").get()
    let same = DataSourceAssembler<
      VoidGetDataSource<Int>, VoidPutDataSource<Int>, InMemoryDataSource<Int>, Int
    >(delete: memory)
    try await same.delete("a").get()
  }
}
