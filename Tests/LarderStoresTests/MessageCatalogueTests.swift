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
  ]
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static let key = EntryKey.text("user:7")
  private static let place = StoreLocation(path: "cache.db", collection: "kv")
  private static let date = Date(timeIntervalSince1970: 1_790_000_000)

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
      ExpiryZone.forms,
    ]

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
    ]

  private static let journalTexts: [String?] = [
    LarderJournal.Messages.unsettled("busy"), LarderJournal.Messages.noOldContent("old version"),
    LarderJournal.Messages.cachedAgain(key, others: 0),
    LarderJournal.Messages.cachedAgain(key, others: 2),
  ]

  static let rendered: [String] =
    (model + documents + operations + journal).map { error in
      switch error {
      case let error as StoreError: error.message
      case let error as SQLiteError: error.message
      default: String(describing: error)
      }
    } + (modelTexts + documentTexts + fileTexts + operationTexts + journalTexts).compactMap(\.self)

  @Test func `Each message is well-formed`() throws {
    let phrases = try Self.phrases()
    #expect(phrases.count > 15)
    for text in Self.rendered {
      func count(_ character: Character) -> Int { text.count { $0 == character } }
      #expect(!text.isEmpty && !text.contains("  ") && text.trimmed == text, "\(text)")
      #expect(count("\"") % 2 == 0 && count("“") == count("”"), "\(text)")
      #expect(count("(") == count(")"), "\(text)")
      #expect(!text.hasSuffix(".") && !text.hasSuffix(";") && !text.hasSuffix(":"), "\(text)")
      let isName =
        ["Android", "DataStore"].contains(where: text.hasPrefix)
        || text.dropFirst().first?.isUppercase == true
      #expect(text.first?.isUppercase != true || isName, "\(text)")
      for phrase in phrases {
        let range = NSRange(text.startIndex..., in: text)
        #expect(phrase.firstMatch(in: text, range: range) == nil, "\(text): \(phrase.pattern)")
      }
    }
  }

  @Test(arguments: targets) func `Each member of a catalogue is rendered`(target: String) throws {
    let tests = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let catalogue = try Self.source("Sources/\(target)/Messages.swift")
    let names = catalogue.matches(of: /static (?:let|func) (\w+)/).map { $0.1 }
      .filter { $0 != "summary" }
    #expect(!names.isEmpty)
    for name in names {
      #expect(
        tests.firstMatch(of: try Regex("\\.\(name)\\b").wordBoundaryKind(.simple)) != nil,
        "\(target): \(name)")
    }
  }

  @Test(arguments: targets) func `Sentences are in the catalogue only`(target: String) throws {
    let folder = Self.root.appending(path: "Sources/\(target)").path
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    #expect(files.count > 3)
    for file in files where file.hasSuffix(".swift") && file != "Messages.swift" {
      for line in try Self.source("Sources/\(target)/\(file)").split(separator: "\n")
      where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        for literal in line.matches(of: /"(?:[^"\\]|\\.)*"/) {
          // Forms such as `<name that is not text>` are stored, not shown.
          let isSentence = literal.0.firstMatch(of: /[a-z’]+ [a-z]+ [a-z]+/) != nil
          #expect(!isSentence || literal.0.hasPrefix("\"<"), "\(file): \(literal.0)")
        }
      }
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
