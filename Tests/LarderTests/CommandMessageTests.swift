import Foundation
import TerminalUI
import TestCatalogues
import Testing

@testable import Harmony
@testable import LarderDocuments
@testable import LarderFormats
@testable import LarderJournal
@testable import LarderModel
@testable import LarderOperations
@testable import LarderStores
@testable import larder

/// Renders each message of the command line, which are in the folder `Messages`.
@Suite struct CommandMessageTests {
  private static let place = StoreLocation(path: "cache.db", collection: "kv")
  private static let kind = StoreKind(name: "test", recognizedBy: "", collections: "", keys: "")
  private static let store = Store(
    kind: kind, location: place, capabilities: [], keyStyle: .text,
    source: AnyDataSource(InMemoryDataSource<Entry>()))
  private static let expiry = CollectionExpiry(
    column: "end", unit: .seconds, confidence: .likely, evidence: "it holds times",
    doubts: ["it may be a business date"], remedy: "--expires-column end",
    zoneDoubt: "the time zone is unknown")
  private static let date = Date(timeIntervalSince1970: 1_790_000_000)
  private static let print = Fingerprint(of: .text("a"))
  private static let refusal = TrustedPath.Refusal(description: "others can write to /j")
  private static let problem = StoreError.failed("the disk is full")
  private static let one = NameList(["a"])
  private static let many = NameList((1...7).map { "a\($0)" })

  private static let argumentFailures: [Failure] = [
    .resumeWithLocation, .missingStore, .missingStore(after: "a.db"),
    .unknownWord("gte", in: ["get"]), .unknownWord("x", in: ["get"]),
    .unknownCommand("gte", in: ["get"]), .unknownCommand("x", in: ["get"]),
    .missingWord("KEY", usage: "larder get LOCATION KEY"), .unexpectedWord("x", isPrefix: false),
    .unexpectedWord("x", isPrefix: true), .emptyNewKey,
    .unconfirmed(Messages.rename(2, in: place)), .unknownOption("--jsn", in: ["--json"]),
    .unknownOption("--x", in: ["--json"]), .misplacedForm, .together(.json, .prefix),
    .missingValue(.prefix), .notDuration("1o", of: "--ttl"), .notCount("x", of: "--limit"),
    .notFlag("x", of: "--json"), .notChoice("kye", of: "--sort", ["key", "size"]),
    .notZone("Mars", of: "--expires-zone"), .empty("--prefix", which: "delete"),
    .noDryRun("LARDER_DRY_RUN"), .pathNotUTF8("a\\xff"), .wordNotUTF8("a\\xff", digits: "61ff"),
    .unreadableSettings("a.json"), .noFileLimit("too many open files"), .noMemory("no memory"),
    .noPipe,
  ]

  private static let readingFailures: [Failure] =
    [
      .notLiveCache(place), .noEntry("a", in: place, hint: nil),
      .noEntry("1", in: place, hint: Messages.hint("'\"1\"'")), .noMatch(in: place),
      .noMatch(in: place, prefix: "a"), .conflict("a exists", Messages.nothingDone),
      .unknownZone("the zone is unknown", Messages.nothingListed), .noExpiry(place),
      .notRegex("("), .noColumn("totl", in: place, columns: ["total"]),
      .noColumn("x", in: place, columns: ["total", "id"]), .incompleteFilter("total>"),
      .bytesToTerminal, .secretsInExport(place), .twoStreams, .notWatchable(store),
      .invalidKeys(problem), .invalidSize("x"), .missingShell(["bash", "zsh"]),
      .unknownShell("bsh", ["bash", "zsh"]), .unknownShell("x", ["bash", "zsh"]),
      .untrustedFolder(refusal), .noFolder("/a", "denied"), .noFolder(in: "/a", "denied"),
      .noJournal(to: "undo"), .noChanges(of: nil), .noChanges(of: .store(place)), .noChange(7),
      .notUndone(change), .alreadyUndone(change, 7), .nothingToReplay("undo", in: nil),
      .nothingToReplay("redo", in: .store(place)), .changedSinceUndo(in: nil, change, 7),
      .endedProcess(place), .changedSince(nil, Deletion.nothing),
      .changedSince("a", Rename.nothing),
      Failure(problem).replayed(change, "undone"), Failure(problem).notReplayed(change, "undone"),
      Failure(StoreError.readOnly(store, Messages.nothingDone)),
      Failure(StoreError.temporary(place)),
      Failure(StoreError.notTimedCache(place)), .noTerminal(problem), .theme("unknown theme"),
    ]
    + EntryKey.text("a").unnumberedNames.flatMap { name in
      [true, false].map { Failure.repeatedName(name, isTwice: $0, in: place) }
    }

