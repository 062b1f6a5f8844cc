import Foundation

/// The property list of defaults on disk, which `UserDefaults` overwrites in place.
///
/// Whoever finds it cut off cannot tell a program that was killed from one that is still writing,
/// but by waiting. Reading it never changes it.
///
/// Not thread-safe; its owner holds a lock.
struct DefaultsList {
  /// What the file is.
  enum Content {
    /// There is no file, as after the last removal.
    case none
    /// `UserDefaults` can read it.
    case whole
    /// What has been no property list for so long that nobody is still writing it.
    case damaged(FileStamp, [UInt8])
  }

  /// After so many pauses without a change nobody is writing any more.
  ///
  /// That is counted and not taken from a clock, as those of two computers differ, and one that
  /// sleeps writes nothing.
  static let patience = 20
  /// After so many pauses somebody writes without an end.
  private static let endurance = 10 * patience
  private static let empty = Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict/>
    </plist>

    """.utf8)

  private let suite: DefaultsSuite
  private let pause: () -> Void
  /// The file when it was last found whole, so that a large one is not read again each time.
  private var whole: FileStamp?
  /// The file when it was last found damaged, so that nobody waits for it again.
  private var still: FileStamp?
  /// What it held then, while somebody asks for that.
  private var read: [String: Any]?
  private var isRemembering = false

  /// Makes the list of a suite.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - pause: What lets others write for a moment.
  init(_ suite: DefaultsSuite, pause: @escaping () -> Void = Self.pause) {
    self.suite = suite
    self.pause = pause
  }

  /// Lets others write for a moment.
  static func pause() {
    usleep(20_000)
  }

  /// The file as it is now; nil if there is none, as after the last removal.
  var stamp: FileStamp? { FileStamp(path: suite.list) }

  /// What the file holds; nothing if it is no property list.
  var values: [String: Any] {
    guard let file = try? OpenFile(ifPresent: suite.list), let bytes = try? file.read() else {
      return [:]
    }
    return Self.values(of: bytes) ?? [:]
  }

  /// What the file holds when nobody is writing it any more; nil if it is no property list.
  ///
  /// - Throws: ``CoreError/Failed`` if it cannot be read, or is being written for too long.
  mutating func settledValues() throws -> [String: Any]? {
    (read, isRemembering) = (nil, true)
    defer { (read, isRemembering) = (nil, false) }
    return switch try inspect() {
    case .none: [:]
    case .whole: read ?? values
    case .damaged: nil
    }
  }

  /// What the copy holds if the file was cut off while one of us overwrote it; else nothing.
  var copiedValues: [String: Any] {
    guard let stamp = FileStamp(path: suite.list),
      let bytes = DefaultsCopy(suite, path: place.copy).contents(of: stamp)
    else { return [:] }
    return Self.values(of: bytes) ?? [:]
  }

  /// Looks at the file, and waits for whoever is writing it.
  ///
  /// - Throws: ``CoreError/Failed`` if it cannot be read, or is being written for too long.
  mutating func inspect() throws -> Content {
    if let stamp, stamp == whole { return .whole }
    var last: FileStamp?
    var calm = 0
    for _ in 0..<Self.endurance {
      guard let file = try OpenFile(ifPresent: suite.list) else { return .none }
      let now = try file.stamp()
      guard now.isRegular || now.isDirectory else {
        throw Files.failure("read", suite.list, code: EINVAL)
      }
      let bytes = try file.read()
      if let values = Self.values(of: bytes) {
        // Otherwise the beginning may be of an older file than the end.
        if try file.stamp() == now {
          whole = now
          if isRemembering { read = values }
          return .whole
        }
      } else if now == still || now == last && calm == Self.patience {
        still = now
        return .damaged(now, bytes)
      }
      calm = now == last ? calm + 1 : 0
      last = now
      pause()
    }
    throw Files.failure("read", suite.list, code: EBUSY)
  }

  /// Does what overwrites the file, if it has to be overwritten.
  ///
  /// That leaves it cut off when the process is killed or the disk is full, and with it would go
  /// what others have set. So a copy lies beside it meanwhile, and takes its place then. What is no
  /// property list is kept under another name before: `UserDefaults` would overwrite that too.
  ///
  /// - Parameters:
  ///   - isInterrupted: Whether the journal says that a process has not come to the end of this.
  ///   - body: What overwrites the file, and whether it could.
  /// - Returns: Whether that is done. If not, what the file held before is still there.
  mutating func overwrite(isInterrupted: Bool = false, _ body: () -> Bool) -> Bool {
    let place = place
    do {
      if case .damaged(let stamp, let bytes) = try inspect() {
        try replace(stamp, bytes, isInterrupted: isInterrupted)
      }
      try copy(to: place.copy)
    } catch {
      // Where there is no room for a copy there is none for the file.
      return false
    }
    let before = stamp
    let isDone = body()
    let now = stamp
    // Foundation takes the file away from all but its owner.
    if let mode = before?.mode, let now, now.mode != mode { chmod(place.target, mode) }
    guard isDone || now != before && isReadable else {
      restore(place)
      return false
    }
    // Others may be writing just now, and what they write is theirs. If nobody is, the copy is
    // needed the next time.
    guard now == before || !isCutOff else { return false }
    unlink(place.copy)
    whole = stamp
    return true
  }

  /// The file itself if its name is a link, and its copy beside it, for which it can be exchanged.
  private var place: (target: String, directory: String, copy: String) {
    guard let path = realpath(suite.list, nil) else {
      return (suite.list, suite.directory, suite.copy)
    }
    defer { free(path) }
    let target = String(cString: path)
    let directory = (target as NSString).deletingLastPathComponent
    let name = (suite.copy as NSString).lastPathComponent
    return (target, directory, directory == "/" ? "/" + name : directory + "/" + name)
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

  /// Whether the file is a property list, or there is none.
  private var isReadable: Bool {
    guard let file = try? OpenFile(ifPresent: suite.list), let bytes = try? file.read() else {
      return true
    }
    return Self.isList(bytes)
  }

  private func copy(to path: String) throws {
    guard let list = try OpenFile(ifPresent: suite.list) else {
      unlink(path)
      return
    }
    let stamp = try list.stamp()
    let bytes = try list.read()
    guard stamp == whole, bytes.count == stamp.size, self.stamp == stamp else {
      throw Files.failure("copy", suite.list, code: EBUSY)
    }
    // A killed process takes nothing of it away, so nobody has to wait for the disk.
    let draft = try AtomicFile.draft(
      bytes, in: (path as NSString).deletingLastPathComponent, for: path, isDurable: false)
    draft.adopt(stamp)
    try draft.publish(as: path)
  }

  /// Puts the copy in the place of what `UserDefaults` said that it could not write.
  private func restore(_ place: (target: String, directory: String, copy: String)) {
    guard !isReadable,
      // What it could not even open was cut off by others.
      access(place.target, W_OK) == 0
    else {
      unlink(place.copy)
      return
    }
    rename(place.copy, place.target)
  }

  /// Keeps what is no property list, and puts one in its place.
  ///
  /// - Parameters:
  ///   - stamp: The file, which must not have changed since.
  ///   - bytes: What it holds.
  ///   - isInterrupted: Whether it was cut off by one of us, so that the copy is what it was.
  /// - Throws: ``CoreError/Failed`` if it is another file now, or may not be written.
  private mutating func replace(
    _ stamp: FileStamp, _ bytes: [UInt8], isInterrupted: Bool
  ) throws {
    let place = place
    // Who may not write into a file must not take its place either.
    guard access(place.target, W_OK) == 0 else { throw Files.failure("replace", suite.list) }
    try suite.keepDamaged(bytes)
    let copy = DefaultsCopy(suite, path: place.copy)
    let before = isInterrupted ? copy.contents(of: stamp) : nil
    if before == nil { try copy.keep() }
    let draft = try AtomicFile.draft(before ?? Self.empty, in: place.directory, for: place.target)
    draft.adopt(stamp)
    // By renaming: whoever is still writing, against all odds, does not write into the new file.
    try draft.publish(as: place.target, inPlaceOf: stamp)
    try? Files.synchronize(directory: place.directory)
    whole = FileStamp(path: place.target)
  }

  /// Keeps the copy under another name if it alone has something that others have set.
  ///
  /// A program that is no source may have written a list of its own after one of us was killed.
  ///
  /// - Parameter isElsewhere: Whether the journal tells what became of a key.
  func keepCopy(unless isElsewhere: (String) -> Bool) {
    let copy = DefaultsCopy(suite, path: place.copy)
    guard copy.isThere else { return }
    var values = [String: Any]()
    // One reading tells both whether it is whole and what it has: others may be writing just now.
    if let file = try? OpenFile(ifPresent: suite.list), let bytes = try? file.read() {
      guard let list = Self.values(of: bytes) else { return }
      values = list
    }
    copy.keep { values[$0] != nil || isElsewhere($0) }
  }

  /// Whether `UserDefaults` can read bytes.
  static func isList(_ bytes: [UInt8]) -> Bool {
    values(of: bytes) != nil
  }

  /// What `UserDefaults` would read; nil if it can read nothing.
  private static func values(of bytes: [UInt8]) -> [String: Any]? {
    let list = try? PropertyListSerialization.propertyList(
      from: Data(bytes), options: [], format: nil)
    return list as? [String: Any]
  }
}
