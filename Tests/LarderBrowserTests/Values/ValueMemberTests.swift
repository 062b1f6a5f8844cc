import Foundation
@testable import LarderModel
@testable import LarderDocuments
@testable import LarderFormats
@testable import LarderBrowser
import Testing

/// Changing members inside a value.
@Suite struct ValueMemberTests {
  private func name(_ steps: DocumentStep...) -> String { ValueMember.name(of: steps) }

  @Test func `The rest of a text is unchanged`() throws {
    let text = "[ {\"a\" : 1.0, \"/usr\":null ,\"a\":[\"x\"]},\n true]"
    let whole = StoredValue.text(text)
    let cases: [([DocumentStep], StoredValue, String, String)] = [
      ([.index(0), .name("a")], .integer(2), "1.0", "2"),
      ([.index(0), .name("a", repetition: 1), .index(0)], .text("y"), "\"x\"", "\"y\""),
      ([.index(0), .name("/usr")], .bool(false), "null", "false"),
    ]
    for (path, value, old, new) in cases {
      let name = ValueMember.name(of: path)
      #expect(ValueMember.value(named: name, in: whole) != nil)
      #expect(
        try ValueMember.replacing(name, in: whole, with: value)
          == .text(text.replacing(old, with: new)))
    }
  }

  @Test func `Bytes stay bytes and structures stay structures`() throws {
    let bytes = StoredValue.data(Array("{\"a\":1}".utf8))
    #expect(
      try ValueMember.replacing(name(.name("a")), in: bytes, with: .integer(2))
        == .data(Array("{\"a\":2}".utf8)))
    let tree = StoredValue.array([.dictionary([.init("a", .integer(1))])])
    #expect(
      try ValueMember.replacing(name(.index(0), .name("a")), in: tree, with: .text("x"))
        == .array([.dictionary([.init("a", .text("x"))])]))
  }

  @Test func `A property list is changed in place`() throws {
    let list =
      "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><dict><key>a</key>\n  <string>x</string></dict></plist>"
    #expect(
      try ValueMember.replacing(name(.name("a")), in: .text(list), with: .text("y"))
        == .text(list.replacing(">x<", with: ">y<")))
  }

  @Test func `A missing member is not written`() {
    for whole in [StoredValue.text("{\"b\":1}"), .text("plain"), .null, .array([])] {
      #expect(ValueMember.value(named: name(.name("a")), in: whole) == nil)
      #expect(throws: ValueText.Failure.self) {
        try ValueMember.replacing(name(.name("a")), in: whole, with: .null)
      }
    }
  }

  @Test func `A number in JSON keeps its typed digits`() throws {
    let store = StoreReference(location: LocationID(0))
    let list = "<plist version=\"1.0\"><dict><key>a</key><real>2.5</real></dict></plist>"
    let cases: [(StoredValue, StoredValue)] = [
      (.text("{\"a\":1.5}"), .text("{\"a\":2.50}")),
      (.data(Array("{\"a\":1.5}".utf8)), .data(Array("{\"a\":2.50}".utf8))),
      (.text(list.replacing("2.5", with: "1.5")), .text(list)),
      (.dictionary([.init("a", .real(1.5))]), .dictionary([.init("a", .real(2.5))])),
    ]
    for (before, after) in cases {
      let entry = Entry(key: .text("k"), value: before)
      var editor = EditorModel(
        store: store, entry: entry, title: "k", part: ValuePart(member: name(.name("a"))))
      editor.replaceText(with: "2.50")
      #expect(try editor.value(over: entry) == after)
    }
  }

  @Test func `A member is written over changes by another program`() throws {
    let store = StoreReference(location: LocationID(0))
    let key = EntryKey.text("k")
    var editor = EditorModel(
      store: store, entry: Entry(key: key, value: .text("{\"a\":1,\"b\":2}")), title: "k",
      part: ValuePart(member: name(.name("a"))))
    #expect(editor.isMember && editor.type == .integer && editor.buffer.text == "1")
    editor.replaceText(with: "7")
    let theirs = Entry(key: key, value: .text("{\"a\":1,\"b\":3}"))
    editor.rebase(onto: theirs)
    #expect(try editor.value(over: theirs) == .text("{\"a\":7,\"b\":3}"))
    editor.replaceText(with: "x")
    #expect(editor.problem != nil)
  }
}
