import Foundation
import HarmonySQLite
import Testing

@testable import Harmony
@testable import LarderDocuments
@testable import LarderFiles
@testable import LarderJournal
@testable import LarderModel
@testable import LarderOperations

/// Renders each message of the targets that have a catalogue, `Messages.swift`.
struct MessageCatalogueTests {
  static let targets = [
    "LarderModel", "LarderDocuments", "LarderFiles", "LarderOperations", "LarderJournal",
    "LarderBrowser", "LarderUI",
  ]
  /// The files of this folder that render a catalogue, where it is another than this file.
  private static let files = ["LarderBrowser": "BrowserMessages", "LarderUI": "ScreenMessages"]
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Renders messages with arguments: each without and with its optional parts, and for none, one
  /// and several entries.
  static func rendered(
    _ switched: [@Sendable (Bool) -> String], _ counted: [@Sendable (Int) -> String],
    _ mixed: [@Sendable (Bool, Int) -> String]
  ) -> [String] {
    let (flags, counts) = ([false, true], [0, 1, 12_345])
    return switched.flatMap { flags.map($0) } + counted.flatMap { counts.map($0) }
      + mixed.flatMap { render in
        flags.flatMap { flag in counts.map { render(flag, $0) } }
      }
  }

  // Arguments of messages.
  static let word = "total"
  static let title = "user:7"
  static let call = "u"
  static let cache = "cache.db#kv"
  static let problem = "the disk is full"
  static let advice = "did you mean size?"
  static let time = "in the meantime"

  private static let key = EntryKey.text(title)
  private static let place = StoreLocation(path: "cache.db", collection: "kv")
  static let date = Date(timeIntervalSince1970: 1_790_000_000)

  private static let model: [any Error] = [
    StoreError.conflict(current: nil), StoreError.conflict(current: Entry(key: key)),
    StoreError.cancelled, StoreError.noEntry, StoreError.unsupported, StoreError.noJournal,
    StoreError.noExpiry(place), StoreError.noKeyColumns(place),
    StoreError.notUnique("email", in: "users", keys: []),
    StoreError.notUnique("email", in: "users", keys: ["id", "a,b"]),
    StoreError.sameNewKey(key), StoreError.keyCycle(key),
    StoreError.cannotRestore(Entry(key: key)), StoreError.specialFile(key, "socket"),
    StoreError.closedFolder(key, "deleted"), StoreError.secrets("export"),
    StoreError.tooLargeForJournal(limit: 64 << 20),
    CoreError.NotFound.entry, CoreError.QueryNotSupported.query(AllObjectsQuery()),
    CoreError.IllegalArgument.noValue, CoreError.IllegalArgument.partialValue,
    CoreError.IllegalArgument.unequalCounts,
  ]

  private static let modelTexts: [String?] =
    SyntaxProblem.allCases.map(\.rawValue) + [
      FormatError.endsEarly.reason, FormatError.tooDeep.reason, FormatError.unknownType.reason,
      FormatError.longNumber.reason, FormatError.missing("e", at: 3).reason,
      LarderModel.Messages.unknownZone("Mars"),
      LarderModel.Messages.wrongKeyType(
        .text("x"), TypedKeyColumn(name: "id", type: "INTEGER", form: .integer)),
      LarderModel.Messages.unclosedKey, LarderModel.Messages.notTyped("base64"),
      LarderModel.Messages.notTyped("date"), LarderModel.Messages.notTyped("uuid"),
      LarderModel.Messages.question("expires"), LarderModel.Messages.didYouMean("expires"),
      LarderModel.Messages.column("expires", of: 1), LarderModel.Messages.expiry(of: 2),
      ExpiryZone.forms, ExpiryZone.localTime, SyntaxProblem.notUTF8.text(line: 1, column: 2),
    ] + fields.map { EntryOrder($0).obstacle(in: []) } + ExpiryUnit.allCases.map(\.spoken)
    + [nil, "is only a guess"].map { expiry(doubt: $0).spoken }
    + filters.map { FilterText($0, columns: ["total"]).spoken }
    + [[], ["a"], ["a", "b"], ["a", "b", "c"]].flatMap { columns in
      [nil, "[0].x"].map { change(columns, member: $0).columnText() + key.spoken }
    }

  static let fields: [EntryOrder.Field] = [
    .key, .size, .type, .modified, .expires, .used, .hits, .match, .column("total"),
  ]

