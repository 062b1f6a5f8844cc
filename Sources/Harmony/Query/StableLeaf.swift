import Foundation

/// The text of an identifier that is not written as a structure with parts.
struct StableLeaf {
  /// The key of the identifier on its own.
  let key: String

  /// The representation of the identifier inside a structure.
  let part: String

  /// Creates the text of a value; nil if it has to be written as a structure.
  ///
  /// Types are compared rather than cast, because a cast would also convert an `NSNumber` to a
  /// Boolean, or unwrap an optional.
  ///
  /// - Parameters:
  ///   - value: The value, which is not an optional.
  ///   - isErased: Whether it is in an `AnyHashable`, which compares numbers across types.
  init?(_ value: Any, isErased: Bool) {
    let type = type(of: value)
    if isErased, let number = Self.number(value) {
      self.init(plain: number)
    } else if let plain = Self.plain(value) {
      self.init(plain: plain)
    } else if type is any FixedWidthInteger.Type {
      self.init("\(value)", in: "\(type)")
    } else if let text = Self.foundationText(value) ?? Self.standardText(value) {
      self.init(text, in: "\(type)")
    } else if type is NSObject.Type, let object = value as? NSObject {
      guard let leaf = Self(object) else { return nil }
      self = leaf
    } else if let value = value as? any RawRepresentable {
      let key = StableKey.text(ofAny: value.rawValue)
      self.init(key: key, part: "\(type)(\(StableStructure.part(of: value.rawValue)))")
    } else if let value = value as? any LosslessStringConvertible {
      self.init(value.description, in: "\(type)")
    } else {
      return nil
    }
  }

  private init(key: String, part: String) {
    (self.key, self.part) = (key, part)
  }

  private init(plain: String) {
    self.init(key: plain, part: plain)
  }

