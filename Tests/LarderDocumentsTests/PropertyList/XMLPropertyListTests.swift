import Foundation
import LarderModel
import LarderDocuments
import Testing

@Suite struct XMLPropertyListTests {
  private func value(_ body: String) throws -> StoredValue? {
    let text = "<?xml version=\"1.0\"?><!DOCTYPE plist><plist version=\"1.0\">\(body)</plist>"
    return try PropertyListDocument(parsing: Array(text.utf8)).value(at: [])
  }

  @Test(
    arguments: [
      ("<integer>42</integer>", .integer(42)), ("<integer>0x1F</integer>", .integer(31)),
      ("<integer>-0x1</integer>", .integer(-1)), ("<integer>+007</integer>", .integer(7)),
      ("<integer>18446744073709551615</integer>", .number("18446744073709551615")),
      ("<integer>-9223372036854775808</integer>", .integer(.min)),
      ("<real>1</real>", .real(1)), ("<real>1.50</real>", .number("1.50")),
      ("<real>0.1</real>", .real(0.1)), ("<real>1e+20</real>", .real(1e20)),
      ("<real>nan</real>", .real(.nan)), ("<real>+infinity</real>", .real(.infinity)),
      ("<real>-inf</real>", .real(-.infinity)), ("<true/>", .bool(true)),
      ("<false></false>", .bool(false)), ("<string/>", .text("")),
      ("<string>a<![CDATA[<&]]>&amp;<!-- no --></string>", .text("a<&&")),
      ("<string>a\r\nb</string>", .text("a\nb")), ("<data> AQ\n ID </data>", .data([1, 2, 3])),
      ("<date>2001-01-01T00:00:01Z</date>", .date(Date(timeIntervalSinceReferenceDate: 1))),
      ("<dict/>", .dictionary([])), ("<array><array/></array>", .array([.array([])])),
    ] as [(String, StoredValue)])
  func `Elements are decoded as values`(body: String, expected: StoredValue) throws {
    #expect(try value(body) == expected)
  }

  @Test(
    arguments: [
      "", "a", "<integer/>", "<integer>x</integer>", "<integer>1.5</integer>", "<real>1,5</real>",
      "<true>x</true>", "<data>!</data>", "<date>2001-13-01T00:00:00Z</date>", "<date>now</date>",
      "<dict><key>a</key></dict>", "<dict><true/></dict>", "<dict>a</dict>", "<set/>",
      "<true/><true/>", "<string><b/></string>", "<string>&e;</string>", "<array>",
      "<array></dict>",
      "<array>x</array>", "<integer>0xFFFFFFFFFFFFFFFFF</integer>", "<integer>--1</integer>",
    ])
  func `Elements that are not valid values are refused`(body: String) {
    #expect(throws: DocumentError.self) { try value(body) }
  }

  @Test func `A value that is neither a dictionary nor an array has no members`() throws {
    let document = try PropertyListDocument(parsing: Array("<plist><true/></plist>".utf8))
    #expect(document.members.isEmpty)
    #expect(try document.value(at: []) == .bool(true))
    #expect(
      try document.applying([.set([], .bool(false))]) == Array("<plist><false/></plist>".utf8))
  }

  @Test(
    arguments: ["\0", "\u{8}", "\u{B}", "\u{C}", "\u{E}", "\u{1F}", "\u{FFFE}", "\u{FFFF}"],
    [
      .set([.name("a")], .text("x")), .set([.name("x")], .text("a")),
      .rename([.name("a")], to: "x"), .set([.name("list"), .index(0)], .text("x")),
      .set([.name("b")], .array([.text("x")])),
      .set([.name("b")], .dictionary([.init("x", .text("a"))])),
    ] as [DocumentChange])
  func `Characters that XML cannot represent are refused`(
    character: Character, change: DocumentChange
  ) throws {
    let text =
      "<plist><dict><key>a</key><true/><key>list</key><array><true/></array></dict></plist>"
    let document = try PropertyListDocument(parsing: Array(text.utf8))
    let bad = { (text: String) in text.replacingOccurrences(of: "x", with: "1\(character)2") }
    let changed: DocumentChange =
      switch change {
      case .set(let path, .text(let text)):
        .set(path.map { $0 == .name("x") ? .name(bad("x")) : $0 }, .text(bad(text)))
      case .set(let path, .array): .set(path, .array([.text(bad("x"))]))
      case .set(let path, _): .set(path, .dictionary([.init(bad("x"), .text("a"))]))
      case .rename(let path, let name): .rename(path, to: bad(name))
      case .remove: change
      }
    let error = #expect(throws: DocumentError.self) { try document.applying([changed]) }
    let scalar = try #require(character.unicodeScalars.first)
    let number = String(format: "U+%04X", scalar.value)
    #expect(error?.description.contains("cannot store the character \(number) in") == true)
    #expect(error?.description.contains("remove it") == true)
  }

  @Test func `Depth is limited`() throws {
    let deep = 512 - 1
    _ = try value(
      String(repeating: "<array>", count: deep) + String(repeating: "</array>", count: deep))
    #expect(throws: DocumentError.self) { try value(String(repeating: "<array>", count: 100_000)) }
    #expect(throws: DocumentError.self) {
      try value(String(repeating: "<dict><key>a</key>", count: 100_000))
    }
  }

  @Test func `A damaged file never traps`() throws {
    let object: [String: Any] = [
      "a": [1, 2.5, true, Data([1, 2]), Date(timeIntervalSinceReferenceDate: 0)], "b": ["c": "d"],
    ]
    try PropertyListSamples.bytes(of: object, .xml).torture(as: PropertyListDocument.self)
  }
}
