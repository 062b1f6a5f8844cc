package import LarderModel

/// A property list in any of its three forms: binary, XML, or the old one of braces and brackets.
///
/// The form is told by the contents, and a file stays in its form. Dates and reals in binary files
/// keep their bits, in XML their digits; a UID is a dictionary with the one member `CF$UID`; a set
/// is shown as an array and cannot be changed. The old form is read-only, and so is text in UTF-16;
/// with it come the files of strings of applications, which are members without braces. A file whose whole is
/// neither a dictionary nor an array has no members.
package struct PropertyListDocument: Document {
  /// How a property list is written.
  package enum Form: String, Sendable, Hashable {
    /// Objects and a table of their places, after `bplist00`.
    case binary
    /// Elements inside `<plist>`.
    case xml = "XML"
    /// Braces and brackets, as NeXTSTEP had them.
    case openStep = "OpenStep"
  }

  /// How the file is written.
  package let form: Form
  private let contents: any PropertyListForm
  /// Whether the file is text in UTF-16.
  private let isWide: Bool

  package init(parsing bytes: [UInt8]) throws(DocumentError) {
    let text = try WideText.decoded(bytes)
    isWide = text != nil
    let bytes = text.map { WideText.withoutDeclaration($0) } ?? bytes
    // A declaration that is gone now was one of XML.
    form = Self.form(of: text ?? bytes)
    switch form {
    case .binary: contents = try BinaryPropertyList(parsing: bytes)
    case .xml: contents = try XMLPropertyList(parsing: bytes)
    case .openStep: contents = try OpenStepPropertyList(parsing: bytes)
    }
  }

  /// The form that bytes have, if they are a property list at all.
  ///
  /// - Parameter bytes: The contents of the file.
  /// - Returns: A form; the old one where nothing speaks for another.
  package static func form(of bytes: [UInt8]) -> Form {
    if bytes.starts(with: "bplist".utf8) { return .binary }
    if let text = try? WideText.decoded(Array(bytes.prefix(1_024)), isWhole: false) {
      return form(of: text)
    }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let text = bytes[start...].drop(while: \.isXMLSpace)
    // The old form has `<` before data in hexadecimal digits.
    let isXML =
      [
        "<?xml", "<!", "<plist", "<dict", "<array", "<string", "<integer", "<real", "<true",
        "<false",
      ]
      .contains { text.starts(with: $0.utf8) }
    return isXML || text.isEmpty ? .xml : .openStep
  }

  /// Tells whether the start of a file can be of the old form: a dictionary whose first member is
  /// `name = value` or `name;`, which nothing else that begins with a brace has; an array whose first
  /// element a comma or the end follows; or a member `name = value;` without braces.
  ///
  /// - Parameter bytes: The start of the file, which may end anywhere behind the first member.
  /// - Returns: Whether it can.
  package static func beginsOpenStep(_ bytes: [UInt8]) -> Bool {
    let text = (try? WideText.decoded(bytes, isWhole: false)) ?? bytes
    let reader = OpenStepReader(text, at: text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    return reader.isAtDictionary || reader.isAtArray || reader.isAtMember
  }

  /// Tells whether the start of a file in XML is one of a property list.
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
    contents.readOnlyReason ?? (isWide ? "property lists in UTF-16 are only read" : nil)
  }

  /// The value that the file is, where that holds no others; nil for a dictionary or an array.
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

/// A property list in one of its forms.
protocol PropertyListForm: Sendable {
  /// Why nothing can be changed, as a clause; nil where it can.
  var readOnlyReason: String? { get }
  /// The members at the top.
  var list: MemberList { get }
  /// The value at a path; nil where there is none.
  func value(at path: [DocumentStep]) throws(DocumentError) -> StoredValue?
  /// The word for the form of the value at a path; nil where there is none.
  func form(at path: [DocumentStep]) -> String?
  /// What tells the spelling of the value at a path from the usual one; nil where it is spelled so.
  func spelling(at path: [DocumentStep]) -> [UInt8]?
  /// Whether the name at a path, or one inside its value, could not be written again.
  func namesLost(at path: [DocumentStep]) -> Bool
  /// The bytes of the file after changes, of which some values have a form of their own.
  func applying(
    _ changes: [DocumentChange], forms: [[DocumentStep]: String]
  ) throws(DocumentError) -> [UInt8]
}

extension PropertyListForm {
  func form(at path: [DocumentStep]) -> String? { nil }

  func spelling(at path: [DocumentStep]) -> [UInt8]? { nil }

  func namesLost(at path: [DocumentStep]) -> Bool { false }
}