  private static let filters = [
    "a", "!a", "'A", "!'A", "^a", "!^a", "a$", "!a$", "^a$", "!^a$", "~ab", "!~ab", "a /b+/",
    "a !/b+/", "/a", "total:", "total:a", "total>1",
  ]

  private static func expiry(doubt: String?) -> CollectionExpiry {
    CollectionExpiry(
      column: "ends", since: doubt, unit: .seconds, confidence: .likely, evidence: "of its name",
      doubts: doubt.map { [$0] } ?? [])
  }

  private static func change(_ columns: [String], member: String?) -> ChangeSummary {
    ChangeSummary(
      number: 7, action: .write, count: 1, key: key, isUndone: false, columns: columns,
      member: member)
  }

  private static let documents: [any Error] = [
    DocumentError.nothing(at: [.name("a"), .index(1)]), DocumentError.taken("a"),
    DocumentError.notAnArray(1), DocumentError.outOfRange(-1, count: 2),
    DocumentError.outOfRange(7, count: 2), DocumentError.notAnObject, DocumentError.rootChange,
    DocumentError.tooDeep, DocumentError.tooLarge, DocumentError.nested,
    DocumentError.missingValue, DocumentError.invalidName, DocumentError.utf16,
    DocumentError.truncatedUTF16, DocumentError.invalidUTF16, DocumentError.hugeJSON,
    DocumentError.noRoot, DocumentError.scalarRoot, DocumentError.notUTF8JSON,
    DocumentError.invalidJSONName(JSONParser.Failure(problem: .notUTF8, line: 1, column: 2)),
    DocumentError.notJSON(.data), DocumentError.nonFinite(.infinity),
    DocumentError.notANumber("0x1"), DocumentError.notUTF8XML, DocumentError.invalidXML,
    DocumentError.foreignXML, DocumentError.noXML("U+0000", isName: true, hasData: false),
    DocumentError.noXML("U+0000", isName: false, hasData: true), DocumentError.notPropertyList,
    DocumentError.noNull, DocumentError.hugeInteger, DocumentError.inexactDate,
    DocumentError.notText, DocumentError.unknownVersion, DocumentError.truncatedList,
    DocumentError.damagedTrailer, DocumentError.danglingReference, DocumentError.overlap,
    DocumentError.deepList, DocumentError.nonTextName, DocumentError.longNames,
    DocumentError.repeatedObjects, DocumentError.notArchive, DocumentError.damaged(3),
    DocumentError.recursive(3), DocumentError.binaryXML, DocumentError.noMap,
    DocumentError.unnamed, DocumentError.notStrings, DocumentError.repeatedString,
    DocumentError.foreignElement, DocumentError.foreignElement("byte"),
    DocumentError.noPreference(.data), DocumentError.misfit("long"), DocumentError.hugeInt,
    DocumentError.notWhole(isInt: true), DocumentError.notWhole(isInt: false),
    DocumentError.inexactFloat("0.1"), DocumentError.inexactDouble,
    DocumentError.notUTF8Preference, DocumentError.noDataStoreValue(.array),
    DocumentError.malformed(LarderDocuments.Messages.notUTF8Name, at: 3),
  ]

  private static let documentTexts: [String?] = [
    LarderDocuments.Messages.openStep, LarderDocuments.Messages.wideList,
    LarderDocuments.Messages.set, LarderDocuments.Messages.archive,
    LarderDocuments.Messages.invalidName, LarderDocuments.Messages.foreignType,
    LarderDocuments.Messages.foreignField,
    LarderDocuments.Messages.keys(["a", "b"], isAll: true),
    LarderDocuments.Messages.keys(["a", "b"], isAll: false),
  ]

  private static let fileTexts: [String?] = [
    OwnerOnlyFile.Obstacle.danglingLink.reason, OwnerOnlyFile.Obstacle.unusableFolder.reason,
    OwnerOnlyFile.Obstacle.readableByOthers(FileFailure(EPERM)).reason,
  ]

  private static let store = Store(
    kind: StoreKind(name: "test", recognisedBy: "", collections: "", keys: ""),
    location: place, capabilities: [], keyStyle: .text,
    source: AnyDataSource(InMemoryDataSource<Entry>()))

