import Harmony
import Testing

@Suite struct KeyRangeTests {
  @Test(arguments: ["", "a", "a.", "é", "\u{D7FF}", "\u{10FFFF}", "a\u{10FFFF}", "🏳️‍🌈"])
  func `A prefix contains exactly the keys that start with it`(prefix: String) {
    let range = KeyRange(prefix: prefix)
    for end in ["", "\u{0}", "z", "\u{10FFFF}", "\u{301}"] {
      #expect(range.contains(prefix + end))
    }
    for key in ["", "a", "a.", "b", "e", "ab", "\u{D7FE}", "\u{E000}", "\u{10FFFF}", "🏴"] {
      #expect(range.contains(key) == key.utf8.starts(with: prefix.utf8), "\(key)")
    }
  }

  @Test func `A range includes its lower bound and excludes its upper bound`() {
    let range = KeyRange(from: "b", upTo: "d")
    #expect(["a", "b", "c", "cz", "d"].map(range.contains) == [false, true, true, true, false])
    #expect(KeyRange.all.contains(""))
  }

  @Test func `Keys and their count are available as separate sources`() async throws {
    let source = InMemoryDataSource<Int>()
    source.put(1, forId: "a.x")
    source.put(2, forId: "b")
    let keys = source.asKeysDataSource()
    #expect(try await keys.getAll(KeyPrefixQuery("a.")).get() == ["a.x"])
    #expect(try await keys.get(KeyPageQuery(limit: 1, isDescending: true)).get() == "b")
    await #expect(throws: CoreError.NotFound.self) {
      try await keys.get(KeyPrefixQuery("c")).get()
    }
    let count = source.asKeyCountDataSource()
    #expect(try await count.get(AllObjectsQuery()).get() == 2)
    #expect(try await count.getAll(KeyPrefixQuery("b")).get() == [1])
  }

  @Test func `A source that cannot list keys reports so through its eraser`() async {
    let source = AnyDataSource(VoidDataSource<Int>())
    await #expect(throws: CoreError.QueryNotSupported.self) {
      try await source.getKeys(AllObjectsQuery()).get()
    }
    await #expect(throws: CoreError.QueryNotSupported.self) {
      try await AnyGetDataSource(source).countKeys(IdQuery("a")).get()
    }
  }
}
