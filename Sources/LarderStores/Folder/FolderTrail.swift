import CXattr
import Foundation

/// What tells a folder from another one that got its path later.
struct FolderMark: Sendable, Hashable {
  let device: UInt64
  let inode: UInt64
  /// When it was made, in nanoseconds since 1970; zero where the file system does not say.
  ///
  /// The number of an inode is soon used again.
  let birth: Int64

  /// A folder that is about to be made, between two moments in nanoseconds since 1970.
  ///
  /// The clock of file systems is some thousandths behind.
  static func expected(between start: Int64, and end: Int64) -> FolderMark {
    // No file system has the device 0.
    FolderMark(device: 0, inode: UInt64(clamping: end), birth: start - 50_000_000)
  }

  /// Whether a folder is the one that was marked, or may be the one that was expected.
  func isMet(by other: FolderMark) -> Bool {
    guard device == 0 else { return self == other }
    return other.birth >= birth && other.birth <= Int64(clamping: inode)
  }
}

extension FolderDescriptor {
  /// What tells the open folder from others.
  var mark: FolderMark? {
    status.map {
      FolderMark(device: $0.device, inode: $0.inode, birth: cx_birth_time(number))
    }
  }
}

/// The folders that a writer has made, as paths below its root.
final class FolderTrail {
  private(set) var marks: [[UInt8]: FolderMark] = [:]
  /// Says which folders are about to be made, where somebody has to know.
  var announcement: FolderAnnouncement?

  /// Says that folders are about to be made, unless that was said for this moment.
  func announce() throws {
    try announcement?.renew(made: marks)
  }

  /// Adds a folder that was made just now.
  func add(_ names: some Sequence<[UInt8]>, _ folder: FolderDescriptor) {
    marks[Self.path(names)] = folder.mark
  }

  /// The path of a folder by the names that lead to it.
  static func path(_ names: some Sequence<[UInt8]>) -> [UInt8] {
    Array(names.joined(separator: [UInt8(ascii: "/")]))
  }
}

/// What the journal has to know of the folders that a step is about to make: if it is killed, one
/// that others make there later is none of them.
final class FolderAnnouncement {
  /// For how long an announcement counts, in nanoseconds.
  static let span: Int64 = 1_000_000_000

  private let missing: Set<[UInt8]>
  private let known: MadeFolders
  private let slip: RevisionSlip
  private let now: () -> Int64
  private var end = Int64.min

  /// Prepares to announce folders.
  ///
  /// - Parameters:
  ///   - missing: The paths of the folders.
  ///   - known: What was made before.
  ///   - slip: Who is told.
  ///   - now: The time, in nanoseconds since 1970.
  init(
    _ missing: Set<[UInt8]>, known: MadeFolders, to slip: RevisionSlip,
    now: @escaping () -> Int64
  ) {
    self.missing = missing
    self.known = known
    self.slip = slip
    self.now = now
  }

  /// Says which folders may be made from now on, beside those that were.
  ///
  /// - Throws: `StoreError` where that cannot be kept.
  func renew(made: MadeFolders.Marks) throws {
    let start = now()
    guard start > end else { return }
    end = start + Self.span
    let expected = FolderMark.expected(between: start, and: end)
    let marks = made.merging(missing.map { ($0, expected) }) { made, _ in made }
    try slip.recordBefore(known.adding(marks, by: slip.purpose))
  }
}
