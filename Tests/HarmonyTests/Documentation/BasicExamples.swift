import Foundation
import Harmony
import Testing

// Each example is a copy of one in a page or a comment; `ExamplesTests` compares them line by line.
@Suite struct BasicExamples {
  @Test func `The first page`() async throws {
    let source = InMemoryDataSource<String>()
    try await source.put("Ada", forId: "user.1").get()
    let name = try await source.get("user.1").get()
    #expect(name == "Ada")
  }

  func total(of source: any GetDataSource<Int>) async throws -> Int {
    try await source.getAll(AllObjectsQuery()).get().reduce(0, +)
  }

  @Test func `Data sources`() async throws {
    let source = InMemoryDataSource<Int>()
    try await source.put(42, in: IdQuery("answer")).get()
    let answer = try await source.get("answer").get()
    try await source.delete("answer").get()
    #expect(answer == 42)

    try await source.putAll([1, 2, 3], forId: "numbers").get()
    try await source.putAll([10, 20], in: IdsQuery(["a", "b"])).get()
    let everything = try await source.getAll(AllObjectsQuery()).get()
    #expect(everything == [10, 20, 1, 2, 3])
    #expect(try await total(of: source) == 36)
  }

  struct SearchQuery: KeyQuery {
    let text: String

    var key: String { "search." + text }
  }

  @Test func `Queries`() async throws {
    let source = InMemoryDataSource<String>()
    try await source.putAll(["Larder"], in: SearchQuery(text: "lar")).get()
    let found = try await source.getAll(SearchQuery(text: "lar")).get()
    #expect(found == ["Larder"])
  }

  private func slowAnswer() async throws -> Int {
    try await Future<Int>().getCancelling()
  }

  @Test func `Futures`() async throws {
    let source = InMemoryDataSource<Int>()
    source.put(42, forId: "answer")
    source.get("answer").then { value in
      print("Success: \(value)")
    }.fail { error in
      print("Failure: \(error)")
    }

    let text = source.get("answer")
      .map { $0 * 2 }
      .recover(if: CoreError.NotFound.self) { _ in Future(0) }
      .map { "The answer is \($0)" }
    let length = text.map(\.count)
    #expect(try await length.get() == 16)
    #expect(try await text.get() == "The answer is 84")

    let future = Future.async { try await slowAnswer() }
    future.cancel()
    await #expect(throws: CancellationError.self) { try await future.get() }

    let slow = source.get("answer")
    let limit = Task {
      try await Task.sleep(for: .seconds(5))
      slow.cancel()
    }
    defer { limit.cancel() }
    let inTime = try await slow.get()
    #expect(inTime == 42)

    let executor = DispatchQueueExecutor(name: "reports")
    let report = source.get("answer").map(executor) { "Report: \($0)" }
    #expect(try await report.get() == "Report: 42")

    do {
      let length = Future("larder").map { $0.count }
      print(try await length.get())
    }
  }

  struct Offline: CodedError, Hashable {
    let domain = "app.network"
    let code = 7
    let description = "There is no network"
  }

  @Test func `Errors`() async throws {
    let source = InMemoryDataSource<Int>()
    do {
      print(try await source.get("answer").get())
    } catch is CoreError.NotFound {
      print("There is no answer")
    }
    #expect(Offline() == Offline())
    let made = Offline().toNSError()
    let bridged = Offline() as NSError
    print(made.domain, bridged.domain, made.code == bridged.code)
    #expect(made.code == 7 && bridged.code == 7)
    let cancelled = CancellationError().localizedDescription
    #expect(cancelled.contains("CancellationError"))
  }
}
