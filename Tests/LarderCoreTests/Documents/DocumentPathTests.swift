import LarderCore
import Testing

@Suite struct DocumentPathTests {
  @Test(
    arguments: [
      ([.name("a")], "a"), ([.name("")], "\"\""), ([.index(3)], "3"),
      ([.name("a"), .index(0), .name("b c")], "(a,0,b c)"), ([.name("42")], "\"42\""),
      ([.name("a", repetition: 1)], "(a,null,1)"),
      ([.name("null"), .name("a", repetition: 2), .index(1)], "(\"null\",a,null,2,1)"), ([], "()"),
    ] as [([DocumentStep], String)])
  func `A path is a key and the key a path`(path: [DocumentStep], notation: String) {
    let key = EntryKey(path: path)
    #expect(key.notation(.typed) == notation)
    #expect(EntryKey(notation: notation, style: .typed).documentPath == path)
  }

  @Test(arguments: ["null", "1.5", "x'00'", "(null,1)", "(a,null)", "(a,null,0)", "(a,null,b)"])
  func `Keys that lead nowhere are no paths`(notation: String) {
    #expect(EntryKey(notation: notation, style: .typed).documentPath == nil)
  }
}
