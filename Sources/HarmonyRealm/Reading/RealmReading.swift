/// A state of a file during a read.
///
/// It is only valid inside the closure of ``RealmFile/read(_:)``.
public struct RealmReading {
  let snapshot: RealmSnapshot

  init(_ snapshot: RealmSnapshot) {
    self.snapshot = snapshot
  }

  /// The format version of the file.
  public var format: Int { snapshot.header.format }

  /// The version of this state, which increases with every commit.
  public var version: UInt64 { snapshot.version }

  /// Whether the file was exported and has not been opened by Realm since.
  public var isExported: Bool { snapshot.header.isStreaming }

  /// Returns the classes and Realm's internal tables, in the order of the file.
  ///
  /// - Returns: The classes that can be read; see ``problems()`` for others.
  /// - Throws: ``RealmError``.
  public func classes() throws(RealmError) -> [RealmClass] {
    try snapshot.schema().classes
  }

  /// Returns the tables that cannot be read.
  ///
  /// - Returns: The names of the tables and their errors.
  /// - Throws: ``RealmError`` if no class can be read.
  public func problems() throws(RealmError) -> [(name: String, error: RealmError)] {
    try snapshot.schema().problems
  }

  /// Returns the class, or the internal table of Realm, with a name.
  ///
  /// - Parameter name: The name in the app or in the file.
  /// - Returns: The class.
  /// - Throws: ``RealmError`` with the code ``RealmError/Code/noSuchName``, or the error of the
  ///   class.
  public func requireClass(_ name: String) throws(RealmError) -> RealmClass {
    let schema = try snapshot.schema()
    // A class of an app takes precedence over an internal table of the same name.
    let matches = schema.classes.filter {
      $0.name.utf8.elementsEqual(name.utf8) || $0.tableName.utf8.elementsEqual(name.utf8)
    }
    if let found = matches.first(where: { !$0.isInternal }) ?? matches.first { return found }
    let problem = schema.problems.first {
      $0.name == name || RealmClass.shownName($0.name) == name
    }
    throw problem?.error ?? RealmError.noClass(name)
  }
}
