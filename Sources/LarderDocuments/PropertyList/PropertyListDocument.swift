package import LarderModel

/// A property list in any of its three formats: binary, XML or OpenStep.
///
/// The format is detected from the contents and preserved when the file is written. Dates and reals
/// retain their bits in binary files and their digits in XML. A UID appears as a dictionary with
/// the single member `CF$UID`, and a set as an array that cannot be changed. The OpenStep format,
/// which includes the strings files of apps (members without braces), and files in UTF-16 are
/// read-only. A file whose root is neither a dictionary nor an array has no members.
package struct PropertyListDocument: Document {
  /// The format of a property list.
  package enum Form: String, Sendable, Hashable {
    /// Objects and an offset table, after `bplist00`.
    case binary
    /// Elements inside `<plist>`.
    case xml = "XML"
    /// Braces and brackets, as in NeXTSTEP.
    case openStep = "OpenStep"
  }

  /// The format of the file.
  package let form: Form
  private let contents: any PropertyListForm
  /// Whether the file is in UTF-16.
  private let isWide: Bool

  package init(parsing bytes: [UInt8]) throws(DocumentError) {
    let text = try WideText.decoded(bytes)
    isWide = text != nil
    let bytes = text.map { WideText.withoutDeclaration($0) } ?? bytes
    // Only XML has a declaration, which is blank now, so the form comes from the original text.
    form = Self.form(of: text ?? bytes)
    switch form {
    case .binary: contents = try BinaryPropertyList(parsing: bytes)
    case .xml: contents = try XMLPropertyList(parsing: bytes)
    case .openStep: contents = try OpenStepPropertyList(parsing: bytes)
    }
  }

  /// Returns the format of a file, assuming that it is a property list.
  ///
  /// - Parameter bytes: The contents of the file.
  /// - Returns: The format; OpenStep unless the bytes indicate another.
  package static func form(of bytes: [UInt8]) -> Form {
    if bytes.starts(with: "bplist".utf8) { return .binary }
    if let text = try? WideText.decoded(Array(bytes.prefix(1_024)), isWhole: false) {
      return form(of: text)
    }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let text = bytes[start...].drop(while: \.isXMLSpace)
    // In OpenStep, `<` starts data in hexadecimal digits.
    let isXML =
      [
        "<?xml", "<!", "<plist", "<dict", "<array", "<string", "<integer", "<real", "<true",
        "<false",
      ]
      .contains { text.starts(with: $0.utf8) }
    return isXML || text.isEmpty ? .xml : .openStep
  }

  /// Whether a file may be in OpenStep format, judging by its start.
  ///
  /// Accepts a dictionary whose first member is `name = value` or `name;`, which no other format
  /// with an opening brace allows; an array whose first element is followed by a comma or the end;
  /// or a member `name = value;` without braces.
  ///
  /// - Parameter bytes: The start of the file, which may end anywhere after the first member.
  /// - Returns: Whether it may be.
  package static func beginsOpenStep(_ bytes: [UInt8]) -> Bool {
    let text = (try? WideText.decoded(bytes, isWhole: false)) ?? bytes
    let reader = OpenStepReader(text, at: text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    return reader.isAtDictionary || reader.isAtArray || reader.isAtMember
  }

  /// Whether the start of an XML file is that of a property list.
  ///
  /// - Parameter bytes: The start of the file.
  /// - Returns: Whether it is.
  package static func beginsXML(_ bytes: [UInt8]) -> Bool {
    let text = (try? WideText.decoded(bytes, isWhole: false)) ?? bytes
    return ["<plist", "<!DOCTYPE plist"].contains { (word: StaticString) in
      text.range(of: word.bytes, from: 0) != nil
    }
  }

  package var readOnlyReason: String? {
    contents.readOnlyReason ?? (isWide ? Messages.wideList : nil)
  }

  /// The value of the whole file if it is a scalar; nil for a dictionary or an array.
  package var onlyValue: StoredValue? {
    guard members.isEmpty, let value = try? value(at: []) else { return nil }
    return [.dictionary, .array, .record].contains(value.type) ? nil : value
  }

  package var isOneValue: Bool { onlyValue != nil }

  package var members: [DocumentStep] { contents.list.steps }

  package func value(at path: [DocumentStep]) throws(DocumentError) -> StoredValue? {
    try contents.value(at: path)
  }

  package func applying(_ changes: [DocumentChange]) throws(DocumentError) -> [UInt8] {
    try applying(changes, forms: [:])
  }

  package func applying(
    _ changes: [DocumentChange], forms: [[DocumentStep]: String]
  ) throws(DocumentError) -> [UInt8] {
    if let reason = readOnlyReason { throw DocumentError(reason) }
    let bytes = try contents.applying(changes, forms: forms)
    _ = try Self(parsing: bytes)
    return bytes
  }

  package func form(at path: [DocumentStep]) -> String? { contents.form(at: path) }

  package func spelling(at path: [DocumentStep]) -> [UInt8]? { contents.spelling(at: path) }

  package func nameObstacle(at path: [DocumentStep]) -> String? {
    contents.namesLost(at: path) ? DocumentError.invalidName.description : nil
  }
}

/// A property list in one of the formats.
protocol PropertyListForm: Sendable {
  /// The reason, as a clause, why the file is read-only; nil if it can be changed.
  var readOnlyReason: String? { get }
  /// The top-level members.
  var list: MemberList { get }
  /// Returns the value at a path, or nil if there is none.
  func value(at path: [DocumentStep]) throws(DocumentError) -> StoredValue?
  /// Returns the name of the form of the value at a path, or nil if it is the default.
  func form(at path: [DocumentStep]) -> String?
  /// Returns how the spelling of the value at a path differs from the default; nil if it does not.
  func spelling(at path: [DocumentStep]) -> [UInt8]?
  /// Whether the name at a path, or a name inside its value, could not be written again.
  func namesLost(at path: [DocumentStep]) -> Bool
  /// Returns the contents of the file after changes, storing some values in specific forms.
  func applying(
    _ changes: [DocumentChange], forms: [[DocumentStep]: String]
  ) throws(DocumentError) -> [UInt8]
}

extension PropertyListForm {
  func form(at path: [DocumentStep]) -> String? { nil }

  func spelling(at path: [DocumentStep]) -> [UInt8]? { nil }

  func namesLost(at path: [DocumentStep]) -> Bool { false }
}
