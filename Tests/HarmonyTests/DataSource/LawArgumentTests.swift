import Harmony
import HarmonyTesting
import Testing

/// Invalid arguments for the law checks.
@Suite struct LawArgumentTests {
  private func memory(_ samples: [Int] = [1, 2, 3]) -> DataSourceFixture<Int> {
    DataSourceFixture("memory", samples: samples) { AnyDataSource(InMemoryDataSource<Int>()) }
  }

  @Test func `Negative numbers are reported`() async {
    #expect(
      await DataSourceLaws.check(memory(), sequences: -1)
        == ["memory: the number of sequences is negative"])
    #expect(
      await DataSourceLaws.check(memory(), length: -1, writers: -1)
        == ["memory: the length is negative", "memory: the number of writers is negative"])
    #expect(
      await DataSourceLaws.check(memory(), sequences: 0, length: 0, writers: 0) == [])
  }

  @Test func `A stress test without calls is not a success`() async {
    #expect(
      await DataSourceLaws.stress(memory(), tasks: 0) == ["memory: at least one task has to call"])
    #expect(
      await DataSourceLaws.stress(memory(), operations: 0)
        == ["memory: at least one call has to be made"])
    #expect(
      await DataSourceLaws.stress(memory(), tasks: -1, operations: -1) == [
        "memory: at least one task has to call", "memory: at least one call has to be made",
      ])
  }

  @Test(arguments: [1, 7, 20])
  func `A stress test makes the requested number of calls`(operations: Int) async {
    let spy = DataSourceSpy(InMemoryDataSource<Int>())
    let fixture = DataSourceFixture("spy", samples: [1, 2, 3], listsKeys: false) {
      AnyDataSource(spy)
    }
    #expect(await DataSourceLaws.stress(fixture, seed: 1, tasks: 8, operations: operations) == [])
    #expect(spy.calls.count >= operations)
  }

  @Test(arguments: [[1, 1, 1], [1, 2, 1, 2], [1, 2]])
  func `Samples that are not distinct are reported`(samples: [Int]) async {
    let sentence = "memory: needs three samples that differ"
    #expect(await DataSourceLaws.check(memory(samples), sequences: 1) == [sentence])
    #expect(await DataSourceLaws.stress(memory(samples), operations: 8) == [sentence])
    #expect(await DataSourceLaws.check(memory(samples + [8, 9]), sequences: 1) == [])
  }
}
