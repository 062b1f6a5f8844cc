import Testing

@testable import LarderFormats

@Suite struct WebAddressTests {
  private func found(_ text: String) -> [String] {
    var text = text
    return text.withUTF8 { bytes in
      WebAddress.places(in: bytes, touching: 0..<bytes.count).map { place in
        #expect(place.text == String(lossy: bytes[place.range]))
        return place.text
      }
    }
  }

  @Test(arguments: [
    ("https://a.example", ["https://a.example"]),
    ("see http://a.example/b?c=d&e#f, then", ["http://a.example/b?c=d&e#f"]),
    ("(https://a.example/x_(y))", ["https://a.example/x_(y)"]),
    ("[https://a.example/x].", ["https://a.example/x"]),
    (#"{"u":"https://a.example/x"}"#, ["https://a.example/x"]),
    ("<http://a.example/><http://b.example/>", ["http://a.example/", "http://b.example/"]),
    ("[![CI](https://x/b.svg)](https://x/actions)", ["https://x/b.svg", "https://x/actions"]),
    ("[a](http://a)[b](http://b)", ["http://a", "http://b"]),
    ("http://a.example,http://b.example", ["http://a.example", "http://b.example"]),
    ("'http://a','http://b'", ["http://a", "http://b"]),
    ("http://a/x,y;z.", ["http://a/x,y;z"]), ("http://a/[x]", ["http://a/[x]"]),
    ("http://a/👨‍👩‍👧 b", ["http://a/👨‍👩‍👧"]), ("http://a/\u{200b}b", ["http://a/"]),
    (#""http://a/cut"… 3 of 9 bytes are not shown"#, []),
    ("http://a.example/http://b.example/", ["http://a.example/http://b.example/"]),
    ("https://de.example/wiki/Zürich。", ["https://de.example/wiki/Zürich"]),
    ("http://a.example\u{1b}[31m", ["http://a.example"]),
    ("xhttp://a.example", []), ("http://", []), ("http://.", []), ("ftp://a.example", []),
    ("https://a.example/cut…", []), ("", []), ("h", []), ("https:/", []),
  ])
  func addressesEndWhereTheSentenceGoesOn(_ text: String, _ expected: [String]) {
    #expect(found(text) == expected)
  }

  @Test func `A URL is limited to the length that terminals accept`() {
    let longest = "http://" + String(repeating: "a", count: WebAddress.maximum - 7)
    #expect(found(longest) == [longest])
    #expect(found(longest + "a") == [])
    #expect(found(longest + "a http://b") == ["http://b"])
    #expect(found("http://a" + String(repeating: ")", count: 2_000)) == ["http://a"])
  }

  @Test func anAddressIsFoundFromAnyPartOfIt() {
    let text = Array("one https://a.example/b two https://c.example three".utf8)
    text.withUnsafeBufferPointer { bytes in
      for place in bytes.indices {
        let found = WebAddress.places(in: bytes, touching: place..<place + 1).map(\.range)
        #expect(found == [4..<23, 28..<45].filter { $0.contains(place) })
      }
    }
  }

  @Test func `Hostile text is scanned in linear time`() {
    // Each of these used to take quadratic time.
    let many = ValueLine([.init(String(repeating: "http://a ", count: 100_000))])
    #expect(many.linkingAddresses().parts.count == 200_000)
    #expect(many.linkingAddresses(inFirst: 90).parts.count == 20)
    #expect(found(String(repeating: "http://", count: 100_000)).isEmpty)
  }

  @Test func `Names are not links`() {
    let line = ValueLine([.init("http://a", .name), .init("  http://b", .text)])
    #expect(line.linkingAddresses().parts.map(\.link) == [nil, nil, "http://b"])
  }

  @Test func `Splitting a line preserves its text`() {
    let line = ValueLine([
      .init("é: ", .name), .init("\"http://a.exa", .text), .init("mple", .text, mark: .match),
      .init("/x\" b", .text),
    ])
    let parts = line.linkingAddresses().parts
    #expect(parts.map(\.text) == ["é: ", "\"", "http://a.exa", "mple", "/x", "\" b"])
    #expect(parts.map { $0.link != nil } == [false, false, true, true, true, false])
    #expect(parts[3].mark == .match && parts[3].link == "http://a.example/x")
    #expect(ValueLine([]).linkingAddresses() == ValueLine([]))
  }
}
