import Foundation
import Harmony
import LarderDocuments
import LarderFiles

@testable import LarderModel
@testable import LarderStores

/// Renders the messages about folders and documents.
extension StoreMessageTests {
  private typealias M = LarderStores.Messages

  private static let path = FolderPath(names: [Array("a".utf8), Array("b".utf8)])
  private static let failure = FileFailure(EPERM)
  private static let invalid = DocumentError("a value is missing")
  private static let other = EntryKey.text("user:8")
  private static let date = Date(timeIntervalSince1970: 1_790_000_000)

  private static let statuses = [S_IFREG, S_IFDIR, S_IFLNK, S_IFIFO].map { mode in
    var status = stat()
    status.st_mode = mode
    return FileStatus(status)
  }

  static let folders: [StoreError] =
    statuses.map { .notRegular(key, $0) } + [
      .unreadableFolder, .gone("/a"), .notFile(key), .notPath(key), .outsideFolder(key),
      .longName(key, maximum: 255), .reservedName(key), .blocked(by: path),
      .blocked(by: path, "a special file"), .largeFile(key, size: 1 << 30, maximum: 256 << 20),
      .busyFile(key), .busyFolder(of: "/a"), .notReplaced(key, M.closedFolder), .linked(key),
      .otherOwner(key), .databaseFolder(of: key, WriteObstacle.ofFiles(of: "LevelDB")),
      .wrongFileType(key, .integer), .textReadAsData(key),
      .lostAttribute(.text("user.a"), of: key, failure), .deniedFile(key, "deleted", failure),
      .uncheckedWrite(key), .uncheckedDeletion(key), .renumbered(key),
      .notRenamedBack(key, from: other, M.nameTaken), .noFileExpiry,
      .alwaysExpires(key, after: .seconds(60)), .notDated(key, date), .otherFormat(M.django),
      .otherFormat(M.laravel, key.spoken), .outOfRange(M.cachelib, 2000...2105), .noNever(M.nginx),
    ]

  static let folderTexts: [String] =
    statuses.map { "it is \($0.noun)" } + [
      CoreError.NotFound.file(key).description, M.writtenAgain, M.filesBefore(1, "written"),
      M.filesBefore(2, "written"), M.orphaned(key, of: other, isForeign: true, M.nameTaken),
      M.orphaned(key, of: other, isForeign: false, M.nameTaken), M.attribute("\"user.a\"", failure),
      M.done("a", "added", but: M.without([M.unreadableMode(0o200)])), M.moreLosses(1),
      M.moreLosses(2), "it may be lost\(M.moreDoubts(0))", "it may be lost\(M.moreDoubts(1))",
      "it may be lost\(M.moreDoubts(2))", M.emptied(key, count: 1), M.emptied(key, count: 2),
      M.severalNames, M.setuid, M.largeAttributes, M.otherUser, M.otherGroup,
      M.protectedAttribute("\"user.a\""), M.formatExpiry(M.symfony, because: M.symfonyEvidence),
      M.cachelibEvidence, M.djangoEvidence, M.laravelEvidence, M.nginxEvidence,
      M.modifiedExpiry(after: .seconds(60)),
    ]

  static let documents: [StoreError] = [
    .notShown(key, of: "a.json", invalid),
    .notShown(key, of: "a.json", .repeatedName("a", "(a,1) and (a,2)")),
    .unparsable("a.json", as: "JSON", invalid), .overlapping(key, other),
    .notRenamed(key, M.nothing(at: "/a")), .notMoved(key, to: other),
    .unchanged("a.json", .notDeleted(key, M.noMembers(M.wholeFile, .text))),
    .notChanged(key, of: "a.json", M.notIndex(in: "/users")),
    .notChanged(nil, of: "a.json", M.notIndex(in: "")),
    .notWritten(key, to: "a.json", .notPath),
    .notWritten(key, to: "a.json", .trailingSlash([.name("a"), .name("")])),
    .notWritten(key, to: "a.json", .leadingSlash(M.nothing(at: "/a"), key)),
    .notWritten("a.json", "it is read-only"), .wouldBeUnreadable("a.json", invalid),
    .keepsChanging("a.json"),
  ]

  static let documentTexts: [String] = [
    CoreError.NotFound.entry(key, in: "a.json").description, M.quotedName("(a,0)"),
  ]
}
