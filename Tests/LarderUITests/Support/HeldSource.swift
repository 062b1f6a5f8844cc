import Harmony
import LarderModel
import Synchronization

/// Entries in memory whose replies wait until the test releases them.
final class HeldSource: GetDataSource, PutDataSource, DeleteDataSource {
  private struct State {
    var entries: [EntryKey: StoredValue]
    var isHolding = false
    var waiting: [Future<Void>] = []
    var asked = 0
  }

  private let state: Mutex<State>

  init(_ entries: [String: String]) {
    let values = entries.map { (EntryKey.text($0.key), StoredValue.text($0.value)) }
    state = Mutex(State(entries: Dictionary(values) { first, _ in first }))
  }

  /// Holds back replies from now on.
  func hold() {
    state.withLock { $0.isHolding = true }
  }

  /// Releases all pending and future replies.
  func release() {
    let waiting = state.withLock { state in
      state.isHolding = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for future in waiting { future.set() }
  }

  /// The number of pending reads that are not cancelled.
  var waitingCount: Int { state.withLock { $0.waiting.count { !$0.isResolved } } }

  /// The number of pending reads that were cancelled.
  var cancelledCount: Int { state.withLock { $0.waiting.count(where: \.isCancelled) } }

  /// Waits until at least a number of reads is pending.
  func waits(for count: Int) async {
    await turnWhile { waitingCount < count }
  }

  /// Waits until at least a number of reads was cancelled.
  func isCancelled(_ count: Int) async {
    await turnWhile { cancelledCount < count }
  }

  func value(_ key: String) -> StoredValue? { state.withLock { $0.entries[.text(key)] } }

  private func gate() -> Future<Void> {
    state.withLock { state in
      guard state.isHolding else { return Future(()) }
      let future = Future<Void>()
      state.waiting.append(future)
      return future
    }
  }

  private var sorted: [EntryKey] { state.withLock { $0.entries.keys.sorted() } }

  func get(_ query: any Query) -> Future<Entry> {
    if query is CountQuery { return Future(CountQuery.answer(sorted.count)) }
    guard let query = query as? EntryQuery else { return Future(CoreError.QueryNotSupported()) }
    return gate().map { [self] in
      guard let value = state.withLock({ $0.entries[query.entryKey] }) else {
        throw CoreError.NotFound()
      }
      return Entry(key: query.entryKey, value: value)
    }
  }

  func getAll(_ query: any Query) -> Future<[Entry]> {
    guard let query = query as? EntryPageQuery else { return Future(CoreError.QueryNotSupported()) }
    return gate().map { [self] in
      let keys = query.direction == .forward ? sorted : sorted.reversed()
      let rest = keys.filter { key in
        query.after.map { query.direction == .forward ? key > $0 : key < $0 } ?? true
      }
      let matching = rest.filter { key in
        guard case .text(let text) = query.filter?.terms.first?.pattern else { return true }
        return key.notation(.text).contains(text)
      }
      return matching.prefix(query.limit).map { Entry(key: $0) }
    }
  }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    guard let value, let stored = value.value else { return Future(CoreError.IllegalArgument()) }
    return gate().map { [self] in
      state.withLock { $0.entries[value.key] = stored }
      return value
    }
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    Future(CoreError.QueryNotSupported())
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    guard let query = query as? EntryQuery else { return Future(CoreError.QueryNotSupported()) }
    return gate().map { [self] in
      state.withLock { $0.entries[query.entryKey] = nil }
    }
  }
}