  private static let writingFailures: [Failure] =
    [
      .valueNotGivenOnce, .invalidFingerprint, .programSetsTTL("a"), .noSuchType("data", in: store),
      .nullKey(isTextPossible: true), .nullKey(isTextPossible: false),
      .notUTF8("a", isKnown: true, .integer), .notUTF8("a", isKnown: false, .text),
      .notOfType(.integer, ValueText.Failure("it has a letter"), key: "a"),
      .notOfType(.integer, ValueText.Failure("it has a letter"), key: nil),
      .notRow(ValueText.Failure("a column is missing"), columns: ["k", "v"]),
      .notRow(in: place, columns: ["a", "b", "c", "d", "e"]),
      Failure(problem).expiryNotSet(of: "a"), .unreadableInput("a.bin"),
      .tooLarge("a.bin", limit: 64 << 20),
      .tooLargeForJournal("a.bin", limit: 64 << 20),
      .nothingChosenToDelete, .nothingChosenToTouch, .noExpiryChosen,
      .notExpiry(.ttl, "type 10m"),
      .nothingToCopy(from: place, isIncomplete: true),
    ] + [ExpiryZone("UTC")].compactMap(\.self).map { .skippedTime("2026-03-29 02:30", in: $0) }

  private static let change = Messages.change(7, "put a in cache.db")

  private static let lostExpiry: TransferReport = {
    var report = TransferReport()
    report.addExpiry()
    return report
  }()

  private static let generalTexts: [String] = [
    ConfigurationFile.Unreadable.tooLarge.description,
    ConfigurationFile.Unreadable.notRegular.description, Messages.listsCommands,
    Messages.listsThemes, Messages.notRegularFile,
    Messages.unknownVariable("LARDER_X", near: "LARDER_Y"),
    Messages.readOnly(byVariable: "LARDER_READ_ONLY"), Messages.readOnly(byOption: "--read-only"),
    Messages.readOnly(bySettings: "a.json", line: 2), Messages.readOnly(byUnreadable: "a.json"),
    Messages.unreadable("a.json", problem), Messages.untrusted("a.json", refusal), Messages.closed,
    Messages.unwritableOutput(Messages.closed, isChanged: true),
    Messages.unwritableOutput(Messages.closed, isChanged: false), Messages.noPager("x"),
    Messages.unrunnablePager("x"), Messages.interrupted(Messages.processed(1, "exported")),
    Messages.processed(2_000, "exported"), Messages.anEntry,
    Messages.changed("a", isInBackingStore: true), Messages.changed("a", isInBackingStore: false),
    Messages.gone(nil), Messages.gone("a"), Messages.stopped(after: 0, "evicted"),
    Messages.stopped(after: 2, "evicted"), Messages.dataAsText(1, in: place),
    Messages.dataAsText(2, in: place), Messages.left(lostExpiry, in: place),
    Messages.expiriesNotSet(problem), Messages.otherExpiries(one), Messages.otherExpiries(many),
    Messages.password(of: "redis://h"),
    many.description, "a" + NameList.others(3),
    Messages.disabledExpiry,
    Messages.fileExpiry, Messages.rowExpiry, Messages.expiriesNotReported, Messages.noExpiry(place),
    Messages.assumedZone("the zone is unknown"),
    Messages.doubt("it may be a date", Messages.nothingListed, of: expiry, remedy: "--x y"),
    Messages.doubts(["it may be a date"], options: ""),
    Messages.doubts(["it may be a date", "the zone is unknown"], options: "--x y"),
    Messages.rounded("a", to: date, isLater: true, others: 0),
    Messages.rounded("a", to: date, isLater: false, others: 2),
    Failure(problem).advising(Messages.listsChanges).message,
    Failure(problem).saying("it failed").message,
  ]

