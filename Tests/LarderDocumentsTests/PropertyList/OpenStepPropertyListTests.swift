import LarderModel
import LarderDocuments
import Testing

@Suite struct OpenStepPropertyListTests {
  static let sample = #"""
    // Xcode's project files look like this.
    {
      archiveVersion = 1;
      "a b" = ( x, "y\n\U00e9\101", 'z', ); /* two */
      data = <0fbd77 AB>;
      nested = { k = v; l = () };
      alone;
    }
    """#

  @Test func `The OpenStep format is read-only`() throws {
    let document = try PropertyListDocument(parsing: Array(Self.sample.utf8))
    #expect(
      try document.value(at: [])
        == .dictionary([
          .init("archiveVersion", .text("1")),
          .init("a b", .array([.text("x"), .text("y\néA"), .text("z")])),
          .init("data", .data([0x0F, 0xBD, 0x77, 0xAB])),
          .init("nested", .dictionary([.init("k", .text("v")), .init("l", .array([]))])),
          .init("alone", .text("alone")),
        ]))
    #expect(try document.value(at: [.name("a b"), .index(2)]) == .text("z"))
    #expect(document.members.count == 5)
    #expect(document.readOnlyReason != nil)
    #expect(throws: DocumentError.self) { try document.applying([.remove([.name("data")])]) }
  }

  @Test(
    arguments: [
      "{", "(", "{a", "{a=", "{a=b", "{a=b c=d}", "(a b)", "{a=<0>;}", "{a=<g>;}", "{a=\"b}",
      "(a)b",
      "{a=\"\\", "/*", "abc", "{=b;}", "\u{0}",
    ])
  func `Text that is not in OpenStep format is refused`(text: String) {
    #expect(throws: DocumentError.self) { try PropertyListDocument(parsing: Array(text.utf8)) }
  }

  @Test func `Depth is limited`() {
    for start in ["(", "{a="] {
      let text = String(repeating: start, count: 100_000)
      #expect(throws: DocumentError.self) { try PropertyListDocument(parsing: Array(text.utf8)) }
    }
  }

  @Test func `A damaged file never traps`() {
    Array(Self.sample.utf8).torture(as: PropertyListDocument.self)
  }
}
