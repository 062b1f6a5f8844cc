import Harmony

// The sentences about Realm files. Each follows the path of the file and has no final full stop.

// MARK: Opening

extension RealmError {
  static let notFile = RealmError(.cannotOpen, "is not a file")
  static let notRealm = RealmError(.notRealm, "is not a Realm file")
  static let encrypted = RealmError(
    .encrypted, "looks like an encrypted Realm file; it cannot be read without its 64-byte key")
  static let busy = RealmError(
    .busy, "is being changed too often to be read; try again")
  static let unreadable = corrupt("cannot be read")

  static func notOpened(_ reason: String) -> RealmError {
    RealmError(.cannotOpen, "cannot be opened: \(reason)")
  }

  static func notRead(_ reason: String) -> RealmError {
    RealmError(.cannotOpen, "cannot be read: \(reason)")
  }

  static func notRealm(size: Int) -> RealmError {
    RealmError(.notRealm, "is not a Realm file: it has only \(size) bytes")
  }

  static func unsupported(format: Int) -> RealmError {
    RealmError(
      .unsupportedFormat,
      "has Realm file format \(format); only formats 10, 11 and 20 to 24 can be read"
        + (format < 24 ? ". An app with a newer Realm converts the file when it opens it" : ""))
  }
}

// MARK: Names and limits

extension RealmError {
  static let tooManyParts = RealmError(.tooLarge, "a value has too many parts to be read at once")

  static func noClass(_ name: String) -> RealmError {
    RealmError(.noSuchName, "has no class “\(name)”")
  }

  static func noProperty(_ name: String, of className: String) -> RealmError {
    RealmError(.noSuchName, "\(className) has no property “\(name)”")
  }

  static func noKey(_ name: String, of className: String) -> RealmError {
    RealmError(.noSuchName, "\(className) has no property “\(name)” that can be its key")
  }

  static func nested(deeperThan levels: Int) -> RealmError {
    RealmError(.tooLarge, "a value is nested deeper than \(levels) levels")
  }
}

extension CoreError.NotImplemented {
  static let realmWriting = Self(
    "Realm files are read-only, because writing could damage an app's Realm")
}

extension CoreError.DataSerialization {
  static func noProperty(_ name: String) -> Self { Self("\(name) does not exist") }

  static func wrongType(_ name: String, not type: Any.Type) -> Self {
    Self("\(name) is not of type \(type)")
  }
}

// MARK: Damage

extension RealmError {
  static let cutOff = corrupt("the file is truncated")
  static let noDatabase = corrupt("the file does not start with a database")
  static let invalidReference = corrupt("a reference is not valid")
  static let repeatedPart = corrupt("a part of the file is referred to more than once")
  static let unknownHeader = corrupt("a node has an unknown header")
  static let shortNode = corrupt("a node is shorter than its header says")
  static let longNode = corrupt("a node is longer than the file")
  static let outsideNode = corrupt("an element is outside its node")
  static let unbalancedTree = corrupt("the branches of a tree differ in length")
  static let deepTree = corrupt("a tree is too deep")
  static let tooManyObjects = corrupt("there are more objects than fit into the file")
  static let unequalCounts = corrupt("the numbers of objects and values differ")
  static let otherClass = corrupt("its objects belong to another class")
  static let sharedColumn = corrupt("two columns have the same index")
  static let twoTypes = corrupt("the column has two types")
  static let shortIdentifier = corrupt("an object ID or UUID is truncated")
  static let invalidDate = corrupt("a date has invalid nanoseconds")

  static func cutOff(_ size: Int, of whole: Int) -> RealmError {
    corrupt("the file is truncated: it has \(size) of \(whole) bytes")
  }

  static func cutOff(at offset: Int) -> RealmError {
    corrupt("the file ends at byte \(offset), inside data that it refers to")
  }

  static func damaged(_ part: String) -> RealmError { corrupt("a \(part) is damaged") }
  static func missing(_ part: String) -> RealmError { corrupt("a \(part) is missing") }
  static func unknownType(of part: String) -> RealmError {
    corrupt("a \(part) has an unknown type")
  }

  /// Returns the error for a node with other values than its place requires.
  static func misplaced(_ values: String) -> RealmError {
    corrupt("\(values) are in the wrong place")
  }

  static func danglingLink(to target: String) -> RealmError {
    corrupt("a link refers to a missing \(target)")
  }
}
