import LarderDocuments
import Testing

@Suite struct XMLTokenizerTests {
  private func tokens(_ text: String) throws -> [(XMLToken.Kind, String)] {
    let bytes = Array(text.utf8)
    var tokenizer = XMLTokenizer(bytes)
    var tokens: [(XMLToken.Kind, String)] = []
    var end = 0
    while let token = try tokenizer.next() {
      #expect(token.range.lowerBound == end)
      end = token.range.upperBound
      tokens.append((token.kind, String(decoding: bytes[token.content], as: UTF8.self)))
    }
    #expect(end == bytes.count)
    return tokens
  }

  @Test func `Every byte belongs to exactly one token`() throws {
    let text = """
      <?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c]>">]>
      <a b = 'x>y' c="z"><!-- <d> --><e/>t<![CDATA[<f>]]></a >
      """
    let found = try tokens(text)
    #expect(
      found.map(\.0) == [
        .instruction, .doctype, .text, .open, .comment, .empty, .text, .section, .close,
      ])
    #expect(
      found.map(\.1) == [
        #"xml version="1.0""#, #" a [<!ENTITY b "c]>">]"#, "\n", "a", " <d> ", "e", "t", "<f>", "a",
      ])
  }

  @Test(
    arguments: [
      "<", "<a", "<a b", "<a b=", "<a b='", "<a b='c", "<a b='c'd='e'>", "</a", "<!-- ", "<!x>",
      "<![CDATA[ ]>", "<?a ", "<!DOCTYPE a [", "<1/>", "< a>", "<a b='<'/>", "<a / >",
    ])
  func `Truncated or malformed XML is refused with its position`(text: String) throws {
    let failure = #expect(throws: DocumentError.self) { try tokens("ab\n" + text) }
    #expect(failure?.description.contains("at line 2, column") == true)
  }

  @Test(
    arguments: [
      ("a&amp;&lt;&gt;&quot;&apos;b", "a&<>\"'b"), ("&#65;&#x1F600;", "A😀"),
      ("a\r\nb\rc", "a\nb\nc"),
      ("&#13;", "\r"),
    ])
  func `References are resolved`(text: String, characters: String) throws {
    let bytes = Array(text.utf8)
    var content: [UInt8] = []
    try XMLText.append(0..<bytes.count, of: bytes, to: &content)
    #expect(String(decoding: content, as: UTF8.self) == characters)
  }

  @Test(arguments: [
    "&", "&amp", "&b;", "&#;", "&#1114112;", "&#+5;", "&#-0;", "&#x-0;", "&#99999999999;",
  ])
  func `Invalid references are refused`(text: String) {
    let bytes = Array(text.utf8)
    var content: [UInt8] = []
    #expect(throws: DocumentError.self) {
      try XMLText.append(0..<bytes.count, of: bytes, to: &content)
    }
  }

  @Test func `Depth is limited`() {
    let bytes = Array(String(repeating: "<a>", count: 100_000).utf8)
    #expect(throws: DocumentError.self) {
      var cursor = XMLCursor(bytes)
      if let tag = try cursor.tag() { try cursor.skip(tag) }
    }
  }

  @Test(
    arguments: [
      [0xFF, 0xFE, 0x3C, 0x00], [0xFE, 0xFF, 0x00, 0x3C], [0x3C, 0x00, 0x61, 0x00],
      [0x3C, 0xFF, 0x3E],
      Array("<?xml version='1.0' encoding='ISO-8859-1'?><a/>".utf8),
    ] as [[UInt8]])
  func `Encodings other than UTF-8 are refused with an explanation`(bytes: [UInt8]) {
    let failure = #expect(throws: DocumentError.self) { try XMLProlog.cursor(bytes) }
    #expect(failure?.description.contains("UTF-8") == true)
  }

  @Test func `A byte order mark is not treated as text`() throws {
    var cursor = try XMLProlog.cursor([0xEF, 0xBB, 0xBF] + "<a/>".utf8)
    #expect(try cursor.tag()?.kind == .empty)
  }
}
