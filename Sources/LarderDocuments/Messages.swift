import LarderModel

// The sentences of this target that users can see. Each is a clause that can follow the name of the
// file or of the entry. Syntax errors are in ``SyntaxProblem``.

// MARK: Changes

extension DocumentError {
  /// Returns an error for a path that leads nowhere.
  static func nothing(at path: some Sequence<DocumentStep>) -> Self {
    Self("there is nothing at \(EntryKey(path: Array(path)).notation(.typed))")
  }

  /// Returns an error for a name that another member already has.
  static func taken(_ name: String) -> Self {
    Self("there is already a member \(EntryKey.text(name).notation(.typed))")
  }

  /// Returns an error for an index into a dictionary, whose members have names.
  static func notAnArray(_ index: Int) -> Self {
    Self("the members of an object have names, not the index \(index)")
  }

  /// Returns an error for an index other than the next free index of an array.
  static func outOfRange(_ index: Int, count: Int) -> Self {
    Self(
      index < 0
        ? "indices of an array start at 0"
        : "the next index of the array is \(count), not \(index)")
  }

  static let notAnObject = Self("the elements of an array have indices, not names")
  static let rootChange = Self("the root of the file is not a member")
  static let tooDeep = Self("the value would be nested too deeply")
  static let tooLarge = Self("the value is too large")
  static let nested = Self("the value contains other values")
  static let missingValue = Self("a value is missing")

  /// A name contains something that larder can show but not write.
  package static let invalidName = Self(
    "its name, or one inside it, contains half of a surrogate pair or bytes that are not UTF-8, "
      + "which cannot be written")
}

// MARK: Text

extension DocumentError {
  static let utf16 = Self("the file is UTF-16 text; only UTF-8 is supported")
  static let truncatedUTF16 = Self("the file is UTF-16 text that ends within a character")
  static let invalidUTF16 = Self("the file is UTF-16 text with half of a surrogate pair")
}

// MARK: JSON

extension DocumentError {
  static let hugeJSON = Self("a JSON file of more than 4 GiB cannot be read")
  static let noRoot = Self("a JSON file must have a value at its root")
  static let scalarRoot = Self("the root of the file must be an object or an array")
  static let notUTF8JSON = Self("JSON stores only text that is valid UTF-8")

  static func invalidJSONName(_ failure: JSONParser.Failure) -> Self {
    Self(
      "the name of a member at line \(failure.line), column \(failure.column) contains half of a "
        + "surrogate pair or bytes that are not UTF-8")
  }

  static func notJSON(_ type: StoredType) -> Self {
    Self(
      "JSON has text, numbers, booleans, null, arrays and objects, but no \(type.rawValue)")
  }

  static func nonFinite(_ number: Double) -> Self {
    Self("JSON does not allow the number \(number)")
  }

  static func notANumber(_ digits: String) -> Self {
    Self("\(EntryKey.text(digits).notation(.typed)) is not a number in JSON")
  }
}

// MARK: XML

extension DocumentError {
  static let notUTF8XML = Self("XML stores only text that is valid UTF-8")
  static let invalidXML = Self("the file is XML, but its text is not UTF-8")
  static let foreignXML = Self("the file is XML in an encoding other than UTF-8")

  static func noXML(_ character: String, isName: Bool, hasData: Bool) -> Self {
    Self(
      "XML cannot store the character \(character) in \(isName ? "a key" : "text"): remove it"
        + (hasData ? ", or store the bytes as data" : ""))
  }
}

// MARK: Property lists

extension DocumentError {
  static let notPropertyList = Self("the file is neither a property list nor UTF-8 text")
  /// A property list cannot store null.
  package static let noNull = Self("property lists cannot store null")
  /// A property list cannot store an integer of more than 64 bits.
  package static let hugeInteger = Self("property lists store integers of up to 64 bits")
  /// An XML property list cannot store a date with fractions of a second.
  package static let inexactDate = Self(
    "a property list in XML stores dates to the second, in the years 0 to 9999")
  static let notText = Self("property lists store only text that is valid UTF-8")

  static let unknownVersion = Self("the file is a binary property list of an unknown version")
  static let truncatedList = Self("the binary property list is truncated")
  static let damagedTrailer = Self("the trailer of the binary property list is damaged")
  static let danglingReference = Self("a reference in the binary property list is not valid")
  static let overlap = Self("objects of the binary property list overlap")
  static let deepList = Self("the property list is nested too deeply")
  static let nonTextName = Self("a name in the binary property list is not text")
  static let longNames = Self("the names of a dictionary are longer than the file")
  static let repeatedObjects = Self("repeated objects make the value too large to be shown")
  static let notArchive = Self("it is not a keyed archive, or cannot be decoded")

  /// Returns an error for a damaged object of a binary property list.
  static func damaged(_ number: Int) -> Self {
    Self("object \(number) of the binary property list is damaged")
  }

  static func recursive(_ number: Int) -> Self {
    Self("object \(number) of the binary property list contains itself")
  }
}

// MARK: Preferences

extension DocumentError {
  static let binaryXML = Self("the file is Android's binary XML, which is not supported")
  static let noMap = Self("the file has no <map>, the root of Android's preferences")
  static let unnamed = Self("every preference needs a name")
  static let notStrings = Self("a set of preferences stores only strings")
  static let repeatedString = Self("a set of preferences stores each string once")
  static let foreignElement = Self("it is an element that SharedPreferences does not write")

  static func foreignElement(_ name: String) -> Self {
    Self("it was an element \(name), which SharedPreferences does not write")
  }

  static func noPreference(_ type: StoredType) -> Self {
    Self("Android's preferences have no values of type \(type.rawValue)")
  }

  static func misfit(_ type: String) -> Self {
    Self("the value does not fit the type \(type)")
  }

  static let hugeInt = Self("an int has 32 bits, from \(Int32.min) to \(Int32.max)")

  static func notWhole(isInt: Bool) -> Self {
    Self(
      isInt ? "an int is a whole number of 32 bits" : "a long is a whole number of 64 bits")
  }

  static func inexactFloat(_ nearest: String) -> Self {
    Self("a float has 32 bits; the nearest to this number is \(nearest)")
  }
}

// MARK: DataStore

extension DocumentError {
  static let inexactDouble = Self("a double cannot hold all digits of this number")
  static let notUTF8Preference = Self("preferences store only text that is valid UTF-8")

  static func malformed(_ reason: String, at offset: Int) -> Self {
    Self("\(reason), at offset \(offset)")
  }

  static func noDataStoreValue(_ type: StoredType) -> Self {
    Self("DataStore has no values of type \(type.rawValue)")
  }
}

// MARK: Reasons

/// The reasons why something cannot be written or copied, as clauses.
enum Messages {
  static let openStep = "property lists in the old ASCII format are read-only"
  static let wideList = "property lists in UTF-16 are read-only"
  static let set = "a set in a property list is read-only"
  static let archive = "it is a keyed archive, which larder decodes but does not write"
  static let invalidName =
    "its name, or one inside it, is not valid text (such as half of a surrogate pair) and would "
    + "change"
  static let notUTF8Name = "a name is not valid UTF-8"
  static let foreignField =
    "it contains something that DataStore does not write and a change would lose, such as an unknown "
    + "field, a repeated name or invalid UTF-8"
  static let foreignType = "new entries cannot have its type"

  static func keys(_ keys: [String], isAll: Bool) -> String {
    isAll ? keys.joined(separator: " and ") : keys.joined(separator: ", ") + " and so on"
  }
}
