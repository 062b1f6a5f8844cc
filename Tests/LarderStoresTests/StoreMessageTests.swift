import Foundation
import HarmonySQLite
import TestCatalogues
import Testing

@testable import Harmony
@testable import HarmonyInspection
@testable import LarderModel
@testable import LarderStoreBase
@testable import LarderStores

/// Renders the messages of the stores, which are in the folder `Messages`.
@Suite struct StoreMessageTests {
  static let key = EntryKey.text("user:7")
  private static let kind = StoreKind(name: "test", recognizedBy: "", collections: "", keys: "")
  private static let names = (1...30).map { "t\($0)" }
  private static let place = StoreLocation(path: "unix:/run/a.sock")
  private static let rename = RenameQuery(
    key, to: .text("user:8"), expecting: Fingerprint(of: .text("a")))
  private static let problem = StoreError.failed("the disk is full")

  private static let kinds: [StoreError] = [
    .noCollection("a", in: "a.json"), .missing("class", "t31", in: "a.realm", of: names),
    .missing(Messages.tableOrView, "x", in: "a.db", of: ["a"]),
    .several("tables", in: "a.db", names), .severalStores(in: "/a", ["a"], unreadable: names),
    .without(Messages.tablesOrViews, in: "a.db"), .notOpened("a.db", "it is a folder"),
    .unreadable("a.db"), .socket("/a.sock"), .specialFile("/dev/null"), .empty("a.db"),
    .unknownKind("a"), .unknownKind("a", Messages.textOfNoKind, of: ["json", "plist"]),
    .unknownKind("a", Messages.bytesOfNoKind([1, 0xFF]), of: ["json"]), .openedReadOnly("a.db"),
    .noColumn("end", in: "a.db"), .unreadableTable("t", of: "a.db", "no such function"),
    .notExpiry("end", of: "t", nil), .notExpiry("end", of: "t", "it holds text"),
    .noHeader("a.db", size: 1), .cutShort("a.db", size: 4_096, of: 8_192),
    .notDomain("defaults:a/b"), .noFolder("/a"), .lockedDefaults("a.plist"), .insideValue(key),
    .readOnlyFile("a.json"), .damaged("a.mmkv", checkedBy: "a.crc"), .encryptedMMKV("a.mmkv"),
    .onlyRead("a.mmkv", "an MMKV file"),
    .unreadableProperty("dog.name", of: key, in: "a.realm", "a list is damaged"), .noSeed("a.json"),
    .unreadableSeed("a.json"),
    .seedNotJSON("a.json", problem), .seedNotObject("a.json"), .missingService,
    .secretsNotSearched, .builtWithoutKeychain("keychain:a"), .notSecret(key, .integer),
    .notSecretKey(.integer(1)), .noSample("a.db", problem),
    .unreadableValue, .otherHost("file://a/b", "a"), .notFileURL("file:%"), .noFileName("file:"),
    .exists("a.jsonl"), .notExported("a.jsonl", "disk full"),
    .doubtfulExport("a.jsonl", "disk full"),
    .exportOver(Messages.otherFile, "/a"), .exportOver(Messages.openStore, "/a"),
    .exportOver(Messages.file(of: "a.db"), "/a"), .slowExpression, .notExpression("a["),
    .noRoom(SQLiteError(.full)), .noneAfter(key, by: EntryOrder(.size)),
  ]

  private static let live: [StoreError] =
    [
      .missingSocket, .unlistable("sessions"), .sentInvalidJSON(problem), .sentSize(-1),
      .sourceHolds("text", .integer), .noJSON(.data), .liveKeysAreText, .unansweredWrite,
      .disconnectedWrite, .invalidAnswerToWrite("it is too long"),
      .unreadableBackingStore(key, CoreError.NotImplemented("it cannot refresh")),
      .notWritten(.timedOut),
      .notImplemented(CoreError.NotImplemented("it cannot refresh"), Messages.nothingWritten),
      .notTimedCache("sessions"), .oldInspection(nil), .oldInspection(Messages.nothingChanged),
      .halfRenamed(rename, .timedOut), .changedDuring(rename),
    ]
    + [
      InspectionError.pathTooLong("/a"), .noSocket("/a"), .inUse("/a"), .notListening("/a"),
      .stranger(user: 7), .system(doing: "connect", number: EPERM), .otherVersion, .otherEntry,
      .unsortedKeys, .surplusKeys, .timedOut, .crowded, .disconnected, .tooLarge(limit: 9),
      .busy, .readOnly("a"), .unknownSource("a"),
    ].map { StoreError(live: $0, at: place) }

