/// One state of a file, while it is read.
///
/// Only valid inside of the closure of ``RealmFile/read(_:)``.
public struct RealmReading {
  let snapshot: RealmSnapshot

  init(_ snapshot: RealmSnapshot) {
    self.snapshot = snapshot
  }

  /// The number of the file's format.
  public var format: Int { snapshot.header.format }

  /// The number of this state, which grows with every commit.
  public var version: UInt64 { snapshot.version }

  /// Whether the file was exported in one go, and has not been opened by a Realm since.
  public var isExported: Bool { snapshot.header.isStreaming }

  /// The classes, and Realm's own tables, in the order of the file.
  ///
  /// - Returns: Those that can be read; see ``problems()``.
  /// - Throws: ``RealmError``.
  public func classes() throws(RealmError) -> [RealmClass] {
    try snapshot.schema().classes
  }

  /// The tables that cannot be read, by their names, and why.
  ///
  /// - Returns: What is wrong with each.
  /// - Throws: ``RealmError`` where no class can be read.
  public func problems() throws(RealmError) -> [(name: String, error: RealmError)] {
    try snapshot.schema().problems
  }

  /// The class of that name, or the table of Realm's own.
  ///
  /// - Parameter name: The name in the app or in the file.
  /// - Returns: The class.
  /// - Throws: ``RealmError`` with the code ``RealmError/Code/noSuchName``, or what is wrong with
  ///   the class.
  public func requireClass(_ name: String) throws(RealmError) -> RealmClass {
    let schema = try snapshot.schema()
    // A class of an app goes before a table of Realm's own with the same name.
    let matches = schema.classes.filter {
      $0.name.utf8.elementsEqual(name.utf8) || $0.tableName.utf8.elementsEqual(name.utf8)
    }
    if let found = matches.first(where: { !$0.isInternal }) ?? matches.first { return found }
    let problem = schema.problems.first {
      $0.name == name || RealmClass.shownName($0.name) == name
    }
    throw problem?.error ?? RealmError(.noSuchName, "has no class \"\(name)\"")
  }
}