  private static let readingTexts: [String] = [
    Messages.incompleteList(many), Messages.missingValueFile("a"), Messages.usualForm,
    Messages.notShown,
    Messages.differences(["1 removed", "2 added"], same: 1), Messages.differences(["a"], same: 2),
    Messages.notCompared(one), Messages.readOnlyAbility, Messages.partialOverview(1),
    Messages.partialOverview(2_000), Messages.unknownChange, Messages.watching(1, of: place),
    Messages.watchingLargeStore(place, maximum: 10_000), Messages.notReread(problem),
    Messages.sample("a.db"), Messages.unreadableKey, Messages.replayed(change, "undone"),
    Messages.nextChange("undo"), Messages.replayAgain("undo"), Messages.unreadableChange(7),
    Messages.conflict(
      "a", expected: Messages.expectedFingerprint(print),
      found: "1" + Messages.foundFingerprint(print)),
  ]

  private static let passedTexts: [String] = [
    ChangeFate.discarded, .removed, .notBegun, .finished, .replayedByAnother, .reverted,
  ].map { (fate: ChangeFate) -> String in
    Messages.passed(change, fate, "undone", advice: Messages.replayAgain("undo"))
  }

  private static let writingTexts: [String] = [
    Messages.replacesSecret, Messages.ttlAndRecord, Messages.takesJSON(.dictionary),
    Messages.noStoredExpiry("a", in: place), Messages.staysNull("a"), Messages.textNull("a"),
    Messages.storedAsData("a"), Messages.storedAsText("a"), Messages.brokenJSON(["a", "b"]),
    Messages.rowForm(["k", "v"]), Messages.sameKey("1", as: "1.0"),
    Messages.existsAlready("a", print), Messages.existsAlready("a", nil),
    Messages.changed("a was changed", print), Messages.deleted(NameList()), Messages.deleted(many),
    Messages.deleted(1, in: place), Messages.deleted(2, in: place, of: 3),
    Messages.deleted(2, in: place, of: 4),
    Messages.evicted(1, in: place), Messages.renamed(1, in: place), Messages.notInBackingStore("a"),
    Messages.replaceReplaces, Messages.copied(1, to: place, same: 0, isDry: false),
    Messages.copied(2, to: place, same: 1, isDry: true), Messages.notCopied(many),
    Messages.partlyCopied(one), Messages.partlyCopied(many),
    Messages.imported(1, into: place, same: 2, isDry: false),
    Messages.imported(0, into: place, same: 0, isDry: true), Messages.undoImport(place),
    Messages.notValidText("a"),
  ]

  private static let browserTexts: [String] = [
    Messages.noSession, Messages.sessionNotSaved(problem),
    Messages.ended(by: 15, unsaved: nil, nil),
    Messages.ended(by: 15, unsaved: "a", nil), Messages.ended(by: 15, unsaved: "a", "it is full"),
    EditedText.Failure.tooLarge.description, EditedText.Failure.notUTF8.description,
    ScratchFile.Failure.notCreated(in: "/tmp", "it is full").description,
    ScratchFile.Failure.notRegular.description, Messages.editorKilled("/tmp/a"),
    Messages.keptText("/tmp/a"), Messages.unreadableEdit("/tmp/a", problem, left: nil),
    Messages.unreadableEdit("/tmp/a", problem, left: "/tmp"), Messages.editorReturned("/tmp/a"),
    Messages.unchanged(editor, isUnknown: true, left: nil),
    Messages.unchanged(editor, isUnknown: false, left: "/tmp"),
    Messages.unusableText(nil, .tooLarge, in: "/tmp/a", isStoredForm: true),
    Messages.unusableText(editor, .notUTF8, in: "/tmp/a", isStoredForm: false),
    Messages.unsavedText(editor, in: "/tmp"),
  ]

