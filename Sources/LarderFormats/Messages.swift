import LarderDocuments
import LarderModel

// The sentences of this target that users can see. Each is a clause that can follow the name of a
// format, an entry or a line, and has no final full stop.

// MARK: Encoded bytes

extension FormatError {
  static let unknownVersion = Self("its version is unknown")
  static let surplusBytes = Self("there are bytes after its end")
  static let tooManyObjects = Self("it has too many objects")
  static let repeatedObjects = Self("its objects are repeated too often")
  static let danglingReference = Self("it refers to an object that does not exist")
  static let unmatchedEnd = Self("it has an end without a start")
  static let invalidNumber = Self("a number is not valid")
  static let invalidLength = Self("a length is not valid")
  static let invalidKey = Self("a key is neither text nor an integer")
  static let notUTF8 = Self("a string is not valid UTF-8")
  static let mixedString = Self("the parts of a string differ in type")

  static func unknownCode(_ code: UInt8) -> Self {
    Self("the type 0x\(String(code, radix: 16)) is unknown")
  }

  static func unknownOpcode(_ code: UInt8, at offset: Int) -> Self {
    Self("the opcode \(String(code, radix: 16)) at offset \(offset) is unknown")
  }

  static func missing(_ part: String) -> Self { Self("a \(part) is missing") }

  /// Returns the error for a Java class that does not use the standard encoding.
  static func customEncoding(_ name: String) -> Self {
    Self("the class \(name) uses its own encoding")
  }
}

// MARK: Compression

extension FormatError {
  static let noMemory = Self("there is not enough memory to decompress it")
  static let invalidCompression = Self("its compressed data is not valid")
  static let separateDictionary = Self("it was compressed with a separate dictionary")
  static let wrongChecksum = Self("a checksum is wrong")
  static let earlyReference = Self("it refers to bytes before its start")
}

// MARK: Images

extension FormatError {
  static let noPixels = Self("it has no pixels")
  static let invalidHeader = Self("its header is truncated or damaged")
  static let unknownFilter = Self("its compression or filter method is unknown")
  static let compressedBMP = Self("compressed BMP images are not supported")

  static func unknownColors(bits: Int, type: Int? = nil) -> Self {
    Self("its color format is unknown: \(bits) bits" + (type.map { ", type \($0)" } ?? ""))
  }

  static func tooLargeToDraw(pixels: Int, side: Int) -> Self {
    Self(
      "it is too large to draw: larder draws up to \(Thousands.text(pixels)) pixels, and "
        + "\(Thousands.text(side)) per side")
  }

  static func wrongChecksum(ofChunk name: String) -> Self {
    Self("the checksum of its chunk \(name) is wrong")
  }

  static func unknownChunk(_ name: String) -> Self {
    Self("its required chunk \(name) is unknown")
  }
}

// MARK: Lines of entries

extension EntryLine.Failure {
  static let notObject = Self(description: "it is not a JSON object")
  static let noKey = Self(description: "it has no \"key\"")
  static let noValue = Self(
    description: "it has no \"value\"; larder export and get --json write one")
  static let invalidKey = Self(description: "its \"key\" is of a type that cannot be a key")
  static let notDate = Self(
    description: "its \"expires\" is neither never nor a date such as \(TypedJSON.sampleDate)")

  static func repeated(_ name: String) -> Self { Self(description: "it has \"\(name)\" twice") }

  static func notJSON(_ error: JSONParser.Failure) -> Self {
    Self(description: "it is not JSON: \(error.reason) at column \(error.column)")
  }

  static func unknownType(_ type: StoredValue) -> Self {
    let types = StoredType.allCases.map(\.rawValue).joined(separator: ", ")
    return Self(description: "its \"type\" \(JSONText.encode(type)) is not one of \(types)")
  }

  static func wrongType(_ type: StoredType, not expected: StoredType) -> Self {
    Self(description: "its \"value\" is of type \(type.rawValue), not \(expected.rawValue)")
  }
}

// MARK: Values as text

