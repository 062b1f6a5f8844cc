import TestSamples
import Foundation
import LarderModel
import LarderDocuments
import Testing

@Suite struct PropertyListEditingTests {
  @Test(arguments: [true, false])
  func `Random changes to a file match the model, and Foundation can read it`(
    isXML: Bool
  ) throws {
    var random = SampleGenerator()
    for _ in 0..<60 {
      let first = StoredValue.dictionary([
        .init("a", PropertyListSamples.value(&random, depth: 3, isXML: isXML)),
        .init("b", PropertyListSamples.value(&random, depth: 2, isXML: isXML)),
        .init("same", .array([.text("shared"), .text("shared")])),
      ])
      let bytes = try PropertyListSamples.bytes(
        of: PropertyListSamples.object(of: first), isXML ? .xml : .binary)
      var document = try PropertyListDocument(parsing: bytes)
      let read = try #require(try document.value(at: []))
      if !isXML {
        #expect(
          PropertyListSamples.sorted(read) == PropertyListSamples.sorted(first), "\(random.seed)")
      }
      var model = DocumentModel(root: read)
      for _ in 0..<5 {
        var changes: [DocumentChange] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let change = model.change(&random) { random, _ in
            PropertyListSamples.value(&random, depth: 2, isXML: isXML)
          }
          guard let change else { continue }
          changes.append(change)
          try model.apply(change)
        }
        let bytes = try document.applying(changes)
        document = try PropertyListDocument(parsing: bytes)
        #expect(try document.value(at: []) == model.root, "seed \(random.seed), \(changes)")
        #expect(throws: Never.self, "seed \(random.seed)") {
          try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        }
        // Setting the whole value to itself changes nothing.
        #expect(try document.applying([.set([], model.root)]) == bytes)
      }
    }
  }

  @Test func `Python reads the changed file`() throws {
    let written = try PropertyListSamples.python(
      """
      shared = [1, 2.5, "x"]
      value = {"a": shared, "b": shared, "d": b"123", "n": [plistlib.UID(7), 2**64-1, -5]}
      sys.stdout.buffer.write(plistlib.dumps(value, fmt=plistlib.FMT_BINARY))
      """)
    let document = try PropertyListDocument(parsing: written)
    #expect(
      try document.value(at: [.name("n"), .index(0)])
        == .dictionary([.init("CF$UID", .integer(7))]))
    let changed = try document.applying([
      .set([.name("a"), .index(0)], .text("é")),
      .set([.name("n"), .index(0), .name("CF$UID")], .integer(300)),
      .remove([.name("d")]), .set([.name("new")], .array((0..<300).map { .integer($0) })),
    ])
    let said = try PropertyListSamples.python(
      """
      value = plistlib.loads(sys.stdin.buffer.read())
      assert value["new"] == list(range(300)); del value["new"]
      print(value)
      """, changed)
    #expect(
      String(decoding: said, as: UTF8.self)
        == "{'a': ['é', 2.5, 'x'], 'b': [1, 2.5, 'x'], 'n': [UID(300), 18446744073709551615, -5]}\n"
    )
  }

  @Test func `A property list written by Python in XML keeps its order and its spacing`() throws {
    let written = try PropertyListSamples.python(
      """
      value = {"z": 1, "a": {"k": b"x" * 80, "e": {}}, "l": [True, 1.5]}
      sys.stdout.buffer.write(plistlib.dumps(value, sort_keys=False))
      """)
    let text = String(decoding: written, as: UTF8.self)
    let document = try PropertyListDocument(parsing: written)
    #expect(document.members == [.name("z"), .name("a"), .name("l")])
    let changed = try document.applying([
      .set([.name("a"), .name("e"), .name("deep")], .array([.data([1]), .bool(false)])),
      .set([.name("l"), .index(2)], .text("<")), .rename([.name("z")], to: "y"),
    ])
    #expect(
      String(decoding: changed, as: UTF8.self)
        == text.replacing("<key>z</key>", with: "<key>y</key>")
        .replacing(
          "<dict/>",
          with: """
            <dict>
            \t\t\t<key>deep</key>
            \t\t\t<array>
            \t\t\t\t<data>
            \t\t\t\tAQ==
            \t\t\t\t</data>
            \t\t\t\t<false/>
            \t\t\t</array>
            \t\t</dict>
            """
        )
        .replacing("<real>1.5</real>", with: "<real>1.5</real>\n\t\t<string>&lt;</string>"))
  }

  @Test func `A file on one line stays on one line`() throws {
    let text = "<plist><dict><key>a</key> <array><true/></array></dict></plist>"
    let document = try PropertyListDocument(parsing: Array(text.utf8))
    let changed = try document.applying([
      .set([.name("a"), .index(1)], .data([0])),
      .set([.name("b")], .dictionary([.init("c", .integer(1))])),
    ])
    #expect(
      String(decoding: changed, as: UTF8.self)
        == "<plist><dict><key>a</key> <array><true/><data>AA==</data></array>"
        + "<key>b</key> <dict><key>c</key><integer>1</integer></dict></dict></plist>")
  }

  @Test(
    arguments: [
      .null, .array([.null]), .number("18446744073709551616"), .malformedText([0xFF]),
    ] as [StoredValue])
  func `Values that property lists cannot hold are refused in both formats`(value: StoredValue)
    throws
  {
    for form in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let document = try PropertyListDocument(
        parsing: PropertyListSamples.bytes(of: ["a": 1], form))
      #expect(throws: DocumentError.self) { try document.applying([.set([.name("a")], value)]) }
    }
  }

  @Test func `XML refuses values that only binary files can hold`() throws {
    let document = try PropertyListDocument(parsing: PropertyListSamples.bytes(of: ["a": 1], .xml))
    for value in [
      StoredValue.text("\u{1}"), .date(Date(timeIntervalSinceReferenceDate: 0.5)),
      .date(Date(timeIntervalSinceReferenceDate: 1e13)),
    ] {
      #expect(throws: DocumentError.self) { try document.applying([.set([.name("a")], value)]) }
    }
  }

  @Test(
    arguments: [
      .set([.name("x"), .name("y")], .integer(1)), .set([.name("l"), .index(5)], .integer(1)),
      .set([.name("a", repetition: 2)], .integer(1)), .set([.index(0)], .integer(1)), .remove([]),
      .remove([.name("x")]), .rename([.name("x")], to: "y"), .rename([.name("a")], to: "l"),
      .rename([.name("l"), .index(0)], to: "x"), .set([.name("a"), .index(0)], .integer(1)),
    ] as [DocumentChange])
  func `Changes that lead nowhere are refused`(change: DocumentChange) throws {
    for form in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let document = try PropertyListDocument(
        parsing: PropertyListSamples.bytes(of: ["a": 1, "l": [1]] as [String: Any], form))
      #expect(throws: DocumentError.self) { try document.applying([change]) }
    }
  }

  @Test func `Repeated names are distinguished by their repetition`() throws {
    let text = """
      <plist><dict>
        <key>a</key><integer>1</integer>
        <!-- between -->
        <key>a</key><integer>2</integer>
      </dict></plist>
      """
    let document = try PropertyListDocument(parsing: Array(text.utf8))
    #expect(document.members == [.name("a"), .name("a", repetition: 1)])
    #expect(try document.value(at: [.name("a", repetition: 1)]) == .integer(2))
    let removed = try document.applying([.remove([.name("a", repetition: 1)])])
    #expect(
      String(decoding: removed, as: UTF8.self)
        == text.replacing("\n  <key>a</key><integer>2</integer>", with: ""))
    let set = try document.applying([.set([.name("a", repetition: 1)], .integer(3))])
    #expect(String(decoding: set, as: UTF8.self) == text.replacing(">2<", with: ">3<"))
  }
}