  private static let ends: [ForegroundCommand.End] = [
    .exited(127), .exited(126), .exited(1), .killed(signal: 9), .notStarted("it is full"),
    .lost("it is full"),
  ]

  private static let editor = Messages.editor("vi", "ended with status 1")

  private static let questions = [
    Messages.deleteSecrets(1, in: place), Messages.deleteSecrets(2, in: place),
    Messages.delete(1, in: place, doubts: ["it may be a date"], isFinal: true),
    Messages.evict(2, in: place), Messages.rename(2, in: place), Messages.refresh(1, in: place),
    Messages.changeExpiry(2, in: place, doubts: ["it may be a date"]),
    Messages.question("Delete it?", isFinal: true),
  ]

  private static let storeFindings: [Finding] = [
    .recognized(OpenStore(kind: kind, location: place, evidence: "it is a table") { _ in store }),
    .notOpened(problem), .notOpened(.corrupt("it is damaged")), .notExamined(problem), .view,
    .sidecar(.orphan(database: "a.db")), .sidecar(.journal(database: "a.db")),
    .sidecar(.backup(of: "a.xml")), .sidecar(.temporary), .sidecar(.lock(of: "a")),
    .fault("NULL value in a.b"), .fault("row 1 missing from index b"),
    .fault("page 2 is damaged"),
    .missingRows("a", "b", 1), .missingRows("a", "b", 2), .unchecked(["a", "b"]),
    .intact(isRest: true), .intact(isRest: false), .notChecked("it is in use", isDamaged: false),
    .notChecked("it is damaged", isDamaged: true), .listed(1, expired: 0, by: nil, in: "'a.db'"),
    .listed(2, expired: 1, by: expiry, in: Messages.shellQuoted("it's.db")), .unreadable(one),
    .notUTF8(one), .notUTF8(many), .notTime(one, column: "end"), .notTime(many, column: "end"),
    .strangeExpiry(1), .strangeExpiry(2), .notOfAndroid(["a"]), .notOfAndroid(["a", "b"]),
    .repeated(["a"]), .repeated(["a", "b"]),
  ]

  private static let deviations: [Finding] = JSONDeviations(
    of: Array("\u{FEFF}{\"a\": NaN, // one\n \"a\": [1,], /* two */ \"a\": Infinity,}".utf8)
  ).found.map { .deviation($0) }

  private static let otherFindings: [Finding] = [
    .journalOff, .emptyJournal, .untrustedJournal(refusal),
    .noJournal("/j", Messages.danglingLink), .readableJournal("/j"),
    .journalFault("page 2 is damaged", "/j"), .interrupted("7  put a", 7), .unreadableChange(7),
    .changes(1, in: "/j"), .changes(2, in: "/j"), .busyJournal("/j"),
    .journalNotRead(problem, "/j", isDamaged: true),
    .journalNotRead(problem, "/j", isDamaged: false), .locale("C", isUTF8: false),
    .locale(nil, isUTF8: false), .locale("C.UTF-8", isUTF8: true),
    .tooSmall(Size(width: 20, height: 5)), .mouse(isSupported: true), .mouse(isSupported: false),
    .clipboard(nil, hasSequence: false), .clipboard("xclip", hasSequence: true),
    .frames(isSupported: true), .frames(isSupported: false), .frames(isSupported: nil),
    .noTerminal(problem), .scratchInUse("/tmp/a"), .leftScratch("/tmp/a"),
    .setting("it is unknown"),
    .validSettings,
  ]

  private static let depths: [ColorDepth] = [
    .monochrome, .ansi8, .ansi16, .indexed256, .trueColor,
  ]
  private static let terminals: [Finding] = depths.map {
    .terminal("xterm", Size(width: 80, height: 24), $0, isWithoutColor: $0 == .monochrome)
  }

