import Harmony
import HarmonyTesting
import LarderModel
import LarderBrowser
import Testing

/// A source of entries with scripted replies, which records its queries.
final class ScriptedSource: GetDataSource, PutDataSource, DeleteDataSource {
  private struct State {
    var queries: [String] = []
    var pages: [EntryPageQuery] = []
  }

  private let state = Locked(State())
  private let onPage: @Sendable (EntryPageQuery) -> Future<[Entry]>
  private let onGet: @Sendable (any Query) -> Future<Entry>
  private let refusal: StoreError?

  init(
    onPage: @escaping @Sendable (EntryPageQuery) -> Future<[Entry]> = { _ in Future([]) },
    onGet: @escaping @Sendable (any Query) -> Future<Entry> = { _ in
      Future(CoreError.NotFound())
    }, refusal: StoreError? = nil
  ) {
    self.refusal = refusal
    self.onPage = onPage
    self.onGet = onGet
  }

  var pages: [EntryPageQuery] { state.withLock { $0.pages } }

  /// The number of values read.
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
    if let refusal { return Future(refusal) }
    return value.map { Future($0) } ?? Future(CoreError.IllegalArgument())
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    refusal.map { Future($0) } ?? Future(array)
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    refusal.map { Future($0) } ?? Future(())
  }
}

/// Runs effects over one source.
final class RunnerBench: Sendable {
  let clock: ManualClock
  let runner: EffectRunner
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
    await run(OpenLocation(id: Bench.location, text: "numbers.db"))
    await run(OpenCollection(store: Bench.reference))
  }

  /// The requested pauses, which take no time.
  var pauses: [Duration] { slept.all.withLock { $0 } }

  /// Runs an effect to completion.
  func run(_ effect: some BrowserEffect) async {
    _ = await actions(of: effect)
  }

  /// Returns all actions that an effect sends.
  func actions(of effect: some BrowserEffect) async -> [BrowserAction] {
    let actions = Locked<[BrowserAction]>([])
    await runner.run(effect) { action in actions.withLock { $0.append(action) } }
    return actions.withLock { $0 }
  }

  /// Returns the replies to an effect that sends no other actions.
  func replies<Effect: BrowserEffect>(to effect: Effect) async -> [Effect.Reply] {
    await actions(of: effect).compactMap { action in
      guard case .reply(let reply) = action, let content = reply.content as? Effect.Reply else {
        Issue.record("\(action) is not a reply")
        return nil
      }
      return content
    }
  }
}

/// The requested pauses.
private final class Pauses: Sendable {
  let all = Locked<[Duration]>([])
}
