import Harmony
import LarderModel
import LarderOperations
import Testing

/// Exports of entries that cannot all be read.
struct ExportTests {
  /// A source whose entry `b` is damaged, as is each batch of entries.
  private struct DamagedSource: GetDataSource, PutDataSource, DeleteDataSource {
    func get(_ query: any Query) -> Future<Entry> {
      guard let query = query as? EntryQuery else { return Future(CoreError.QueryNotSupported()) }
      return query.entryKey == .text("b")
        ? Future(StoreError.corrupt("a page is damaged"))
        : Future(Entry(key: query.entryKey, value: .integer(1)))
    }

    func getAll(_ query: any Query) -> Future<[Entry]> {
      query is EntriesQuery
        ? Future(StoreError.corrupt("a page is damaged")) : Future(CoreError.QueryNotSupported())
    }

    func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
      Future(CoreError.QueryNotSupported())
    }

    func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
      Future(CoreError.QueryNotSupported())
    }

    func delete(_ query: any Query) -> Future<Void> { Future(CoreError.QueryNotSupported()) }
  }

  @Test func `A damaged entry does not keep the others from being exported`() async throws {
    let store = Store(
      kind: StoreKind(name: "test", recognizedBy: "", collections: "", keys: ""),
      location: StoreLocation(path: "test"), capabilities: [], keyStyle: .text,
      source: AnyDataSource(DamagedSource()))
    let export = Export(.keys(["a", "b", "c"].map { .text($0) }), from: store)
    var lines: [UInt8] = []
    let report = try await export.run(Scan()) { lines += $0 }
    #expect(report.count == 2 && report.hasUnreadable && !report.isComplete)
    #expect(lines.count { $0 == UInt8(ascii: "\n") } == 2)
  }
}