  private init(_ text: String, in type: String) {
    // A number contains no character that could be mistaken for the end of the part.
    let isNumber = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
        || byte == UInt8(ascii: "-")
    }
    self.init(key: text, part: "\(type)(\(isNumber ? text : Self.quoted(text)))")
  }

  /// Returns a quoted string as a part of a structure; equal strings have the same representation.
  static func quoted(_ text: some StringProtocol) -> String {
    text.precomposedStringWithCanonicalMapping.debugDescription
  }

  /// Returns the text of a standard type that its literal form identifies.
  private static func plain(_ value: Any) -> String? {
    switch type(of: value) {
    case is Bool.Type, is Int.Type: "\(value)"
    case is Double.Type: (value as? Double).map(number)
    default: nil
    }
  }

  /// Returns the text of a number, which is the same for all equal numbers.
  private static func number<Number: BinaryFloatingPoint>(_ number: Number) -> String {
    number == 0 ? "0.0" : "\(number)"
  }

  /// Returns a number in the same form for all numeric types; nil for other values.
  private static func number(_ value: Any) -> String? {
    switch type(of: value) {
    case is Float.Type: (value as? Float).map { whole(Double($0)) }
    case is Double.Type: (value as? Double).map(whole)
    default:
      type(of: value) is any FixedWidthInteger.Type ? "\(value)" : nil
    }
  }

  private static func whole(_ number: Double) -> String {
    if let integer = Int64(exactly: number) { return "\(integer)" }
    return UInt64(exactly: number).map { "\($0)" } ?? Self.number(number)
  }

  /// Returns the text of standard types whose own description is missing or ambiguous.
  private static func standardText(_ value: Any) -> String? {
    switch type(of: value) {
    case is Float.Type: return (value as? Float).map(number)
    case is Character.Type:
      return (value as? Character).map { String($0).precomposedStringWithCanonicalMapping }
    case is ObjectIdentifier.Type, is OpaquePointer.Type: return "\(value)"
    #if arch(x86_64)
    case is Float80.Type: return (value as? Float80).map(number)
    #endif
    #if !(os(macOS) && arch(x86_64))
    case is Float16.Type: return (value as? Float16).map(number)
    #endif
    default: break
    }
    if let vector = value as? any SIMD { return scalars(vector) }
    guard let path = value as? AnyKeyPath, type(of: value) is AnyKeyPath.Type else { return nil }
    // The description of a computed key path contains an address and omits its arguments, so it
    // cannot be the same in another process in any case.
    let text = "\(path)"
    return text.contains("0x") || text.contains("<") ? "\(text) \(path.hashValue)" : text
  }

  private static func scalars<Vector: SIMD>(_ vector: Vector) -> String {
    let parts = vector.indices.map { StableStructure.part(of: vector[$0]) }
    return parts.joined(separator: ", ")
  }

  private static func foundationText(_ value: Any) -> String? {
    switch type(of: value) {
    case is UUID.Type: (value as? UUID)?.uuidString
    case is URL.Type: (value as? URL).map(text)
    case is Date.Type: (value as? Date).map(text)
    // Its description contains only its length.
    case is Data.Type: (value as? Data)?.base64EncodedString()
    case is CGFloat.Type: (value as? CGFloat).map(number)
    case is Decimal.Type: (value as? Decimal)?.description
    case is CharacterSet.Type: (value as? CharacterSet).map(text)
    // Its other parts change with the season.
    case is TimeZone.Type: (value as? TimeZone).map(text)
    case is Calendar.Type, is AttributedString.Type: "\(value)"
    default: nil
    }
  }

  private static func text(of url: URL) -> String {
    url.baseURL.map { "\(url.relativeString) -- \($0.absoluteString)" } ?? url.absoluteString
  }

  private static func text(of date: Date) -> String {
    number(date.timeIntervalSinceReferenceDate)
  }

  private static func text(of zone: TimeZone) -> String {
    zone == .autoupdatingCurrent ? "autoupdating" : zone.identifier
  }

  /// Returns the ranges of the scalars in a set.
  ///
  /// Each scalar is tested, because on Linux the bitmap of a set lacks the supplementary planes.
  private static func text(of set: CharacterSet) -> String {
    var ranges: [ClosedRange<UInt32>] = []
    for plane in 0..<17 as Range<UInt32> where set.hasMember(inPlane: UInt8(plane)) {
      for value in plane << 16..<(plane + 1) << 16 {
        guard let scalar = Unicode.Scalar(value), set.contains(scalar) else { continue }
        if let last = ranges.last, last.upperBound + 1 == value {
          ranges[ranges.count - 1] = last.lowerBound...value
        } else {
          ranges.append(value...value)
        }
      }
    }
    let names = ranges.map { range in
      let first = String(range.lowerBound, radix: 16)
      return range.count == 1 ? first : "\(first)-\(String(range.upperBound, radix: 16))"
    }
    return names.joined(separator: " ")
  }
}

extension StableLeaf {
  /// Creates the text of a Foundation object that represents a value.
  private init?(_ object: NSObject) {
    switch object {
    // It equals every other number of the same value, including a Boolean written as a number.
    case let object as NSDecimalNumber: self.init(object.decimalValue.description, NSNumber.self)
    case let object as NSNumber: self.init(Self.text(of: object), NSNumber.self)
    case let object as NSString: self.init("\(object)", NSString.self)
    case let object as NSDate: self.init(Self.text(of: object as Date), NSDate.self)
    case let object as NSUUID: self.init(object.uuidString, NSUUID.self)
    case let object as NSURL: self.init(Self.text(of: object as URL), NSURL.self)
    case let object as NSData: self.init(object.base64EncodedString(), NSData.self)
    case is NSNull: self.init("", NSNull.self)
    default: return nil
    }
  }

  private init(_ text: String, _ type: NSObject.Type) {
    self.init(text, in: "\(type)")
  }

  private static func text(of number: NSNumber) -> String {
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): whole(number.doubleValue)
    case UInt8(ascii: "Q"): "\(number.uint64Value)"
    default: "\(number.int64Value)"
    }
  }
}
