import Foundation
import HarmonySQLite
import TestCatalogues
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
    "LarderFormats", "LarderBrowser", "LarderUI",
  ]
  /// The files of this folder that render a catalogue, where it is another than this file.
  private static let files = [
    "LarderFormats": "FormatMessages", "LarderBrowser": "BrowserMessages",
    "LarderUI": "ScreenMessages",
  ]

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
    kind: StoreKind(name: "test", recognizedBy: "", collections: "", keys: ""),
    location: place, capabilities: [], keyStyle: .text,
    source: AnyDataSource(InMemoryDataSource<Entry>()))

  private static let operations: [any Error] = [
    StoreError.shownSecrets, StoreError.exportedSecrets, StoreError.notRenamable(key),
    StoreError.noNewEntries(store),
    StoreError.unreadable(key),
    StoreError.notCopied(key, LarderOperations.Messages.noReadableValue),
    StoreError.sameKeys(key, in: place), StoreError.tooLargeToCopy(maximum: 64 << 20),
    StoreError.moveLoses(TransferReport(), in: place), StoreError.moveLoses(oneName),
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
      OperationFailure.outcome(2, "deleted"), Rename.nothing, Deletion.nothing,
      Deletion.remainder(1),
      Deletion.remainder(2), Store.unreadable,
    ] + [
      LarderOperations.Messages.noValue, LarderOperations.Messages.expires(word),
      LarderOperations.Messages.copyRolledBack,
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
      LarderOperations.Messages.closedFolder, LarderOperations.Messages.notRestorable(oneName),
      LarderOperations.Messages.notRestorable(names),
      LarderOperations.Messages.itsKey, LarderOperations.Messages.key("a"),
      LarderOperations.Messages.line(2, of: EntryLineReader.standardInput),
      LarderOperations.Messages.importedBefore(0, of: 2),
      LarderOperations.Messages.importedBefore(1, of: 2),
      LarderOperations.Messages.importedBefore(1, of: 1),
      LarderOperations.Messages.importedBefore(2, of: 2),
      LarderOperations.Messages.partlyImported(0, of: 2),
      LarderOperations.Messages.partlyImported(1, of: 2),
      LarderOperations.Messages.changedDuringImport(nil),
      LarderOperations.Messages.hasOtherValue("a"), names.description, "a" + NameList.others(1),
      LarderOperations.Messages.storedOther(["b", "c"], of: "a", in: place),
    ] + OverviewSpan.allCases.flatMap { [$0.title, $0.shortTitle] }
    + OverviewText.summary(of: Overview(delimiter: nil, at: date), showsExpiry: true)
    + OmissionReason.allCases.flatMap { (reason: OmissionReason) -> [String] in
      [oneName, names].map { names in
        LarderOperations.Messages.incompleteExport(
          2, leftOut: [LarderOperations.Messages.leftOut(names, reason, of: store.kind)])
      }
    }
    + inputErrors.map(\.message)

  private static let inputErrors: [InputError] = [
    .notEntry("line 1 of a", StoreError.failed("it is not JSON"), isCutOff: true),
    .notEntry("line 1 of a", StoreError.failed("it is not JSON"), isCutOff: false),
    .notLine("line 1 of a", isTooLong: true), .notLine("line 1 of a", isTooLong: false),
    .unreadable("a", "it is closed"), .notFile("a"), .interrupted(after: "line 1 of a"),
    .interrupted(after: nil),
    .repeatedKey(LarderOperations.Messages.itsKey, "line 1 of a", afterLine: 1),
    .repeatedKey("the key a", "line 1 of a"),
  ]

  private static let oneName = NameList(["a"])
  private static let names = NameList((1...7).map { "a\($0)" })

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
    LarderJournal.Messages.expired(key, others: 0),
    LarderJournal.Messages.expired(key, others: 2),
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
    + formats

  /// The texts of screens, among them labels, clauses and whole sentences.
  static let texts = browser + screen + headings + [FilterText("").spoken]

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
    let rules = try TextRules()
    #expect(rules.phraseCount > 15)
    for text in Self.messages + Self.texts where !text.isEmpty {
      #expect(rules.fault(of: text) == nil, "\(text)")
      #expect(!text.hasSuffix("..") && !text.hasSuffix(";"), "\(text)")
    }
  }

  @Test(arguments: targets) func `Each member of a catalogue is rendered`(target: String) throws {
    let file = Self.files[target] ?? "MessageCatalogueTests"
    let sources = try MessageSources(target)
    #expect(!sources.members.isEmpty)
    let tests = try MessageSources.text("Tests/LarderStoresTests/\(file).swift")
    #expect(try sources.unrendered(in: tests) == [])
  }

  /// Lists of commands, settings and keys, which are printed by the help and the manual.
  private static let declarations: [String: Set<String>] = [
    "Command": ["", "help"], "ConfigurationSetting": ["help"], "text": ["help"], "truth": ["help"],
    "": ["title"], "init": ["text"], "ValueFormat": ["shows"], "opening": ["shows"],
  ]

  @Test(arguments: targets) func `Sentences are in the catalogue only`(target: String) throws {
    let sources = try MessageSources(target)
    #expect(sources.count > 3)
    #expect(sources.sentences(except: Self.declarations) == [])
    #expect(sources.words(saidBy: ["say", "refuse", "Notice"]) == [])
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
