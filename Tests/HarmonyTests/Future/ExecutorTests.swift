import Dispatch
import Foundation
import Harmony
import Testing

@Suite struct ExecutorTests {
  private struct Flaw: Error {}

  @Test func `Executors run closures and have names`() async throws {
    let executors: [any Executor] = [
      DirectExecutor(), DispatchQueue(label: "queue"), DispatchQueueExecutor(.concurrent),
      DispatchQueueExecutor(name: "serial"), OperationQueueExecutor(),
      OperationQueueExecutor(.concurrent(count: 2), name: "operations"),
    ]
    for executor in executors {
      let value: Future<Int> = executor.submit { $0.set(4) }
      #expect(try await value.get() == 4)
      let failure: Future<Void> = executor.submit { throw Flaw() }
      await #expect(throws: Flaw.self) { try await failure.get() }
      #expect(try await Future<Int>(1).map(executor) { $0 + 1 }.get() == 2)
    }
    #expect(executors[1].name == "queue")
    #expect(executors[3].name == "serial")
    #expect(executors[5].name == "operations")
  }

  @Test func `A callback runs on the given executor`() async throws {
    let key = DispatchSpecificKey<String>()
    let queue = DispatchQueue(label: "callbacks")
    queue.setSpecific(key: key, value: "here")
    let place = Future(1).map(queue) { _ in DispatchQueue.getSpecific(key: key) }
    #expect(try await place.get() == "here")
  }

  @Test func `A serial executor runs one closure after another`() async throws {
    let log = Log<Int>()
    let executor = DispatchQueueExecutor()
    let futures = (0..<20).map { index in executor.submit { log.add(index) } }
    _ = try await Future.batch(futures.map { $0.map { 0 } }).get()
    #expect(log.all == Array(0..<20))
  }

  @Test func `A factory returns one executor per name`() {
    let log = Log<String>()
    let factory = ExecutorFactory { name in
      log.add(name)
      return DispatchQueueExecutor(name: name)
    }
    #expect(factory.get("a").name == "a")
    #expect(factory.get(named: "a").name == "a")
    #expect(factory.get(3).name == "3")
    _ = factory.get(Int.self)
    #expect(log.all.count == 3)
  }
}
