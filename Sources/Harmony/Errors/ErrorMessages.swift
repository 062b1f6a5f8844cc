// The messages of this module's errors. They may contain keys, types and paths, but never values.

// MARK: Arguments

extension CoreError.IllegalArgument {
  /// A value to write is nil.
  @usableFromInline
  package static var nilValue: Self { Self("Value cannot be nil") }
  /// There are more or fewer values than identifiers.
  @usableFromInline
  package static var valueCount: Self { Self("There must be as many values as identifiers") }

  static let noResult = Self("There must be a value or an error")
  static let unknownSuite = Self("The suite of the defaults is unknown")

  static func notSuite(_ name: String) -> Self {
    Self("\(name.debugDescription) is not the name of a suite")
  }

  static func suiteName(_ name: String) -> Self {
    Self("The suite \(name.debugDescription) of the defaults is not a valid file name")
  }

  static func notFileURL(_ scheme: String?) -> Self {
    Self("Files must be stored under a file URL, not under \(scheme ?? "a relative URL")")
  }

  static func foldsKeys(_ path: String) -> Self {
    Self("The file system of \(PathName(path)) does not distinguish all keys")
  }

  static func fileTaken(_ path: String) -> Self {
    Self("Another key has the file \(PathName(path))")
  }

  static func fileName(isCustom: Bool, maximum: Int) -> Self {
    Self(
      (isCustom
        ? "The closure of .custom returned an invalid file name for the key"
        : "The key is not a valid file name")
        + ": it must be from 1 to \(maximum) bytes long, without / or NUL, and not . or ..; with the "
        + "encoding .readable, every string is a valid key")
  }

  static func zeroByte(in path: String) -> Self {
    Self("The path \(PathName(path)) contains a NUL byte")
  }
}

// MARK: Data

extension CoreError.DataSerialization {
  static let notUTF8 = Self("The bytes are not UTF-8")

  static func notPropertyList(_ path: String) -> Self {
    Self(
      "The file \(PathName(path)) is not a property list; nothing was changed. Repair it or move it "
        + "away")
  }

  static func notArchive(_ type: Any.Type, _ error: any Error) -> Self {
    Self("Not an archive of \(type): \(error)")
  }

  static func notJSON(_ type: Any.Type) -> Self {
    Self("A value of type \(type) cannot be encoded as JSON")
  }

  static func wrongType(_ key: String?, not type: Any.Type) -> Self {
    Self("The value of \(key?.debugDescription ?? "the key") is not of type \(type)")
  }
}

extension CoreError.Failed {
  static let notBase64 = Self("The text is not Base64")
  static let notHexadecimal = Self("The text is not hexadecimal")

  static func unknownType(_ key: String, in path: String) -> Self {
    Self(
      "The file \(PathName(path)) contains a value of an unknown type under the key "
        + "\(PathName(key).quoted), which would be lost; nothing was changed")
  }

  static func occupiedRoot(_ key: String, by kind: String) -> Self {
    Self(
      "The defaults contain \(kind) under the key \(PathName(key).quoted), instead of a dictionary; "
        + "remove it to use the key")
  }

  static func otherFile(_ path: String) -> Self {
    Self("\(PathName(path)) is a file of another kind; use another path")
  }
}

extension DefaultsProblem {
  /// The problem, as the rest of a sentence about a value.
  var description: String {
    switch self {
    case .unknown(let name):
      "contains the type \(name), which defaults do not support; map it to numbers, Bool, String, "
        + "URL, Date, Data, or arrays and dictionaries of these"
    case .keys(let name): "contains a dictionary with keys of type \(name) instead of String"
    case .date: "contains a date outside the years 0 to 9999"
    case .depth: "is nested more than \(DefaultsValue.maximumDepth) levels deep"
    }
  }
}

// MARK: Operations

extension CoreError.NotImplemented {
  static let exchange = Self("This type of cache cannot replace entries")
  static let setExpiry = Self("This type of cache cannot set expiries")
}

extension CoreError.QueryNotSupported {
  static func keys(of source: Any) -> Self {
    Self("The source cannot list its keys: \(type(of: source))")
  }
}

// MARK: Archives

extension ArchiveFlaw {
  static let noRoot = Self("it has no root object")
  static let missingObject = Self("it refers to an object that does not exist")
  static let recursive = Self("an object contains itself")
  static let deepObjects = Self("its objects are nested too deeply")
  static let noClass = Self("an object has no class")
  static let unknownClass = Self("the class of an object is unknown")
  static let unpairedKeys = Self("a dictionary has different numbers of keys and values")
  static let invalidURL = Self("a URL is invalid or relative to another one")
  static let unnamedQuery = Self("a query item has no name")
  static let notText = Self("a value is not text")
  static let invalidList = Self("the elements of a list are missing or invalid")
  static let notPropertyList = Self("it is not a binary property list")
  static let damaged = Self("the property list is damaged")
  static let tooManyValues = Self("it has too many values, or values that contain themselves")
  static let unknownType = Self("a value is of an unknown type")
  static let largeNumber = Self("a number is too large")
  static let notASCII = Self("a string is not ASCII")
  static let invalidKey = Self("a key is not text, or occurs more than once")
  static let invalidLength = Self("a length is not valid")
  static let cutOff = Self("a value is truncated")
  static let repeatedParts = Self("strings or data are repeated too often")

  static func unsafeClass(_ type: Any.Type) -> Self {
    Self("reading an object of the class \(type) could crash the process")
  }

  static func missing(_ field: String) -> Self { Self("an object has no \(field)") }
  static func wrongClass(_ type: Any.Type) -> Self { Self("it does not contain a \(type)") }
}
