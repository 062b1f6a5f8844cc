import LarderFormats
@testable import LarderModel
@testable import LarderBrowser
import Testing

/// Long-running work in the value pane, which does not block keys.
@Suite struct ValueJobTests {
  private static let members = (0..<9_000).map {
    StoredValue.Field("member \($0)", .text("v\($0)"))
  }
  private static let tree = StoredValue.dictionary(members)
  private static let lines = String(
    (0..<60_000).map { "line \($0) of a text" }.joined(separator: "\n"))

  /// Returns a browser with the value pane focused and laid out.
  private func bench(_ value: StoredValue, height: Int = 10, width: Int = 60) -> Bench {
    var bench = Bench.ready(value: value)
    bench.send(.viewportChanged(Viewport(stores: 10, keys: 10, value: height, valueWidth: width)))
    while answer(&bench) {}
    bench.command("open")
    return bench
  }

  /// Performs the next job of the value, as the effect runner would.
  @discardableResult
  private func answer(_ bench: inout Bench) -> Bool {
    guard bench.state.value?.running != nil, let work = try? bench.latest(RunValueJob.self) else {
      return false
    }
    finish(work, &bench)
    return true
  }

  private func finish(_ work: RunValueJob, _ bench: inout Bench) {
    var model = work.model
    let finding = model.perform(work.job)
    bench.answer(work, .init(model, finding))
  }

  private func selected(_ bench: Bench) -> String {
    bench.state.value.map { $0.line(at: $0.cursor.index).text } ?? ""
  }

  private func isWorking(_ bench: Bench) -> Bool { bench.has(RunValueJob.self) }

  @Test func `A search in a large tree runs in the background`() {
    var bench = bench(Self.tree)
    bench.command("search", "v8765")
    #expect(isWorking(bench))
    #expect(bench.state.value?.path == nil)
    #expect(bench.state.value?.isMoving == true)
    answer(&bench)
    #expect(bench.state.value?.path == "[\"member 8765\"]")
    #expect(bench.state.value?.isMoving == false)
    bench.command("find-next")
    answer(&bench)
    #expect(bench.state.message?.text == "continued from the start of the value")
    bench.command("search", "missing")
    answer(&bench)
    #expect(bench.state.message?.text == "“missing” is not in the value")
  }

  @Test func `Escape stops a search`() throws {
    var bench = bench(Self.tree)
    bench.command("search", "v8765")
    let work = try bench.effect(RunValueJob.self)
    bench.send(.cancel)
    #expect(bench.onlyEnds(.value))
    #expect(bench.state.message?.text == "stopped searching the value")
    #expect(bench.state.focus == .value)
    #expect(bench.state.value?.isMoving == false)
    // A late reply is ignored.
    finish(work, &bench)
    #expect(bench.state.value?.path == nil)
    bench.send(.cancel)
    #expect(bench.state.value?.search == nil)
  }

  @Test func `Commands typed ahead wait for the search`() throws {
    var bench = bench(Self.tree)
    let copy = try #require(Command.named("copy"))
    let down = try #require(Command.named("down"))
    #expect(!bench.state.isTooEarly(for: copy))
    bench.command("search", "v8765")
    #expect(bench.state.isTooEarly(for: copy) && bench.state.isTooEarly(for: down))
    answer(&bench)
    #expect(!bench.state.isTooEarly(for: copy))
  }

  @Test func `A large tree is folded in the background`() {
    var bench = bench(Self.tree)
    bench.command("open")
    #expect(isWorking(bench))
    answer(&bench)
    #expect(bench.state.value?.rowCount == 1)
    bench.command("fold", "1")
    answer(&bench)
    #expect(bench.state.value?.rowCount == 9_002)
  }

  @Test func `The old rows stay until those for the new width are ready`() {
    var bench = bench(Self.tree)
    bench.command("search", "v8765")
    answer(&bench)
    let before = bench.state.value?.rowCount
    bench.send(.viewportChanged(Viewport(stores: 10, keys: 10, value: 10, valueWidth: 16)))
    #expect(isWorking(bench))
    #expect(bench.state.value?.rowCount == before)
    // Moving meanwhile keeps the position.
    bench.command("down")
    answer(&bench)
    #expect(bench.state.value?.rowCount ?? 0 > before ?? 0)
    #expect(bench.state.value?.path == "[\"member 8766\"]")
    #expect(!isWorking(bench))
  }

  @Test func `Text scrolled far is wrapped in the background`() {
    var bench = bench(.text(Self.lines))
    bench.command("search", "line 50000 ")
    #expect(isWorking(bench))
    answer(&bench)
    #expect(selected(bench).hasPrefix("line 50000 "))
    bench.send(.viewportChanged(Viewport(stores: 10, keys: 10, value: 10, valueWidth: 14)))
    #expect(isWorking(bench))
    bench.send(.viewportChanged(Viewport(stores: 10, keys: 10, value: 10, valueWidth: 12)))
    answer(&bench)
    answer(&bench)
    #expect(
      bench.state.value.map { $0.line(at: $0.cursor.top).text }?.hasPrefix("line 50000") == true)
    #expect(bench.state.value?.rowsWidth == 12)
    bench.command("first")
    bench.command("last")
    while answer(&bench) {}
    #expect(selected(bench).hasSuffix(" text") || bench.state.value?.cursor.top ?? 0 > 100_000)
  }

  @Test func `A small value needs no background work`() {
    var bench = bench(.text("{\"a\":[1,2,3]}"))
    bench.command("search", "3")
    #expect(!isWorking(bench))
    #expect(bench.state.value?.path == "a[2]")
  }

  @Test func `Selecting another entry cancels the work`() {
    var bench = bench(Self.tree)
    bench.command("search", "v8765")
    bench.command("previous-pane")
    bench.command("down")
    #expect(bench.ends(.value))
    #expect(bench.state.value?.jobs.isEmpty == true)
  }
}