  private static let texts: [String] = [
    names.listed(), Messages.unreadable(names), Messages.notOpenNow(kind),
    Messages.propertyList, Messages.directory, Messages.storeInside, Messages.jsonObject,
    Messages.jsonArray, Messages.dataStore, Messages.preferences, Messages.binaryList,
    Messages.xmlList, Messages.openStepList, Messages.realm, Messages.encryptedRealm,
    Messages.sqlite, Messages.ownSources, OpeningMessages.scheme("unix"),
    Messages.dataStoreName(".preferences_pb"), Messages.preferencesBackup("a.xml.bak"),
    Messages.mmkv(".crc"), Messages.cache("cache.db", of: "diskcache"),
    Messages.app("databases", stores: 1, unreadable: []),
    Messages.app("databases", stores: 2, unreadable: ["a"]),
    Messages.container(2, stores: 3, unreadable: []), OpeningMessages.openedReadOnly,
    WriteObstacle.ofFiles(of: "LevelDB"), Messages.hardLinks, Messages.otherOwner,
    Messages.closedFolder, Messages.closedDatabaseFolder, Messages.closedNeighbor("a.db-wal"),
    Messages.mode("444"), Messages.room, Messages.unusableRule("a", "line 2", table: "t", "it is"),
    Messages.archive, Messages.archiveFormat, Messages.notThere("a.plist"),
    Messages.cacheExpiry("a.json"), Messages.scalar(.integer, "1"), Messages.readOnlyMMKV,
    Messages.readOnlyRealm, Messages.exportedRealm, Messages.memory, Messages.noNotices("/a"),
    Messages.manyFolders("/a", maximum: 9, interval: 5), Messages.unwritableSource,
    Messages.noNotices, Messages.form("Int", isCache: true), Messages.form("Int", isCache: false),
    Messages.ended("unix:/a"), Messages.message("it is full", after: 0),
    Messages.message("it is full", after: 1), Messages.message("it is full", after: 2),
    Messages.unknownOutcome(.timedOut), CoreError.NotFound.key(key).description,
    FormatError.wrongSize.reason, FormatError.keyNotText.reason,
  ]

  private static var rendered: [String] {
    (kinds + live + tables + expiries + folders + documents).map(\.message) + texts + tableTexts
      + folderTexts + documentTexts
  }

  @Test func `Each message is well-formed`() throws {
    let rules = try TextRules()
    for text in Self.rendered {
      let text = text.hasPrefix("; ") ? String(text.dropFirst(2)) : text
      #expect(rules.fault(of: text) == nil && !text.contains("  "), "\(text)")
      #expect(!text.hasSuffix(".") && !text.hasSuffix(";") && !text.hasSuffix(" "), "\(text)")
      let isName = ["Android", "SQLite", "NSKeyedArchiver"].contains(where: text.hasPrefix)
      #expect(text.first?.isUppercase != true || isName, "\(text)")
    }
  }

  /// The files of the catalogue that convert errors, which other tests render.
  private static let converters = ["SQLiteMessages", "FileMessages"]

  @Test(arguments: ["LarderStores", "LarderStoreBase"])
  func `Each member of the catalogue is rendered`(target: String) throws {
    let sources = try MessageSources("\(target)/Messages").without(Self.converters)
    #expect(sources.members.count > 5)
    let tests = try ["StoreMessageTests", "TableMessages", "FolderMessages"].map {
      try MessageSources.text("Tests/LarderStoresTests/\($0).swift")
    }
    #expect(try sources.unrendered(in: tests.joined()) == [])
  }

  /// The arguments of calls that declare kinds and collections.
  private static let declarations: [String: Set<String>] = [
    "StoreKind": ["recognizedBy", "collections", "keys", "withoutValue"],
    "StoreCollection": ["form", "keys"],
    // Messages of SQLite that are recognized.
    "": ["start"],
  ]

  @Test(arguments: [
    "Container", "Defaults", "Documents", "Folder", "Keychain", "Kinds", "Live", "MMKV", "Memory",
    "Realm", "SQLite", "Support", "Watching",
  ]) func `Sentences are in the catalogue or declare a kind`(folder: String) throws {
    // The names that columns have are words in a row.
    let sources = try MessageSources("LarderStores/\(folder)").without(["Expiry/ColumnRole"])
    #expect(sources.count > 0)
    #expect(sources.sentences(except: Self.declarations) == [])
  }

  @Test(arguments: ["HarmonyRealm", "LarderStoreBase", "TerminalNcurses", "TerminalUI"])
  func `Sentences of other targets are in their catalogues`(target: String) throws {
    let sources = try MessageSources(target)
    #expect(sources.members.count > 5)
    #expect(sources.sentences(except: [:]) == [])
  }
}
