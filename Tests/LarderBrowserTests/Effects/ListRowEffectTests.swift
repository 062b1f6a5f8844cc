import Harmony
import HarmonyTesting
import LarderFormats
import LarderModel
import Testing

@testable import LarderBrowser

/// Reading the columns beside the keys of the list.
@Suite struct ListRowEffectTests {
  /// Records the queries for values.
  private final class Asked: Sendable {
    let queries = Locked<[EntryQuery]>([])
  }

  private func rows(
    _ keys: [EntryKey], _ onGet: @escaping @Sendable (any Query) -> Future<Entry>
  ) async throws -> [EntryKey: ListRow] {
    let bench = await RunnerBench(ScriptedSource(onGet: onGet))
    let read = ReadRows(store: Bench.reference, keys: keys, valueField: nil, ticket: nil)
    return try #require(await bench.replies(to: read).last)
  }

  @Test func `No value larger than 64 KiB is read`() async throws {
    let asked = Asked()
    let rows = try await rows([.integer(1), .integer(2), .integer(3)]) { query in
      switch query {
      case let query as PresenceQuery where query.entryKey == .integer(1):
        return Future(Entry(key: .integer(1), size: 200 << 20))
      case let query as EntryQuery:
        asked.queries.withLock { $0.append(query) }
        guard query.entryKey == .integer(3) else { return Future(StoreError.failed("large")) }
        return Future(Entry(key: query.entryKey, value: .text("small")))
      default: return Future(CoreError.QueryNotSupported())
      }
    }
    let queries = asked.queries.withLock { $0 }
    #expect(queries.map(\.entryKey) == [.integer(1), .integer(2), .integer(3)])
    #expect(queries.allSatisfy { $0.maximumSize == 64 << 10 })
    #expect(rows[.integer(1)]?.facts.size == 200 << 20)
    #expect(rows[.integer(2)]?.preview == nil)
    #expect(rows[.integer(3)]?.preview?.text == "small")
  }

  @Test func `Unreadable and missing entries do not affect the others`() async throws {
    let rows = try await rows([.integer(1), .integer(2), .integer(3)]) { query in
      guard let query = query as? EntryQuery else { return Future(CoreError.QueryNotSupported()) }
      return switch query.entryKey {
      case .integer(1): Future(StoreError.failed("damaged"))
      case .integer(2): Future(CoreError.NotFound())
      default: Future(Entry(key: query.entryKey, value: .integer(7)))
      }
    }
    #expect(rows[.integer(1)]?.preview == nil)
    #expect(rows[.integer(2)] == nil)
    #expect(rows[.integer(3)]?.preview?.text == "7")
  }
}
