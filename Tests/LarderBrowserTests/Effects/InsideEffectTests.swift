import Harmony
@testable import LarderModel
@testable import LarderFormats
@testable import LarderBrowser
import Testing

/// Background work on values, which is cancelled when another entry is selected.
@Suite struct InsideEffectTests {
  /// Counts the concurrent tasks and their maximum.
  private final class Running: Sendable {
    private let counts = Locked((now: 0, most: 0))

    var maximum: Int { counts.withLock { $0.most } }

    func begin() {
      counts.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
    }

    func end() { counts.withLock { $0.now -= 1 } }
  }

  private static let large =
    "[" + (0..<120_000).map { "{\"number\":\($0)}" }.joined(separator: ",") + "]"

  @Test func `Selecting another entry cancels work on the previous one`() throws {
    var bench = Bench.ready(value: .text(Self.large))
    #expect(bench.state.value?.isUnread == true)
    bench.command("down")
    #expect(bench.ends(.inside))
    var small = Bench.ready(value: .text("small"))
    small.command("down")
    #expect(!small.ends(.inside))
  }

  @Test func `Switching tabs cancels it`() throws {
    var bench = Bench.ready(value: .text(Self.large))
    bench.command("new-tab")
    #expect(bench.ends(.inside))
  }

  @Test func `Parsing a structure can be cancelled`() {
    let asked = Running()
    let structure = ValueFormat.structure(in: .text(Self.large)) {
      asked.begin()
      return asked.maximum > 3
    }
    #expect(structure == nil)
    #expect(asked.maximum == 4)
  }

  @Test func `Exclusive work runs one task at a time`() async {
    let running = Running()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          _ = await Background.runCancelling(isAlone: true) { _ in
            running.begin()
            running.end()
          }
        }
      }
    }
    #expect(running.maximum == 1)
  }

  @Test func `Work cancelled before it starts does not run`() async {
    let running = Running()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await Background.runCancelling(isAlone: true) { _ in running.begin() }
    }
    task.cancel()
    #expect(await task.value == nil)
    #expect(running.maximum == 0)
  }

  @Test func `A cancelled comparison ends early`() {
    let asked = Running()
    let lines = (0..<20_000).map { "line \($0)" }.joined(separator: "\n")
    func entry(_ text: String) -> Entry { Entry(key: .text("a"), value: .text(text)) }
    let model = ComparisonModel(title: "", ("a", entry(lines)), ("b", entry(lines + "!"))) {
      asked.begin()
      return true
    }
    #expect(asked.maximum < 20)
    #expect(model.comparison.rows.count < 10)
  }
}