extension ValueText.Failure {
  static let nullText = Self("null has no text; choose another type to store it")
  static let notBool = Self("a boolean is true or false")
  static let notNumber = Self("not a number")
  static let notInteger = Self("not a whole number")
  static let integerRange = Self("whole numbers range from \(Int64.min) to \(Int64.max)")
  static let realRange = Self("reals range from 4.9e-324 to 1.8e308, positive or negative")
  static let notDate = Self("type a date as \(TypedJSON.sampleDate)")
  static let notUUID = Self("a UUID is 32 hexadecimal digits in groups of 8-4-4-4-12")
  static let halfByte = Self("the last byte has only one digit")
  static let notArray = Self("type a JSON array")
  static let notObject = Self("type a JSON object")

  static func inexactReal(_ text: String, nearest: String) -> Self {
    Self("a real cannot store \(text) exactly; the nearest is \(nearest)")
  }

  static func notHexadecimal(_ character: Character) -> Self {
    Self("bytes are typed as hexadecimal digits, and “\(character)” is not one")
  }

  static func noColumn(_ name: String, among columns: [String]) -> Self {
    Self("there is no column “\(name)”; the columns are \(columns.joined(separator: ", "))")
  }

  /// Returns the error for a value that a property list cannot store.
  static func notPropertyList(_ error: DocumentError) -> Self {
    Self("\(error); --as json shows the value")
  }
}

// MARK: Parts of values

extension ValueText.Failure {
  static let fixedColumn = Self("a column cannot be removed from its row")

  static func memberExists(_ name: String) -> Self { Self("a member \(name) already exists") }

  static func memberGone(_ name: String) -> Self {
    Self("the value no longer has a member \(name)")
  }

  static func columnGone(_ name: String) -> Self {
    Self("the entry no longer has a column “\(name)”")
  }
}

// MARK: Times

extension Duration {
  static let noMonths = "; m means minutes, so type a month as 30d"
}

extension ExpiryText {
  /// The accepted forms, in brief.
  package static let forms =
    "10m, in 2 hours, tomorrow, +10m (later), a date such as 2030-01-31 12:00, now or never"
}

// MARK: Headings and notes

/// Texts above, beside and below a displayed value.
enum Messages {
  static func comparedAsText(_ operand: String) -> String {
    "“\(operand)” is compared as text, as it is neither a number nor a date such as 2026-03-31"
  }

  static let jwt = "jwt: the signature is not checked"
  static let mmkv = "mmkv: one of these, because types are not stored"
  static let restNotShown = "… the rest is not shown"
  static let duplicateName = "duplicate name"
  static let fieldsByNumber = "fields by number"

  static func notShown(_ left: Int, of whole: Int, _ unit: String = "") -> String {
    "… \(Thousands.text(left)) of \(Thousands.text(whole))\(unit.isEmpty ? "" : " " + unit) are "
      + "not shown"
  }

  static func flutter(_ kind: FlutterValue.Kind) -> String {
    switch kind {
    case .double: "flutter: a double"
    case .bigInteger: "flutter: a big integer"
    case .list: "flutter: a list of strings"
    case .javaList: "flutter: a list of strings, serialized by Java"
    }
  }

  static func partialJava(before offset: Int, _ problem: String) -> String {
    "java: the classes and strings before byte \(offset); \(problem)"
  }

  static func install(_ package: String, for codec: String, _ size: String) -> String {
    "\(codec): install \(package) to see what is in these \(size)"
  }

  /// Returns the heading of decoded bytes or of a decoded structure.
  static func decoded(_ name: String, _ detail: String, problem: String?, isCut: Bool) -> String {
    "\(name): \(detail)" + (problem.map { "; damaged: \($0)" } ?? "")
      + (isCut ? "; not all members are shown" : "")
  }
}

// MARK: Images

extension Messages {
  static let headerCutOff = "the header is truncated"

  static func colors(ofPNG type: Int) -> String {
    switch type {
    case 0: "gray"
    case 2: "RGB"
    case 3: "palette"
    case 4: "gray and alpha"
    case 6: "RGB and alpha"
    default: "colors of type \(type)"
    }
  }

  static func bits(_ depth: Int, per unit: String) -> String {
    "\(depth) \(depth == 1 ? "bit" : "bits") per \(unit)"
  }
}
