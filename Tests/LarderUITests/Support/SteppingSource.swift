import Harmony
import LarderModel
import Synchronization

/// Entries in memory that are changed one by one, as files are, under the control of a test.
final class SteppingSource: GetDataSource, PutDataSource, DeleteDataSource {
  private struct State {
    var entries: [EntryKey: StoredValue] = [:]
    var step: Int?
    var gate: Future<Void>?
    var scan: Scan?
    var failure: (step: Int, error: StoreError)?
  }

  private let state = Mutex(State())

  init(_ keys: [String] = []) {
    for key in keys { state.withLock { $0.entries[.text(key)] = .text("value of \(key)") } }
  }

  /// Blocks before the change at an index, counted from 0.
  func hold(before step: Int) { state.withLock { $0.step = step } }

  /// Fails the change at an index, counted from 0.
  func fail(at step: Int, _ error: StoreError) { state.withLock { $0.failure = (step, error) } }

  /// Whether a change is blocked.
  var isWaiting: Bool { state.withLock { $0.gate != nil } }

  /// Whether the source has seen that the operation is cancelled.
  var isStopped: Bool {
    guard let (scan, step) = state.withLock({ state in state.scan.map { ($0, state.step ?? 0) } })
    else { return false }
    do {
      try scan.reportChanged(step)
      return false
    } catch {
      return true
    }
  }

  /// Releases the blocked change and those after it.
  func release() {
    let gate = state.withLock { state in
      defer { (state.gate, state.step) = (nil, nil) }
      return state.gate
    }
    gate?.set()
  }

  var keys: [String] { state.withLock { $0.entries.keys.sorted().map { $0.notation(.text) } } }

  private func gate(before step: Int, _ scan: Scan?) -> Future<Void>? {
    state.withLock { state in
      guard state.step == step else { return nil }
      let gate = Future<Void>()
      state.gate = gate
      state.scan = scan
      return gate
    }
  }

  func get(_ query: any Query) -> Future<Entry> {
    switch query {
    case is CountQuery: return Future(CountQuery.answer(keys.count))
    case let query as EntryQuery:
      guard let value = state.withLock({ $0.entries[query.entryKey] }) else {
        return Future(CoreError.NotFound())
      }
      return Future(Entry(key: query.entryKey, value: value))
    default: return Future(CoreError.QueryNotSupported())
    }
  }

  func getAll(_ query: any Query) -> Future<[Entry]> {
    guard let query = query as? EntryPageQuery else { return Future(CoreError.QueryNotSupported()) }
    let sorted = state.withLock { $0.entries.keys.sorted() }
    let keys = query.direction == .forward ? sorted : sorted.reversed()
    let rest = keys.filter { key in
      query.after.map { query.direction == .forward ? key > $0 : key < $0 } ?? true
    }
    return Future(rest.prefix(query.limit).map { Entry(key: $0) })
  }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    Future(CoreError.QueryNotSupported())
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    guard let query = query as? ChangesQuery else { return Future(CoreError.QueryNotSupported()) }
    return Future { [self] in
      var written: [Entry] = []
      for (count, change) in query.changes.enumerated() {
        try query.scan?.reportChanged(count)
        try await gate(before: count, query.scan)?.get()
        try query.scan?.reportChanged(count)
        if let failure = state.withLock({ $0.failure }), failure.step == count {
          throw failure.error
        }
        state.withLock { $0.entries[change.key] = change.value }
        if let value = change.value { written.append(Entry(key: change.key, value: value)) }
      }
      try? query.scan?.reportChanged(query.changes.count)
      return written
    }
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> { Future(CoreError.QueryNotSupported()) }
}
