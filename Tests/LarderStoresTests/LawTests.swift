import Harmony
import HarmonyInspection
import HarmonySQLite
import HarmonyTesting
import LarderModel
import LarderJournal
import TestKinds
import Testing

@testable import LarderStores

#if Keychain
import KeychainBench
#endif

/// An adapter that shows a store as a source of numbers, so that the laws can write any number
/// under any key.
private final class NumberSource: GetDataSource, PutDataSource, DeleteDataSource {
  private let source: AnyDataSource<Entry>
  /// Keeps the folder alive as long as the source.
  private let folder: any Sendable
  private let encodesKeys: Bool
  private let storesTexts: Bool

  init(
    _ source: AnyDataSource<Entry>, _ folder: any Sendable, encodesKeys: Bool = false,
    storesTexts: Bool
  ) {
    self.source = source
    self.folder = folder
    self.encodesKeys = encodesKeys
    self.storesTexts = storesTexts
  }

  /// Returns the query with its keys in hexadecimal, because not every string is a valid path.
  private func encoded(_ query: any Query) -> any Query {
    guard encodesKeys else { return query }
    func name(_ key: String) -> String {
      "k" + key.utf8.map { String(256 + Int($0), radix: 16) }.joined()
    }
    switch query {
    case let query as IdQuery<String>: return IdQuery(name(query.id))
    case let query as IdQuery<Int>: return IdQuery(name(query.key))
    case let query as IdsQuery<String>: return IdsQuery(query.ids.map(name))
    default: return query
    }
  }

  private static func number(_ entry: Entry) throws -> Int {
    switch entry.value {
    case .integer(let number): return Int(number)
    case .text(let text): return Int(text) ?? 0
    default: throw CoreError.NotValid()
    }
  }

  private func entry(_ number: Int) -> Entry {
    let value: StoredValue = storesTexts ? .text(String(number)) : .integer(Int64(number))
    return Entry(key: .null, value: value)
  }

  func get(_ query: any Query) -> Future<Int> {
    source.get(encoded(query)).map { try Self.number($0) }
  }

  func getAll(_ query: any Query) -> Future<[Int]> {
    source.getAll(encoded(query)).map { try $0.map(Self.number) }
  }

  @discardableResult
  func put(_ value: Int?, in query: any Query) -> Future<Int> {
    source.put(value.map(entry), in: encoded(query)).map { try Self.number($0) }
  }

  @discardableResult
  func putAll(_ array: [Int], in query: any Query) -> Future<[Int]> {
    source.putAll(array.map(entry), in: encoded(query)).map { try $0.map(Self.number) }
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    source.delete(encoded(query))
  }
}

struct LawTests {
  enum Subject: String, CaseIterable, Sendable {
    case memory, plist, datastore, defaults, live
    case recorded = "memory with a journal"
    case table = "CREATE TABLE t(k TEXT PRIMARY KEY, v)"
    case tableWithoutRowid = "CREATE TABLE t(k TEXT PRIMARY KEY, v) WITHOUT ROWID"
    case log = "PRAGMA journal_mode=wal; CREATE TABLE t(k TEXT PRIMARY KEY, v)"
  }

  @Test(arguments: TestedKind.all)
  func `Every kind obeys the laws`(_ kind: TestedKind) async throws {
    try await check("\(kind)") {
      let folder = try TestFolder()
      let path = try await kind.make(in: folder.path, [:])
      let store = try await Stores.open(
        StoreLocation(path: path), options: OpenOptions(busyTimeout: .seconds(600))
      ).store(nil)
      return AnyDataSource(
        NumberSource(
          store.source, folder, encodesKeys: kind.restrictsKeys, storesTexts: kind.storesTexts))
    }
  }

  @Test(arguments: Subject.allCases)
  func `Every form of a store obeys the laws`(_ subject: Subject) async throws {
    try await check("\(subject)") { try await Self.source(subject) }
  }

  private func check(
    _ name: String, _ source: () async throws -> AnyDataSource<Int>
  ) async throws {
    // The laws create sources synchronously, so enough are opened in advance.
    let sources = Pool(try await (0..<12).asyncMap { _ in try await source() })
    let violations = await DataSourceLaws.check(
      DataSourceFixture(
        name, samples: [3, 1, 4, 15, 9, 26, -5], storesLists: false, listsKeys: false
      ) {
        try sources.next()
      }, seed: 7, sequences: 4, length: 40, writers: 100)
    #expect(violations == [])
  }

  #if Keychain
  @Test func `Secrets obey the laws`() async throws {
    let bench = try KeychainBench()
    let violations = await DataSourceLaws.check(
      DataSourceFixture(
        "keychain", samples: [3, 1, 4, 15, 9, 26, -5], storesLists: false, listsKeys: false
      ) {
        AnyDataSource(
          NumberSource(
            AnyDataSource(
              KeychainEntrySource(
                bench.keychain(), at: StoreLocation(path: "keychain:laws"), isReadOnly: false,
                salt: SecretSalt(path: bench.folder + "/salt"))),
            bench, storesTexts: true))
      }, seed: 7, sequences: 2, length: 30, writers: 20)
    #expect(violations == [])
  }
  #endif

  /// An empty binary property list.
  private static let plist: [UInt8] =
    Array("bplist00".utf8) + [0xD0, 0x08] + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1]
    + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 9]

  private static func source(_ subject: Subject) async throws -> AnyDataSource<Int> {
    let folder = try TestFolder()
    let domain = TestDomain()
    let program = LiveProgram()
    let location =
      switch subject {
      case .live:
        try program.show { inspector in
          inspector.expose(InMemoryDataSource<Int>(), as: "numbers", isWritable: true)
        }
      case .memory, .recorded: "memory:"
      case .defaults: domain.location
      case .plist: try folder.write(Self.plist, to: "laws.plist")
      case .datastore: try folder.write([], to: "laws.preferences_pb")
      default: try await folder.database(subject.rawValue)
      }
    let journal = subject == .recorded ? Journal(path: folder.file("journal.db")) : nil
    let store = try await Stores.open(
      StoreLocation(path: location), options: OpenOptions(busyTimeout: .seconds(600)),
      journal: journal
    ).store(nil)
    return AnyDataSource(
      NumberSource(store.source, (folder, domain, program), storesTexts: false))
  }
}

/// Sources created in advance, handed out one by one.
private final class Pool: Sendable {
  private let sources: [AnyDataSource<Int>]
  private let count = Counter()

  init(_ sources: [AnyDataSource<Int>]) {
    self.sources = sources
  }

  func next() throws -> AnyDataSource<Int> {
    let index = count.next()
    try #require(index < sources.count, "too few sources")
    return sources[index]
  }
}
