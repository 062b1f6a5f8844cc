import Harmony
import HarmonyRealm
import Testing

struct RealmDataSourceTests {
  private static func source() -> RealmDataSource<Owner, Owner> {
    RealmDataSource(
      realmHandler: RealmHandler(RealmFile(path: Fixture("r3").path)),
      toEntityMapper: IdentityMapper())
  }

  @Test func `An object is read by its primary key`() async throws {
    let source = Self.source()
    #expect(try await source.get(IdQuery(1)).get().name == "Owner 1")
    #expect(try await source.get(IdQuery("1")).get().id == 1)
    await #expect(throws: CoreError.NotFound.self) { try await source.get(IdQuery(99)).get() }
    await #expect(throws: CoreError.QueryNotSupported.self) {
      try await source.get(VoidQuery()).get()
    }
  }

  @Test func `Objects can be read all at once, by key, by page and by predicate`() async throws {
    let source = Self.source()
    #expect(try await source.getAll(AllObjectsQuery()).get().map(\.id) == Array(0..<10))
    #expect(try await source.getAll(IdsQuery([3, 1, 3])).get().map(\.id) == [3, 1, 3])
    #expect(try await source.getAll(PaginationOffsetLimitQuery(8, 5)).get().map(\.id) == [8, 9])
    let some = RealmPredicate.any([
      .compare("id", .less, .int(2)), .compare("name", .contains, .string("9")),
    ])
    #expect(try await source.getAll(some).get().map(\.id) == [0, 1, 9])
    await #expect(throws: CoreError.NotFound.self) { try await source.getAll(IdsQuery([77])).get() }
    await #expect(throws: CoreError.QueryNotSupported.self) {
      try await source.getAll(VoidQuery()).get()
    }
  }

  @Test func `Keys are listed and counted in alphabetical order`() async throws {
    let source = Self.source()
    #expect(try await source.getKeys(KeyPageQuery(after: "1", limit: 2)).get() == ["2", "3"])
    #expect(try await source.countKeys(AllObjectsQuery()).get() == 10)
  }

  @Test func `Nothing is written`() async throws {
    let source = Self.source()
    let owner = try await source.get(IdQuery(1)).get()
    await #expect(throws: CoreError.NotImplemented.self) {
      try await source.put(owner, in: IdQuery(1)).get()
    }
    await #expect(throws: CoreError.NotImplemented.self) {
      try await source.delete(AllObjectsQuery()).get()
    }
    await #expect(throws: CoreError.QueryNotSupported.self) {
      try await source.put(owner, in: VoidQuery()).get()
    }
  }
}
