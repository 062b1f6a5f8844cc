import Foundation

/// The copy of a property list that lies beside it while `UserDefaults` overwrites it.
///
/// Of a process that was killed meanwhile it may be all that is left of what others have set, so it
/// is never thrown away before it is clear that it is not.
struct DefaultsCopy {
  /// For so many seconds a copy is of what the list was before it was cut off.
  private static let freshness = 10.0

  private let suite: DefaultsSuite
  private let path: String

  /// Names the copy of a suite.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - path: The place of the copy, which is not that of the suite where the list is a link.
  init(_ suite: DefaultsSuite, path: String) {
    self.suite = suite
    self.path = path
  }

  /// Whether there is a copy.
  var isThere: Bool { FileStamp(path: path) != nil }

  /// What it holds if it was made just before the list was last changed, and is one.
  func contents(of list: FileStamp) -> [UInt8]? {
    guard let file = try? OpenFile(ifPresent: path), let stamp = try? file.stamp(),
      // One clock, as both are in one directory; that of the system goes in steps.
      (-1...Self.freshness).contains(list.modified.timeIntervalSince(stamp.modified)),
      let bytes = try? file.read(), DefaultsList.isList(bytes)
    else { return nil }
    return bytes
  }

  /// Keeps it under another name, as another is about to take its place.
  func keep() throws {
    guard let file = try OpenFile(ifPresent: path) else { return }
    try suite.keepDamaged(try file.read())
  }

  /// Keeps it under another name if a key of it is nowhere else.
  ///
  /// - Parameter isElsewhere: Whether a key need not be kept.
  func keep(unless isElsewhere: (String) -> Bool) {
    guard let file = try? OpenFile(ifPresent: path), let bytes = try? file.read() else { return }
    let list = try? PropertyListSerialization.propertyList(
      from: Data(bytes), options: [], format: nil)
    guard let values = list as? [String: Any], !values.keys.allSatisfy(isElsewhere) else { return }
    // The list itself is whole, and must not be unwritable because of this.
    try? suite.keepDamaged(bytes)
  }
}

extension DefaultsSuite {
  /// Keeps what is about to be lost under the name for what was damaged.
  func keepDamaged(_ bytes: [UInt8]) throws {
    if !bytes.isEmpty { try AtomicFile.keep(bytes, as: damagedList, in: directory) }
  }
}