  private static let pages: [String] = [
    Messages.locationLines, Messages.exitCodeLines, Messages.manualDescription,
    Messages.manualFiles.map(\.1), ExitCode.meanings.map(\.meaning),
    [
      Messages.browserLine, Messages.commandLine, Messages.commonOptions, Messages.environmentRule,
      Messages.sameInEachCommand(.ttl), Messages.same(as: .ttl), Messages.manualTitle,
      Messages.commonOptionsTitle, Messages.browserOptionsTitle, Messages.manualLocations,
      Messages.manualSettings, Messages.inexactPrefixes, Messages.noPrefixes,
    ],
  ].flatMap(\.self)

  /// The messages, which start in lower case and have no final full stop.
  private static let messages: [String] = [
    argumentFailures.map(\.message), readingFailures.map(\.message),
    writingFailures.map(\.message), generalTexts, readingTexts,
    passedTexts, writingTexts, browserTexts, ends.compactMap(\.problem),
    [storeFindings, deviations, otherFindings, terminals].flatMap(\.self)
      .flatMap { [$0.text, $0.advice].compactMap(\.self) },
  ].flatMap(\.self)

  @Test func `Each message is well-formed`() {
    for text in Self.messages {
      let isQuestion = Self.questions.contains(where: text.hasPrefix)
      let isName = ["SQLite", "Android", "REINDEX", "PRAGMA", "LARDER_"]
        .contains(where: text.hasPrefix)
      let isAdvice =
        [
          Messages.fileExpiry, Messages.nextChange("undo"), Messages.replayAgain("undo"),
          Messages.undoImport(Self.place),
        ]
        .contains(text) || text.hasPrefix("Write a row")
      #expect(text.first?.isUppercase != true || isName || isQuestion || isAdvice, "\(text)")
      #expect(![".", ";", " :"].contains(where: text.hasSuffix), "\(text)")
    }
    for text in Self.questions {
      #expect(text.first?.isUppercase == true && text.contains("?"), "\(text)")
    }
  }

  @Test func `No text has unbalanced quotes or phrases that read like a translation`() throws {
    let rules = try TextRules()
    #expect(rules.phraseCount > 15)
    for text in Self.messages + Self.questions + Self.pages + [Messages.same(1), Messages.same(2)] {
      #expect(rules.fault(of: text) == nil && text.last != " ", "\(text)")
    }
  }

  @Test func `Each member of the catalogue is rendered`() throws {
    let sources = try MessageSources("larder")
    #expect(sources.members.count > 100)
    let tests = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    #expect(try sources.unrendered(in: tests) == [])
  }

  /// The arguments of calls that declare commands, options, variables and fields, and of those that
  /// no user sees.
  private static let declarations: [String: Set<String>] = [
    "OptionSpec": ["help", "usual"], "Subcommand": ["summary"], "Example": [""],
    "Variable": ["meaning"], "always": [""], "sometimes": [""],
    // A shell script.
    "CompletionScript": ["text"],
    // The text of another program.
    "hasPrefix": [""],
  ]

  @Test func `Sentences are in the catalogue or declare a command or an option`() throws {
    let sources = try MessageSources("larder")
    #expect(sources.count > 50)
    #expect(sources.sentences(except: Self.declarations) == [])
  }

  @Test func `Literals are found with the call and the label that they belong to`() {
    let source = #"""
      // "none" here
      let a = OptionSpec(name: "--a", value: nil, help: "one " + "two", choices: ["three"])
      let b = x ? "four \(f(g: "five", "six"))" : "seven"
      """#
    let all = SourceLiterals(source).all
    #expect(all.map(\.text) == ["--a", "one ", "two", "three", "five", "six", "four ", "seven"])
    #expect(all.map(\.label) == ["name", "help", "help", "choices", "g", "", "", ""])
    #expect(all.map(\.call) == Array(repeating: "OptionSpec", count: 4) + ["f", "f", "", ""])
  }
}
