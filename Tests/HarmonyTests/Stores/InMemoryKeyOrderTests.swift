import Harmony
import Testing

/// Keys of an in-memory source that are sorted during concurrent writes.
struct InMemoryKeyOrderTests {
  @Test func `Keys that are added or removed during sorting are in the next list`() async throws {
    let source = InMemoryDataSource<Int>()
    let wanted = await withTaskGroup(of: Set<String>.self) { group in
      for writer in 0..<4 {
        group.addTask { Self.write(writer, to: source) }
      }
      group.addTask {
        for _ in 0..<300 {
          let keys = source.keys
          #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
        }
        return []
      }
      return await group.reduce(into: Set<String>()) { $0.formUnion($1) }
    }
    #expect(source.keys == wanted.sorted())
    #expect(try await source.countKeys(AllObjectsQuery()).get() == wanted.count)
  }

  /// Inserts and deletes keys that only this writer uses.
  private static func write(_ writer: Int, to source: InMemoryDataSource<Int>) -> Set<String> {
    var wanted: Set<String> = []
    for number in 0..<2_000 {
      let key = "key \(writer) \(number * 7_919 % 2_000)"
      _ = source.put(number, in: IdQuery(key))
      wanted.insert(key)
      if number.isMultiple(of: 3) {
        _ = source.delete(IdQuery(key))
        wanted.remove(key)
      }
      if writer == 0, number.isMultiple(of: 500) {
        _ = source.delete(KeyPrefixQuery("key 0 "))
        wanted = []
      }
    }
    return wanted
  }

  @Test func `Entries deleted with everything never reappear`() async throws {
    let source = InMemoryDataSource<Int>()
    for number in 0..<20_000 { _ = source.put(number, in: IdQuery("old \(number)")) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { _ = source.keys }
      group.addTask {
        _ = source.delete(AllObjectsQuery())
        _ = source.put(1, in: IdQuery("new"))
        _ = source.keys
      }
    }
    #expect(source.keys == ["new"])
    #expect(try await source.countKeys(AllObjectsQuery()).get() == 1)
  }
}
