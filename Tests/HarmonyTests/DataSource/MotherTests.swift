import Foundation
import Harmony
import HarmonyTesting
import Testing

@Suite struct MotherTests {
  /// Checks that the objects of a mother are distinct and reproducible.
  private func expectGood<T: Hashable>(_ mother: ObjectMother<T>) {
    let objects = mother.several(20)
    #expect(Set(objects).count == 20)
    #expect(objects == (0..<20).map { mother.one($0) })
    #expect(mother.several(-1).isEmpty)
  }

  @Test func `Objects with different numbers are different`() {
    expectGood(.numbers)
    expectGood(.fractions)
    expectGood(.texts)
    expectGood(.data)
    expectGood(.dates)
    expectGood(.identifiers)
    expectGood(ObjectMother<Int>.numbers.map { "\($0)" })
  }

  @Test func `A source contains the objects of its mother`() async throws {
    let mother = ObjectMother { "object \($0)" }
    let source = mother.source(5)
    #expect(try await source.get(3).get() == mother.one(3))
    #expect(source.keys == ["0", "1", "2", "3", "4"])
  }

  @Test func `Sources of all object types obey the laws`() async {
    func violations<T: Sendable & Equatable>(_ mother: ObjectMother<T>) async -> [String] {
      await DataSourceLaws.check(
        mother.fixture("\(T.self)") { AnyDataSource(InMemoryDataSource<T>()) },
        sequences: 2, writers: 10)
    }
    #expect(await violations(.texts) == [])
    #expect(await violations(.data) == [])
    #expect(await violations(.dates) == [])
  }

  @Test func `Queries are answered or refused, and never trap`() async {
    let source = ObjectMother<Int>.numbers.source()
    for query in QueryMother.all {
      let futures = [source.get(query).map { [$0] }, source.getAll(query)]
      for future in futures {
        do {
          _ = try await future.get()
        } catch {
          #expect(error is CoreError.NotFound || error is CoreError.QueryNotSupported)
        }
      }
    }
    await #expect(throws: CoreError.QueryNotSupported.self) {
      try await source.get(QueryMother.unknown).get()
    }
    #expect(Set(QueryMother.keyed().map(\.key)).count == 3)
  }

  @Test func `Errors have distinct codes`() {
    #expect(ErrorMother.core.map(\.code) == Array(0..<8))
    #expect(ErrorMother.all.count == 10)
  }
}
