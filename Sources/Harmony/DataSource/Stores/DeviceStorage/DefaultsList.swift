import Foundation

/// The property list of a suite on disk.
///
/// Sources replace the file atomically, so that every reader finds either the old or the new one.
/// Foundation overwrites it in place and without a lock, so a reader that finds a truncated file
/// waits for the rest.
struct DefaultsList: Sendable {
  /// The number of times that an invalid property list is read again before reporting an error.
  private static let patience = 20
  /// An upper bound of the file system's timestamp granularity, in seconds.
  private static let tick = 0.05

  private let path: String

  /// The contents of the file.
  private(set) var values: [String: DefaultsValue] = [:]

  /// The file that was last read or written; nil if there was none.
  private var stamp: FileStamp?

  /// Whether any later change of the file is certain to change its stamp.
  private var isSettled = false

  /// A key whose value has a type that defaults do not support, and would be lost by a rewrite.
  private var unknownKey: String?

  /// The file that was last found damaged, so that it is waited for only once.
  private var damaged: FileStamp?

  init(path: String) {
    self.path = path
  }

  /// Reads the file if it has changed.
  ///
  /// - Returns: Whether it was read.
  /// - Throws: ``CoreError/Failed`` if it cannot be read, and ``CoreError/DataSerialization`` if it
  ///   is not a property list.
  mutating func follow() throws -> Bool {
    if isSettled, try Files.stamp(of: path) == stamp { return false }
    var last: FileStamp?
    for _ in 0...Self.patience {
      guard let file = try OpenFile(ifPresent: path) else {
        accept([:], of: nil)
        return true
      }
      let now = try file.stamp()
      guard now.isRegular || now.isDirectory else {
        throw Files.failure("read", path, code: EINVAL)
      }
      let bytes = try file.read()
      let list = try? PropertyListSerialization.propertyList(
        from: Data(bytes), options: [], format: nil)
      // If the stamp has changed, the start and the end may be from different versions.
      if let values = list as? [String: Any], try file.stamp() == now {
        accept(values, of: now)
        return true
      }
      if now == damaged { break }
      last = now
      usleep(20_000)
    }
    // Foundation was killed before it wrote anything, so there is nothing to lose.
    if let last, last.size == 0, try Files.stamp(of: path) == last {
      accept([:], of: last)
      return true
    }
    damaged = last ?? damaged
    throw CoreError.DataSerialization.notPropertyList(path)
  }

  /// Replaces the file, and returns once the new one would survive a power failure.
  ///
  /// - Parameter values: The new contents.
  /// - Returns: Whether it was replaced; if not, another program has changed it since it was read.
  /// - Throws: ``CoreError/Failed``, with the file left unchanged.
  mutating func replace(by values: [String: DefaultsValue]) throws -> Bool {
    if let unknownKey {
      throw CoreError.Failed.unknownType(unknownKey, in: path)
    }
    // Resolved, so that a symbolic link stays in place.
    let target = Self.target(of: path)
    let directory = target.parentPath
    if stamp != nil, access(target, W_OK) != 0 { throw Files.failure("write", target) }
    let draft = try AtomicFile.draft(
      PropertyListWriter.bytes(of: .dictionary(values)), in: directory, for: target)
    if let stamp { draft.adopt(stamp) }
    let written = try draft.stamp()
    do {
      if let stamp {
        try draft.publish(as: target, inPlaceOf: stamp)
      } else {
        try draft.publish(as: target, replaces: false)
      }
    } catch {
      if try Files.stamp(of: target) != stamp { return false }
      throw error
    }
    try Files.synchronize(directory: directory)
    (self.values, stamp, isSettled) = (values, written, true)
    return true
  }

  private static func target(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private mutating func accept(_ objects: [String: Any], of stamp: FileStamp?) {
    unknownKey = nil
    values = [:]
    for (key, object) in objects {
      values[key] = DefaultsValue(any: object)
      if values[key] == nil { unknownKey = key }
    }
    self.stamp = stamp
    isSettled = stamp.map { Date().timeIntervalSince($0.modified) > Self.tick } ?? true
  }
}