  private static let operations: [any Error] = [
    StoreError.shownSecrets, StoreError.notRenamable(key), StoreError.noNewEntries(store),
    StoreError.unreadable(key),
    StoreError.notCopied(key, LarderOperations.Messages.noReadableValue),
    StoreError.sameKeys(key, in: place), StoreError.tooLargeToCopy(maximum: 64 << 20),
    StoreError.moveLoses(TransferReport(), in: place),
    StoreError.storesOther("a", "text", as: nil, in: place),
    StoreError.storesOther("a", "text", as: "text", in: place),
    StoreError.storesOther("a", "text", as: "data", in: place),
    StoreError.moveDeletesCopy(key, others: 0, from: place, to: place),
    StoreError.moveDeletesCopy(key, others: 2, from: place, to: place),
    StoreError.tooMany(10_000), StoreError.noExpiryToExtend(key, 1),
    StoreError.noExpiryToExtend(key, 2), StoreError.tooLargeToSort("b.jsonl"),
    StoreError.unsorted("b.jsonl"),
  ]

  private static let operationTexts: [String?] =
    [
      OperationFailure.nothingWritten, OperationFailure.entries(1),
      OperationFailure.outcome(2, "deleted"), Rename.nothing, Deletion.nothing, Store.unreadable,
    ] + [
      LarderOperations.Messages.noValue, LarderOperations.Messages.copyRolledBack,
      LarderOperations.Messages.notReported, LarderOperations.Messages.restored,
      LarderOperations.Messages.exists("a"),
      LarderOperations.Messages.exists("a", in: place, isMove: false),
      LarderOperations.Messages.inAll("2 entries were deleted"),
      LarderOperations.Messages.before("2 entries were deleted"),
      LarderOperations.Messages.partlyWritten(1, of: 2), LarderOperations.Messages.rolledBack(1),
      LarderOperations.Messages.notRolledBack(2, "busy"),
      LarderOperations.Messages.copyNotRolledBack("busy"),
      LarderOperations.Messages.rollBackLater("busy", change: 7),
      LarderOperations.Messages.notRestored("busy"),
      LarderOperations.Messages.notMoved(0, of: 2, from: place, to: place),
      LarderOperations.Messages.notMoved(1, of: 2, from: place, to: place),
      LarderOperations.Messages.neverExpire(key, 2),
      LarderOperations.Messages.unchangedExpiry(key, 1),
      LarderOperations.Messages.unchangedExpiry(key, 2),
      LarderOperations.Messages.expired("a", at: date),
      LarderOperations.Messages.storedOther("a", in: place),
      LarderOperations.Messages.storedOther(["b", "c"], of: "a", in: place),
    ] + OverviewSpan.allCases.map(\.title)
    + OverviewText.summary(of: Overview(delimiter: nil, at: date), showsExpiry: true)

  private static let journal: [any Error] =
    [true, false].flatMap { flag -> [any Error] in
      [
        StoreError.nothing(isRedo: flag), StoreError.alreadyReplayed(7, isRedo: flag),
        StoreError.noSuchChange(7, isRedo: flag), StoreError.beingReplayed(isUndo: flag),
        StoreError.interrupted(isUndo: flag, isLast: true),
        StoreError.interrupted(isUndo: flag, isLast: false),
      ]
    }
    + [Journal.Purpose.reading, .settling, .writing].flatMap { purpose -> [any Error] in
      [
        StoreError.untrusted(
          TrustedPath.Refusal(description: "others can write to /j"), purpose),
        StoreError.busyJournal("/j", purpose), StoreError.journal("/j", "disk full", purpose),
      ]
    } + [
      StoreError.undecided(7), StoreError.shifted(date),
      StoreError.movedBy(8, key, undoing: 7), StoreError.removesEarlier(key),
      StoreError.inexact(key, "it is a link"), StoreError.noLongerExpires,
      StoreError.damagedJournal, SQLiteError.notAJournal, SQLiteError.laterJournal,
      SQLiteError.earlierJournal(2),
    ]

  private static let journalTexts: [String?] = [
    LarderJournal.Messages.unsettled("busy"), LarderJournal.Messages.noOldContent("old version"),
    LarderJournal.Messages.cachedAgain(key, others: 0),
    LarderJournal.Messages.cachedAgain(key, others: 2),
  ]

  /// The messages whose form is checked.
  static let messages: [String] =
    (model + documents + operations + journal).map { error in
      switch error {
      case let error as StoreError: error.message
      case let error as SQLiteError: error.message
      default: String(describing: error)
      }
    } + (modelTexts + documentTexts + fileTexts + operationTexts + journalTexts).compactMap(\.self)

