import Harmony
import Testing

@Suite struct LockedTests {
  @Test func `Competing threads change a value one at a time`() async {
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<20_000 { counter.add() }
        }
      }
    }
    #expect(counter.value == 160_000)
  }

  @Test func `An error in the closure releases the lock`() throws {
    let counter = Counter()
    #expect(throws: CoreError.Failed.self) { try counter.fail() }
    counter.add()
    #expect(counter.value == 2)
  }
}

private final class Counter: Sendable {
  private let count = Locked(0)

  var value: Int { count.withLock { $0 } }

  func add() {
    count.withLock { $0 += 1 }
  }

  func fail() throws {
    try count.withLock { count in
      count += 1
      throw CoreError.Failed()
    }
  }
}
