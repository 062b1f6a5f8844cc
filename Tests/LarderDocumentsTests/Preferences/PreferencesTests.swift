import TestSamples
import LarderModel
import LarderDocuments
import Testing

@Suite struct PreferencesTests {
  static let sample = """
    <?xml version='1.0' encoding='utf-8' standalone='yes' ?>
    <map>
        <string name="name">J&#252;rg &amp; Co</string>
        <int name="count" value="42" />
        <long name="when" value="1700000000000" />
        <float name="ratio" value="0.1" />
        <boolean name="isOn" value="true" />
        <!-- kept -->
        <set name="tags">
            <string>a</string>
            <string>b</string>
        </set>
        <null name="nothing" />
        <int-array name="list" num="1"><item value="1" /></int-array>
        <int name="broken" value="x" />
        <string>nameless</string>
    </map>

    """
  static var document: PreferencesDocument {
    get throws { try PreferencesDocument(parsing: Array(sample.utf8)) }
  }

  private func changed(_ changes: DocumentChange...) throws -> String {
    String(decoding: try Self.document.applying(changes), as: UTF8.self)
  }

  @Test func `Members have their types and order`() throws {
    let document = try Self.document
    let names = document.members.map { step in
      if case .name(let name, 0) = step { name } else { "?" }
    }
    #expect(
      names == [
        "name", "count", "when", "ratio", "isOn", "tags", "nothing", "list", "broken",
      ])
    #expect(try document.value(at: [.name("name")]) == .text("Jürg & Co"))
    #expect(try document.value(at: [.name("count")]) == .integer(42))
    #expect(try document.value(at: [.name("when")]) == .integer(1_700_000_000_000))
    #expect(try document.value(at: [.name("ratio")]) == .real(0.1))
    #expect(try document.value(at: [.name("isOn")]) == .bool(true))
    #expect(try document.value(at: [.name("tags")]) == .array([.text("a"), .text("b")]))
    #expect(try document.value(at: [.name("tags"), .index(1)]) == .text("b"))
    #expect(try document.value(at: [.name("tags"), .index(2)]) == nil)
    #expect(try document.value(at: [.name("nothing")]) == .null)
    #expect(
      try document.value(at: [.name("list")])
        == .text(#"<int-array name="list" num="1"><item value="1" /></int-array>"#))
    #expect(try document.value(at: [.name("none")]) == nil)
    #expect(
      document.members.map(document.typeName) == [
        "string", "int", "long", "float", "boolean", "set", "null", nil, nil,
      ])
  }

  @Test func `Only the bytes of the changed value are different`() throws {
    #expect(
      try changed(.set([.name("count")], .integer(-7)))
        == Self.sample.replacing("value=\"42\"", with: "value=\"-7\""))
    #expect(
      try changed(.set([.name("name")], .text("<\n")))
        == Self.sample.replacing("J&#252;rg &amp; Co", with: "&lt;&#10;"))
    #expect(
      try changed(.set([.name("tags"), .index(2)], .text("c")))
        == Self.sample.replacing(
          "<string>b</string>", with: "<string>b</string>\n        <string>c</string>"))
    #expect(
      try changed(.rename([.name("tags")], to: "a\"b"))
        == Self.sample.replacing("name=\"tags\"", with: "name=\"a&quot;b\""))
    #expect(
      try changed(.remove([.name("isOn")]))
        == Self.sample.replacing("\n    <boolean name=\"isOn\" value=\"true\" />", with: ""))
    #expect(
      try changed(.remove([.name("tags")])).contains("<!-- kept -->\n    <null name=\"nothing\" />")
    )
    #expect(
      try changed(.remove([.name("list")]), .rename([.name("count")], to: "n"))
        == Self.sample.replacing("name=\"count\"", with: "name=\"n\"").replacing(
          "\n    <int-array name=\"list\" num=\"1\"><item value=\"1\" /></int-array>", with: ""))
  }

  /// Tabs and line ends are written as references, like Android does; other characters literally.
  @Test(arguments: [0x09, 0x0A, 0x0D, 0x20, 0x7F, 0x85, 0x1FFFE] as [UInt32])
  func `Every XML character survives a round trip and is written like Android does`(number: UInt32)
    throws
  {
    let scalar = try #require(Unicode.Scalar(number))
    let text = "a\(scalar)\(scalar)b"
    let written = number < 0x20 ? "a&#\(number);&#\(number);b" : text
    let bytes = try Self.document.applying([
      .set([.name(text)], .text(text)), .rename([.name("when")], to: "\(text)2"),
      .set([.name("name")], .text(text)), .set([.name("tags"), .index(0)], .text(text)),
    ])
    let contents = String(decoding: bytes, as: UTF8.self)
    #expect(contents.contains("<string name=\"\(written)\">\(written)</string>"))
    let document = try PreferencesDocument(parsing: bytes)
    #expect(try document.value(at: [.name(text)]) == .text(text))
    #expect(try document.value(at: [.name("\(text)2")]) == .integer(1_700_000_000_000))
    #expect(try document.value(at: [.name("name")]) == .text(text))
    #expect(try document.value(at: [.name("tags"), .index(0)]) == .text(text))
  }

  @Test(arguments: [0, 0x01, 0x08, 0x0B, 0x1F, 0xFFFE, 0xFFFF] as [UInt32])
  func `Characters that XML cannot represent are refused when written, but preserved in the file`(
    number: UInt32
  ) throws {
    let text = "a" + String(try #require(Unicode.Scalar(number)))
    for change: DocumentChange in [
      .set([.name("x")], .text(text)), .set([.name(text)], .bool(true)),
      .set([.name("name")], .text(text)), .set([.name("tags"), .index(0)], .text(text)),
      .rename([.name("when")], to: text),
    ] {
      #expect(throws: DocumentError.self) { try Self.document.applying([change]) }
    }
    let sample = "<map>\n<string name=\"c\">a&#\(number);</string>\n</map>\n"
    let document = try PreferencesDocument(parsing: Array(sample.utf8))
    #expect(try document.value(at: [.name("c")]) == .text(text))
    let bytes = try document.applying([.set([.name("n")], .integer(1))])
    #expect(
      String(decoding: bytes, as: UTF8.self).contains("<string name=\"c\">a&#\(number);</string>"))
  }

  /// Java writes a character outside the Basic Multilingual Plane as two surrogates.
  @Test func `Two references that form a surrogate pair are one character`() throws {
    let sample =
      "<map>\n<string name=\"k&#55357;&#56832;\">x&#xD83D;&#xDE00;y</string>\n"
      + "<set name=\"s\"><string>&#55357;&#56832;</string></set>\n</map>\n"
    let document = try PreferencesDocument(parsing: Array(sample.utf8))
    #expect(try document.value(at: [.name("k😀")]) == .text("x😀y"))
    #expect(try document.value(at: [.name("s")]) == .array([.text("😀")]))
    let bytes = try document.applying([.set([.name("n")], .integer(1))])
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == sample.replacing("</map>", with: "<int name=\"n\" value=\"1\" />\n</map>"))
  }

  @Test(arguments: ["&#55357;", "&#56832;", "&#55357;x&#56832;", "&#56832;&#55357;"])
  func `An unpaired surrogate is malformed text, and refused in a name`(half: String) throws {
    let sample =
      "<map>\n<string name=\"h\">\(half)</string>\n<int name=\"n\" value=\"1\" />\n</map>\n"
    let document = try PreferencesDocument(parsing: Array(sample.utf8))
    guard case .malformedText(let bytes)? = try document.value(at: [.name("h")]) else {
      Issue.record("\(half) is read as valid text")
      return
    }
    #expect(bytes.first == 0xED)
    let written = try document.applying([.set([.name("n")], .integer(2))])
    #expect(
      String(decoding: written, as: UTF8.self) == sample.replacing("\"1\"", with: "\"2\""))
    #expect(throws: DocumentError.self) {
      try document.applying([.set([.name("x")], .malformedText(bytes))])
    }
    #expect(throws: DocumentError.self) {
      try PreferencesDocument(
        parsing: Array("<map><int name=\"\(half)\" value=\"1\" /></map>".utf8))
    }
  }

  @Test func `Setting a value to itself changes nothing`() throws {
    let document = try Self.document
    for step in document.members {
      let value = try #require(try document.value(at: [step]))
      #expect(try document.applying([.set([step], value)]) == Array(Self.sample.utf8))
    }
    let whole = try #require(try document.value(at: []))
    #expect(try document.applying([.set([], whole)]) == Array(Self.sample.utf8))
  }

  @Test(
    arguments: [
      (.text("a"), "<string name=\"new\">a</string>"),
      (.integer(1), "<int name=\"new\" value=\"1\" />"),
      (.integer(1 << 31), "<long name=\"new\" value=\"2147483648\" />"),
      (.real(0.5), "<float name=\"new\" value=\"0.5\" />"),
      (.real(.infinity), "<float name=\"new\" value=\"Infinity\" />"),
      (.bool(false), "<boolean name=\"new\" value=\"false\" />"), (.null, "<null name=\"new\" />"),
      (.array([]), "<set name=\"new\" />"),
      (
        .array([.text("a")]),
        "<set name=\"new\">\n        <string>a</string>\n    </set>"
      ),
    ] as [(StoredValue, String)])
  func `New members are written like Android does`(value: StoredValue, element: String) throws {
    let empty = "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<map />\n"
    let text = try PreferencesDocument(parsing: Array(empty.utf8))
      .applying([.set([.name("new")], value)])
    #expect(
      String(decoding: text, as: UTF8.self)
        == empty.replacing("<map />", with: "<map>\n    \(element)\n</map>"))
    #expect(try PreferencesDocument(parsing: text).value(at: [.name("new")]) == value)
    #expect(
      try changed(.set([.name("new")], value))
        == Self.sample.replacing(
          "value=\"x\" />\n", with: "value=\"x\" />\n    \(element)\n"))
  }

  @Test(
    arguments: [
      ("count", .integer(1 << 31), "32 bits"), ("count", .real(1.5), "whole number"),
      ("ratio", .real(0.123456789), "the nearest to this number is 0.12345679"),
      ("ratio", .integer(16_777_217), "1.6777216E7"), ("count", .data([1]), "data"),
      ("when", .number("1e3"), "64 bits"), ("list", .text("x"), "SharedPreferences does not write"),
      ("tags", .array([.integer(1)]), "only strings"), ("x", .dictionary([]), "dictionary"),
    ] as [(String, StoredValue, String)])
  func `A value that its type cannot hold is refused with an explanation`(
    name: String, value: StoredValue, words: String
  ) throws {
    let failure = #expect(throws: DocumentError.self) {
      try changed(.set([.name(name)], value))
    }
    #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
  }

  @Test func `Replaced numbers keep their type`() throws {
    #expect(
      try changed(.set([.name("when")], .integer(1))).contains("<long name=\"when\" value=\"1\""))
    #expect(try changed(.set([.name("ratio")], .integer(2))).contains("value=\"2.0\""))
    #expect(try changed(.set([.name("ratio")], .real(3.4e38))).contains("value=\"3.4E38\""))
    #expect(
      try changed(.set([.name("count")], .text("a"))).contains("<string name=\"count\">a</string>"))
  }

  @Test(
    arguments: [
      ("1.0E10", .real(1e10)), ("1.50", .number("1.50")), ("5", .real(5)), ("-0", .real(-0.0)),
      ("NaN", .real(.nan)),
      ("-Infinity", .real(-.infinity)), ("1.5", .real(1.5)), (".5", .real(0.5)),
      ("1234567.0", .real(1_234_567)), ("1.2345678E7", .real(12_345_678)), ("0.001", .real(0.001)),
      ("1.0E-4", .real(0.0001)), ("-0.0", .real(-0.0)),
    ] as [(String, StoredValue)])
  func `Floats are read with their digits`(text: String, value: StoredValue) throws {
    let bytes = Array("<map><float name='a' value='\(text)'/></map>".utf8)
    let read = try PreferencesDocument(parsing: bytes).value(at: [.name("a")])
    #expect(read == value)
  }

  @Test(
    arguments: [
      "", "<map>", "<map/><map/>", "<plist/>", "<map>a</map>", "<map><int></map>",
      "<map><string name='a'>&b;</string></map>", "ABX\0", "<map><a name='&x;'/></map>",
    ])
  func `A file that is not a preferences file is refused`(text: String) {
    #expect(throws: DocumentError.self) { try PreferencesDocument(parsing: Array(text.utf8)) }
  }

  @Test func `A damaged file never traps`() {
    Array(Self.sample.utf8).torture(as: PreferencesDocument.self)
  }

  @Test func `Random changes to a file match the model`() throws {
    try DocumentModel.compareRandomChanges(
      to: Self.document,
      except: { change in
        // The XML shown for these contains the name.
        switch change {
        case .rename(let path, _), .set(let path, _): Self.isUnknown(path)
        case .remove: false
        }
      }, value: Self.value, comparing: Self.withoutReals)
  }

  /// Replaces whole reals by integers: an integer in a float element is read back as a real.
  private static func withoutReals(_ value: StoredValue) -> StoredValue {
    guard case .dictionary(let fields) = value else { return value }
    return .dictionary(
      fields.map { field in
        guard case .real(let number) = field.value, let whole = Int64(exactly: Float(number)) else {
          return field
        }
        return StoredValue.Field(field.name, .integer(whole))
      })
  }

  private static func isUnknown(_ path: [DocumentStep]) -> Bool {
    path == [.name("list")] || path == [.name("broken")]
  }

  private static func value(
    _ random: inout SampleGenerator, at path: [DocumentStep]
  ) -> StoredValue? {
    if path.count > 1 { return .text(random.text()) }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return .bool(.random(using: &random))
    case 1: return .integer(random.integer())
    case 2: return .array((0..<2).map { _ in .text(random.text()) })
    case 3: return .null
    default: return .text(random.text())
    }
  }
}
