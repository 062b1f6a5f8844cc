import Foundation
import Harmony
import HarmonySQLite

@testable import LarderModel
@testable import LarderStores

/// Renders the messages about tables.
extension StoreMessageTests {
  private typealias M = LarderStores.Messages

  private static let date = Date(timeIntervalSince1970: 1_790_000_000)
  private static let states: [SideEffects.State] = [.tried, .made, .recorded]

  static let tables: [StoreError] = [
    .noTable("t", in: "a.db"), .noColumn("a", of: "t", among: ["b", "c"]),
    .misfit(key, "t", keys: "id, name"),
    .repeatedKey(key, count: 2), .largeValue(M.value(of: key), maximum: 64 << 20),
    .largeValue(M.value(in: "t"), maximum: 64 << 20), .noRowNumber, .removedByTrigger, .keyNaN,
    .refused(M.brokenForeignKey), .notUnique("UNIQUE constraint failed: t.a", as: key),
    .notRecord("t", .text), .noValueColumn("a", in: "t"), .computed("a", of: "t"),
    .invalidKey("it is too long"), .unaffected(key, "added"), .ambiguous(key, count: 2, "renamed"),
    .stillReferred("a", of: "t", "diskcache"), .columnNaN("a"), .longNumber("1e400", in: "a"),
    .noColumnType(.bool, in: "a"), .noChangeReports, .sameRows, .noRecordedRows,
    .unreadableRecord, .convertedUndo("t"), .otherColumns("t"), .otherIndex("t"),
    .addedColumn("t"), .keyTaken(key, in: "t"), .valueTaken("a"), .sideRowChanged("t"),
    .wouldOrphan("t", from: "p"), .eitherColumn("a", or: "b", "diskcache"),
    .derivedColumns("a", "diskcache"), .programBytes("a", of: "t", "diskcache"),
    .notText("a", of: "t", .data), .encrypted("a", of: key, for: "host", "diskcache"),
    .fixedRows("diskcache"), .programKeys("diskcache"), .sharedFile("00/1.val", of: key),
    .missingFile("00/1.val", of: key), .otherFile("00/1.val", isUndo: true),
    .otherFile("00/1.val", isUndo: false), .unusableFile("00/1.val", "permission denied"),
  ]

  static let expiries: [StoreError] = [
    .noExpiry(of: "t", nil), .noExpiry(of: "t", M.noStart("ttl")), .computedExpiry("a", of: "t"),
    .unknownNever("a"), .noNeverUnit("a"),
    .doubtfulUnit(M.severalUnits("a", [.seconds, .apple], readAs: .seconds)), .outOfRange("a"),
    .inexact("a"), .inexact("a", .seconds), .repeatedHour("a", in: "Europe/Berlin"),
    .noStart("ttl"),
    .beforeStart("ttl"), .wholeUnits("ttl", .hours, next: date),
    .wholeUnits("ttl", nil, next: date),
    .mistakable("ttl", "60000", .seconds),
    .otherUnits("a", of: "t", read: nil, wanted: date),
    .inexactCopy("a", of: "t", date, as: date.addingTimeInterval(0.5)),
  ]

  static let tableTexts: [String] =
    layoutTexts + expiryTexts + roles.compactMap { M.bookkeeping($0, "a") }
    + [true, false].flatMap(texts(flag:)) + states.flatMap(texts(state:))

  private static let layoutTexts: [String] = [
    CoreError.QueryNotSupported.rowsAsEntries.description,
    CoreError.QueryNotSupported.noEstimate.description, M.nothingRead, M.viewRows, M.moduleRows,
    M.shadowTable, M.hiddenRowid, M.foreignCollation("X"),
    M.readOnlyKind("t", "view", keys: "id"), M.primaryKey,
    M.uniqueColumn, M.lens("t", of: "diskcache", key: "host", with: []),
    M.lens("t", of: "diskcache", key: "host", with: ["a"]),
    M.lens("t", of: "diskcache", key: "host", with: ["a", "b"]),
    M.keyValue("t", "v", by: "k", M.primaryKey, hasOthers: true),
    M.keyValue("t", "v", by: "k", M.uniqueColumn, hasOthers: false),
    M.unsupported("the table \(M.anyPragma)", used: M.schema, M.programOnly), M.unreadPragma,
    M.unsafeFunction, M.wouldOrphan(nil, of: "t", from: "p"),
    M.wouldOrphan(7, of: "t", from: "p"),
    M.orphan(key, ["a", "b"], from: "p"), M.rows(1), M.rows(12_345),
    M.newRowids(1, in: "t"), M.leftChanged(2, in: "t"),
    M.restoredOrphans(1, of: "t", ["a"], from: "p"),
    M.restoredOrphans(2, of: "t", ["a"], from: "p"), M.otherLens("diskcache"),
    M.notUnique(["a", "b"]), M.noColumns(["a", "b"]), M.valueFiles("00/1.val", count: 1, nil),
    M.storedOther(
      "the triggers of “t”", key, columns: ["a"], key: .integer(1), others: 2,
      isTrial: true),
    M.storedOther(
      "the triggers of “t”", key, columns: [], key: .integer(1), others: 0,
      isTrial: false),
  ]

  private static func texts(flag: Bool) -> [String] {
    [
      M.converted(.text("1"), to: .null, "a", of: "t", type: "TEXT", isUntouched: flag),
      M.converted(.real(1), to: .blob([1]), "a", of: "t", type: "", isUntouched: flag),
      M.cause(of: "t", hasTriggers: flag, hasForeignKeys: true),
      M.cause(of: "t", hasTriggers: true, hasForeignKeys: flag), M.unit(.hours, isNamed: flag),
    ]
  }

  private static func texts(state: SideEffects.State) -> [String] {
    [
      M.alsoChanged("the triggers of “t”", 1, in: ["a"], state),
      M.alsoChanged("the triggers of “t”", 2, in: ["a", "b"], state),
      M.valueFiles("00/1.val", count: 2, state),
    ]
  }

  private static let roles: [ColumnRole] = [.created, .accessed, .useCount, .size, .tag]

  private static let expiryTexts: [String] =
    [
      M.chosenColumn, M.namedColumn, M.roundTimes, M.longTimes, M.longSpan,
      M.schema(of: "diskcache"),
      M.rule("line 3 of the settings"), M.noExpiry(by: "line 3 of the settings"),
      M.unknownCache("t"),
      M.noColumn("a", namedBy: nil), M.noColumn("a", namedBy: "line 3 of the settings"),
      M.noExpiryColumn(written: nil), M.noExpiryColumn(written: "created_at"), M.anyDate("a"),
      M.noStart("ttl"), M.noDurations("ttl"), M.unknownUnit("a"), M.notDurations("a", .hours),
      M.notTimes("a"), M.noTimes("a", .seconds), M.earlyTimes("a"),
      M.expiryEvidence(M.namedColumn, start: nil, (0, 0), dates: nil),
      M.expiryEvidence(M.namedColumn, start: "created", (1, 2), dates: date...date),
      M.businessDate("a", M.roundTimes), M.strangers("a", 1, of: 3, .seconds),
      M.noZone("a", chosen: nil), M.noZone("a", chosen: "Europe/Berlin"),
      M.pickledExpiry("value", beside: "expires"), M.unitOfStart("created"),
      M.usualUnit(.minutes, "60"), M.assumedUnit(.seconds), M.maybeMilliseconds("60000"),
      M.severalUnits([.seconds, .minutes], "60", takenAs: .minutes),
    ]
}
