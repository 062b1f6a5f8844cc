import Foundation

/// The property list of defaults on disk, which `UserDefaults` overwrites in place.
///
/// Not thread-safe; its owner holds a lock.
struct DefaultsList {
  /// For so many seconds somebody may still be writing what is cut off; `UserDefaults` itself gives
  /// up a little later.
  private static let patience = 0.4

  private static let empty = Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict/>
    </plist>

    """.utf8)

  private let suite: DefaultsSuite
  /// The file when it was last found whole, so that a large one is not read again each time.
  private var whole: FileStamp?

  init(_ suite: DefaultsSuite) {
    self.suite = suite
  }

  /// The file as it is now; nil if there is none, as after the last removal.
  var stamp: FileStamp? { FileStamp(path: suite.list) }

  /// Whether the file is whole, or there is none.
  ///
  /// What was killed while it was overwriting the file leaves it empty or cut off.
  mutating func isWhole() -> Bool {
    let now = stamp
    if let now, now == whole { return true }
    guard Self.isWhole(suite.list) else { return false }
    whole = now
    return true
  }

  /// Does what overwrites the file, if it has to be overwritten.
  ///
  /// That leaves it cut off when the process is killed or the disk is full, and with it would go
  /// what others have set. So a copy lies beside it meanwhile, and takes its place then.
  ///
  /// - Parameter body: What overwrites the file, and whether it could.
  /// - Returns: Whether that is done. If not, what the file held before is still there.
  mutating func overwrite(_ body: () -> Bool) -> Bool {
    restore()
    let mode = stamp?.mode
    do {
      if isWhole() { try copy() } else { try keepDamaged() }
    } catch {
      // Where there is no room for a copy there is none for the file.
      return false
    }
    let before = stamp
    let isDone = body()
    let isSame = stamp == before
    // Foundation takes the file away from all but its owner.
    if let mode, let now = stamp?.mode, now != mode { chmod(suite.list, mode) }
    guard isDone, isSame ? isWhole() : !isCutOff else {
      restore()
      return false
    }
    whole = stamp
    unlink(suite.copy)
    return true
  }

  /// Whether the end is missing of what `UserDefaults` has just written, which is not read again.
  private var isCutOff: Bool {
    guard let file = try? OpenFile(ifPresent: suite.list), let size = try? file.stamp().size,
      let start = try? file.read(count: 8), let end = try? file.read(from: max(size - 32, 0))
    else { return false }
    // What is binary was written by others, and was whole before.
    return start != Array("bplist00".utf8)
      && !String(decoding: end, as: UTF8.self).contains("</plist>")
  }

  private func copy() throws {
    guard let list = try OpenFile(ifPresent: suite.list) else {
      unlink(suite.copy)
      return
    }
    // A killed process takes nothing of it away, so nobody has to wait for the disk.
    let draft = try AtomicFile.draft(
      list.read(), in: suite.directory, for: suite.copy, isDurable: false)
    draft.setMode(try list.stamp().mode)
    try draft.publish(as: suite.copy)
  }

  /// Puts the copy in the place of a property list that was cut off.
  private mutating func restore() {
    guard !isWhole(), FileStamp(path: suite.copy) != nil, Self.isWhole(suite.copy) else { return }
    rename(suite.copy, suite.list)
  }

  /// Copies what is no property list, and makes it an empty one.
  ///
  /// `UserDefaults` would try for half a second to read it, each time, and then overwrite it.
  private func keepDamaged() throws {
    unlink(suite.copy)
    guard let list = try OpenFile(ifPresent: suite.list), try !list.stamp().isYoung(Self.patience)
    else { return }
    let bytes = try list.read()
    if !bytes.isEmpty {
      try AtomicFile.write(bytes, to: suite.damagedList, in: suite.directory)
    }
    // In place, as it may be a link, and whoever may read it should go on to do so.
    let writer = try OpenFile(suite.list, O_WRONLY | O_TRUNC)
    try writer.write(Self.empty)
  }

  /// Whether `UserDefaults` can read a file; also if nobody can, or there is none.
  private static func isWhole(_ path: String) -> Bool {
    guard let file = try? OpenFile(ifPresent: path), let bytes = try? file.read() else {
      return true
    }
    let list = try? PropertyListSerialization.propertyList(
      from: Data(bytes), options: [], format: nil)
    return list is [AnyHashable: Any]
  }
}

extension FileStamp {
  /// Whether the file was changed in the last seconds.
  fileprivate func isYoung(_ seconds: Double) -> Bool {
    abs(Date().timeIntervalSince(modified)) < seconds
  }
}
