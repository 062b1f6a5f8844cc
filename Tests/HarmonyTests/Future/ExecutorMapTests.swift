import Harmony
import Testing

@Suite struct ExecutorMapTests {
  private static let executors: [any Executor] = [
    DirectExecutor(), DispatchQueueExecutor(.serial), DispatchQueueExecutor(.concurrent),
    OperationQueueExecutor(.concurrent(count: 3)),
  ]

  @Test(arguments: executors.indices)
  func `Collections are transformed on an executor, in order`(index: Int) {
    let executor = Self.executors[index]
    // No `try` is needed because the closures do not throw.
    #expect([3, 1, 2].map(executor) { $0 * 2 } == [6, 2, 4])
    #expect([Int]().map(executor) { $0 * 2 } == [])
    #expect(Set([1, 2, 3]).map(executor) { $0 / 2 }.sorted() == [0, 1, 1])
    #expect(["a": 1].mapKeys(executor) { $0 + "!" } == ["a!": 1])
    #expect(["a": 1, "b": 2].mapValues(executor) { $0 + 1 } == ["a": 2, "b": 3])
    #expect(["a": 1].map(executor) { "\($0.key)\($0.value)" } == ["a": "a1"])
  }

  @Test(arguments: executors.indices)
  func `The first error of a transformation is thrown`(index: Int) {
    let executor = Self.executors[index]
    #expect(throws: CoreError.NotValid.self) {
      try [1, 2, 3].map(executor) { number in
        if number == 2 { throw CoreError.NotValid() }
        if number == 3 { throw CoreError.Failed() }
        return number
      }
    }
    #expect(throws: CoreError.Failed.self) {
      try ["a": 1].mapValues(executor) { (_: Int) -> Int in throw CoreError.Failed() }
    }
  }
}