  /// The texts of screens, among them labels, clauses and whole sentences.
  static let texts = browser + screen + [FilterText("").spoken]

  @Test func `Messages start in lower case and have no full stop`() {
    for text in Self.messages {
      #expect(!text.isEmpty && !text.contains("  ") && text.trimmed == text, "\(text)")
      #expect(!text.hasSuffix(".") && !text.hasSuffix(";") && !text.hasSuffix(":"), "\(text)")
      let isName =
        ["Android", "DataStore", "Julian"].contains(where: text.hasPrefix)
        || text.dropFirst().first?.isUppercase == true
      #expect(text.first?.isUppercase != true || isName, "\(text)")
    }
  }

  @Test func `Each text is natural and its brackets are closed`() throws {
    let phrases = try Self.phrases()
    #expect(phrases.count > 15)
    for text in Self.messages + Self.texts {
      func count(_ character: Character) -> Int { text.count { $0 == character } }
      #expect(count("\"") % 2 == 0 && count("“") == count("”"), "\(text)")
      #expect(count("(") == count(")"), "\(text)")
      #expect(!text.hasSuffix("..") && !text.hasSuffix(";"), "\(text)")
      for phrase in phrases {
        let range = NSRange(text.startIndex..., in: text)
        #expect(phrase.firstMatch(in: text, range: range) == nil, "\(text): \(phrase.pattern)")
      }
    }
  }

  @Test(arguments: targets) func `Each member of a catalogue is rendered`(target: String) throws {
    let file = Self.files[target] ?? "MessageCatalogueTests"
    let tests = try Self.source("Tests/LarderStoresTests/\(file).swift")
    let names = try Self.sources(of: target).filter(\.isCatalogue).flatMap { file in
      file.text.matches(
        of: /(?m)^(?:  |    (?=static ))(?:public |package )?(?:static )?(?:let|var|func) (\w+)/
      ).map { $0.1 }
    }
    #expect(!names.isEmpty)
    for name in names {
      #expect(
        tests.firstMatch(of: try Regex("\\.\(name)\\b").wordBoundaryKind(.simple)) != nil,
        "\(target): \(name)")
    }
  }

  @Test(arguments: targets) func `Sentences are in the catalogue only`(target: String) throws {
    let files = try Self.sources(of: target)
    #expect(files.count > 3)
    for file in files where !file.isCatalogue {
      var text = file.text.replacing(/(?m)^ *\/\/.*$/, with: "")
      // Lists of commands, settings and keys are printed by the help and the manual.
      text.replace(/Command\(\s*"[^"]*",\s*"[^"]*"/, with: "")
      text.replace(/help:\s*"(?:[^"\\]|\\.)*"/, with: "")
      text.replace(/title: "[^"]*", commands:/, with: "")
      text.replace(/keys: "[^"]*", text: "[^"]*"/, with: "")
      for literal in text.matches(of: /"(?:[^"\\\n]|\\.)*"/) {
        // Forms such as `<name that is not text>` are stored, not shown.
        let isSentence = literal.0.firstMatch(of: /[a-z’]+ [a-z]+ [a-z]+/) != nil
        #expect(!isSentence || literal.0.hasPrefix("\"<"), "\(file.name): \(literal.0)")
      }
      for call in text.matches(of: /\b(?:say|refuse|Notice)\((?:text: )?\s*("(?:[^"\\\n]|\\.)*")/) {
        let words = call.1.replacing(/\\\((?:[^()]|\([^()]*\))*\)/, with: "")
        let isWorded = words.contains(where: \.isLetter)
        #expect(!isWorded, "\(file.name): \(call.0)")
      }
    }
  }

  /// A source file of a target.
  private struct SourceFile {
    let name: String
    let text: String

    /// Whether the file belongs to the catalogue of its target.
    var isCatalogue: Bool { name.hasSuffix("Messages.swift") }
  }

  private static func sources(of target: String) throws -> [SourceFile] {
    let folder = root.appending(path: "Sources/\(target)")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return try (names ?? []).filter { $0.hasSuffix(".swift") }.map {
      SourceFile(name: $0, text: try source("Sources/\(target)/\($0)"))
    }
  }

  private static func source(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns the phrases that `.ci/prose` counts.
  private static func phrases() throws -> [NSRegularExpression] {
    try source(".ci/prose").matches(of: /": r"([^"]+)",/).map {
      try NSRegularExpression(pattern: String($0.1), options: .anchorsMatchLines)
    }
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
