import Harmony
import LarderModel
import Synchronization

/// A source whose counts and measurements report progress, such as 12,345 entries, but end only
/// when the test releases them.
final class SlowlyCounted: GetDataSource, PutDataSource, DeleteDataSource {
  private let source: AnyDataSource<Entry>
  private let isCounted = Atomic(false)
  private let isMeasured = Atomic(false)

  init(_ source: AnyDataSource<Entry>) {
    self.source = source
  }

  /// Lets counts end, now and later, except those that measure.
  func releaseCounts() { isCounted.store(true, ordering: .relaxed) }

  /// Lets counts and measurements end.
  func release() {
    releaseCounts()
    isMeasured.store(true, ordering: .relaxed)
  }

  private var isCounting: Bool { !isCounted.load(ordering: .relaxed) }
  private var isMeasuring: Bool { !isMeasured.load(ordering: .relaxed) }

  func get(_ query: any Query) -> Future<Entry> {
    guard let query = query as? CountQuery, let scan = query.scan,
      query.measures ? isMeasuring : isCounting
    else {
      return source.get(query)
    }
    guard scan.budget == nil || !isCounting else {
      scan.report(examined: 12, position: nil, isComplete: false)
      return Future(CountQuery.answer(12, bytes: 12))
    }
    return Future { [self] in
      while query.measures ? isMeasuring : isCounting {
        scan.report(examined: 12_345, position: nil, isComplete: false)
        await Task.yield()
      }
      return try await source.get(query).get()
    }
  }

  func getAll(_ query: any Query) -> Future<[Entry]> { source.getAll(query) }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> { source.put(value, in: query) }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    source.putAll(array, in: query)
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> { source.delete(query) }
}
