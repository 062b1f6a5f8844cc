import Harmony
import HarmonyTesting
import LarderModel
import LarderBrowser

/// A source of entries that answers as a test says, and keeps what it was asked.
final class ScriptedSource: GetDataSource, PutDataSource, DeleteDataSource {
  private struct State {
    var queries: [String] = []
    var pages: [EntryPageQuery] = []
  }

  private let state = Locked(State())
  private let onPage: @Sendable (EntryPageQuery) -> Future<[Entry]>
  private let onGet: @Sendable (any Query) -> Future<Entry>

  init(
    onPage: @escaping @Sendable (EntryPageQuery) -> Future<[Entry]> = { _ in Future([]) },
    onGet: @escaping @Sendable (any Query) -> Future<Entry> = { _ in
      Future(CoreError.NotFound())
    }
  ) {
    self.onPage = onPage
    self.onGet = onGet
  }

  var pages: [EntryPageQuery] { state.withLock { $0.pages } }

  /// The number of values that were read.
  var reads: Int { state.withLock { $0.queries.count } }

  func get(_ query: any Query) -> Future<Entry> {
    if query is EntryQuery { state.withLock { $0.queries.append("get") } }
    return onGet(query)
  }

  func getAll(_ query: any Query) -> Future<[Entry]> {
    guard let query = query as? EntryPageQuery else {
      return Future(CoreError.QueryNotSupported())
    }
    state.withLock { $0.pages.append(query) }
    return onPage(query)
  }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    value.map { Future($0) } ?? Future(CoreError.IllegalArgument())
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> { Future(array) }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> { Future(()) }
}

/// Runs effects over one source and keeps the replies.
final class RunnerBench: Sendable {
  let clock: ManualClock
  let runner: EffectRunner
  private let replies = Locked<[BrowserAction]>([])
  private let slept: Pauses

  init(
    _ source: ScriptedSource, timeToLive: Duration = .seconds(100), readsThroughCache: Bool = false,
    capabilities: StoreCapabilities = [], clock: ManualClock = ManualClock()
  ) async {
    self.clock = clock
    let slept = Pauses()
    self.slept = slept
    let store = Store(
      kind: Bench.kind, location: StoreLocation(path: "numbers.db", collection: "numbers"),
      capabilities: capabilities, keyStyle: .typed, source: AnyDataSource(source))
    runner = EffectRunner(
      EffectRunner.Environment(
        open: { text in
          guard text == "numbers.db" else { throw StoreError.cannotOpen("\(text) does not exist") }
          return OpenStore(
            kind: Bench.kind, location: StoreLocation(path: text), evidence: ""
          ) { _ in store }
        },
        clock: clock, sleep: { pause in slept.all.withLock { $0.append(pause) } },
        timeToLive: timeToLive,
        readsThroughCache: readsThroughCache))
    await run(.openLocation(Bench.location, text: "numbers.db"))
    await run(.openStore(Bench.reference))
    _ = take()
  }

  /// The pauses that were made, none of which took time.
  var pauses: [Duration] { slept.all.withLock { $0 } }

  /// Runs an effect to its end.
  func run(_ effect: BrowserEffect) async {
    await runner.run(effect) { action in self.replies.withLock { $0.append(action) } }
  }

  /// The replies since the last call.
  func take() -> [BrowserAction] {
    replies.withLock { replies in
      defer { replies = [] }
      return replies
    }
  }

  /// The replies to an effect.
  func replies(to effect: BrowserEffect) async -> [BrowserAction] {
    await run(effect)
    return take()
  }
}

/// The pauses that were asked for.
private final class Pauses: Sendable {
  let all = Locked<[Duration]>([])
}
