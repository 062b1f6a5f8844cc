import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderJournal
import LarderStores

/// Opens the stores of a test, under names that are the same in every run.
struct TestStores: Sendable {
  private let opener: @Sendable (_ text: String, _ isReadOnly: Bool) async throws -> OpenStore
  /// Keeps the folder alive as long as its stores.
  private let folder: TestFolder?

  func open(_ text: String, isReadOnly: Bool) async throws -> OpenStore {
    try await opener(text, isReadOnly)
  }

  /// Returns the stores of a folder, opened as the program opens them.
  static func real(_ folder: TestFolder) -> TestStores {
    TestStores(
      opener: { name, _ in
        // Enter on a file opens it by its whole path.
        let path = name.hasPrefix("/") ? name : folder.path + "/" + name
        return try await Stores.open(StoreLocation(path: path))
      }, folder: folder)
  }

  /// Returns the databases of a folder, with locations such as `app.db` that hide its path.
  static func sqlite(_ folder: TestFolder, journal: Journal? = nil) -> TestStores {
    TestStores(
      opener: { text, isReadOnly in
        let location = StoreLocation(text) { _ in false }
        let path = folder.path + "/" + location.path
        guard FileManager.default.fileExists(atPath: path) else {
          throw StoreError.cannotOpen("\(location.path) does not exist")
        }
        let open = try await Stores.open(
          StoreLocation(path: path, collection: location.collection),
          options: OpenOptions(isReadOnly: isReadOnly), journal: journal)
        return OpenStore(
          kind: open.kind, location: location, evidence: open.evidence,
          collections: open.collections, facts: open.facts,
          opening: { collection, key in
            var store = try await open.store(collection, key: key)
            store.location = StoreLocation(
              path: location.path, collection: store.location.collection)
            return store
          })
      }, folder: folder)
  }

  /// Returns the sources of a live process, under their own locations.
  static func live(_ folder: TestFolder, journal: Journal) -> TestStores {
    TestStores(
      opener: { text, isReadOnly in
        try await Stores.open(
          text, options: OpenOptions(isReadOnly: isReadOnly, busyTimeout: .seconds(600)),
          journal: journal)
      }, folder: folder)
  }

  /// Returns one store for every location.
  static func opening(_ open: OpenStore, _ folder: TestFolder) -> TestStores {
    TestStores(opener: { _, _ in open }, folder: folder)
  }

  /// Returns a store called `slow` that reads and writes through another source.
  static func wrapping(
    _ store: Store, _ source: some GetDataSource<Entry> & PutDataSource & DeleteDataSource
  ) -> TestStores {
    TestStores(
      opener: { text, _ in
        guard text == "slow" else { throw StoreError.cannotOpen("\(text) does not exist") }
        let location = StoreLocation(path: text)
        return OpenStore(kind: store.kind, location: location, evidence: "") { _ in
          Store(
            kind: store.kind, location: location, capabilities: store.capabilities,
            keyStyle: store.keyStyle, source: AnyDataSource(source))
        }
      }, folder: nil)
  }

  /// Returns a store whose replies the test holds back.
  static func held(_ source: HeldSource) -> TestStores {
    let store = Store(
      kind: StoreKind(name: "memory", recognizedBy: "", collections: "", keys: ""),
      location: StoreLocation(path: "slow"), capabilities: [.writable, .creates, .ordered],
      keyStyle: .text, source: AnyDataSource(source))
    return wrapping(store, source)
  }

  /// Returns stores by name that make their changes one by one.
  static func stepping(_ sources: [String: SteppingSource]) -> TestStores {
    TestStores(
      opener: { text, _ in
        guard let source = sources[text] else {
          throw StoreError.cannotOpen("\(text) does not exist")
        }
        let kind = StoreKind(
          name: "folder", recognizedBy: "", collections: "", keys: "", isAtomic: false)
        let location = StoreLocation(path: text)
        return OpenStore(kind: kind, location: location, evidence: "") { _ in
          Store(
            kind: kind, location: location, capabilities: [.writable, .creates, .ordered],
            keyStyle: .text, source: AnyDataSource(source))
        }
      }, folder: nil)
  }
}

extension TestFolder {
  /// A database of people, settings, many numbers and an empty table.
  static func sample() async throws -> TestFolder {
    let folder = try TestFolder()
    try await folder.database(
      """
      CREATE TABLE empty (key TEXT PRIMARY KEY, value);
      CREATE TABLE numbers (key TEXT PRIMARY KEY, value);
      CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, born INTEGER, photo BLOB);
      CREATE TABLE settings (key TEXT PRIMARY KEY, value);
      INSERT INTO people VALUES (1, 'Ada', 1815, x'89504e470d0a1a0a'), (2, 'Grace', 1906, NULL),
        (3, 'Zoë', 2011, NULL), (4, '李小龍', 1940, x'00');
      INSERT INTO settings VALUES ('Double.pi', 3.14159265359), ('bob', 'likes tea'),
        ('json', '{"name":"Ada","tags":["math","engine"],"admin":true,"note":null}'),
        ('long', 'A long line of text that has to be wrapped, as it is wider than the pane that \
      shows it: 0123456789 0123456789 0123456789.'), ('nothing', NULL),
        ('raw', x'000102030405060708090a0b0c0d0e0f10ff'), ('two lines', 'one' || char(10) || 'two');
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
        INSERT INTO numbers SELECT printf('key:%04d', i), i * 7 FROM n;
      """)
    return folder
  }
}
