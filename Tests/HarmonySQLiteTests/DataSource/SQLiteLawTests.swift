import Foundation
import Harmony
import HarmonySQLite
import HarmonyTesting
import Testing

/// Creates sources with temporary files, which are removed with this object.
final class SourceFiles: Sendable {
  private let files = Locked<[TestFile]>([])

  func make<T>(
    _ codec: SQLiteCodec<T>, _ table: SQLiteEntryTable = "entries"
  ) throws -> SQLiteDataSource<T> {
    let file = try TestFile()
    files.withLock { $0.append(file) }
    return SQLiteDataSource(path: file.path, table: table, codec: codec)
  }
}

struct SQLiteLawTests {
  private static let files = SourceFiles()

  private static let numbers: [DataSourceFixture<Int>] = [
    .numbers("SQLite") { AnyDataSource(try files.make(.direct)) },
    .numbers("SQLite with JSON") { AnyDataSource(try files.make(.json)) },
    .numbers("SQLite with odd names") {
      let table = SQLiteEntryTable(
        "the \"table\"", keyColumn: "select", valueColumn: "a'b", countColumn: "n;")
      return AnyDataSource(try files.make(.direct, table))
    },
    .numbers("SQLite behind a mapper") {
      AnyDataSource(
        DataSourceMapper(
          dataSource: try files.make(.direct) as SQLiteDataSource<Data>,
          toInMapper: EncodableToDataMapper<Int>(), toOutMapper: DataToDecodableMapper<Int>()))
    },
    .numbers("SQLite behind a cache") {
      AnyDataSource(TimedCacheDataSource(try files.make(.direct) as SQLiteDataSource<Int>))
    },
    .numbers("SQLite behind a cache that keeps its times") {
      let source: SQLiteDataSource<Int> = try files.make(.direct)
      let times = SQLiteCacheTimes(path: source.path, busyTimeout: .seconds(60))
      return AnyDataSource(TimedCacheDataSource(source, times: times))
    },
  ]

  @Test(arguments: numbers)
  func `A table obeys the laws`(fixture: DataSourceFixture<Int>) async {
    let violations = await DataSourceLaws.check(fixture, sequences: 4, writers: 100)
    #expect(violations == [])
  }

  @Test(arguments: numbers)
  func `A table holds the values written by each of many tasks`(fixture: DataSourceFixture<Int>)
    async
  {
    let wanted = ProcessInfo.processInfo.environment["STRESS_OPERATIONS"].flatMap(Int.init)
    let violations = await DataSourceLaws.stress(fixture, operations: wanted ?? 1_000)
    #expect(violations == [])
  }

  @Test func `A table without lists obeys the other laws`() async {
    let files = SourceFiles()
    let fixture = DataSourceFixture(
      "SQLite without lists", samples: ["", "é", "e\u{301}", "a\0b"], storesLists: false
    ) {
      let table = SQLiteEntryTable("plain", countColumn: nil)
      return AnyDataSource(try files.make(.direct, table))
    }
    let violations = await DataSourceLaws.check(fixture, sequences: 4, writers: 50)
    #expect(violations == [])
  }
}
