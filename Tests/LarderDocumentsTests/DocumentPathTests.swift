import LarderModel
import LarderDocuments
import Testing

@Suite struct DocumentPathTests {
  @Test(
    arguments: [
      ([.name("a")], "a"), ([.name("")], "\"\""), ([.index(3)], "3"),
      ([.name("a"), .index(0), .name("b c")], "(a,0,b c)"), ([.name("42")], "\"42\""),
      ([.name("a", repetition: 1)], "(a,null,1)"),
      ([.name("null"), .name("a", repetition: 2), .index(1)], "(\"null\",a,null,2,1)"), ([], "()"),
    ] as [([DocumentStep], String)])
  func `A path converts to a key and back`(path: [DocumentStep], notation: String) {
    let key = EntryKey(path: path)
    #expect(key.notation(.typed) == notation)
    #expect(EntryKey(notation: notation, style: .typed).documentPath == path)
  }

  @Test(arguments: ["null", "1.5", "x'00'", "(null,1)", "(a,null)", "(a,null,-1)", "(a,null,b)"])
  func `Keys that lead nowhere have no path`(notation: String) {
    #expect(EntryKey(notation: notation, style: .typed).documentPath == nil)
  }

  @Test(arguments: [
    ("(a,null,0)", "a"), ("(/a,null,0)", "(/a)"),
    ("(a,null,0,b,null,1,c,null,0)", "(a,b,null,1,c)"),
    ("(a,null,1)", "(a,null,1)"), ("(0,null,0)", "(0,null,0)"),
  ])
  func `The first of several members has the same path with and without its repetition`(
    notation: String, stored: String
  ) {
    let key = EntryKey(notation: notation, style: .typed)
    #expect(key.withoutFirstNumbers == EntryKey(notation: stored, style: .typed))
    #expect(key.withoutFirstNumbers.documentPath == key.documentPath)
  }

  @Test(arguments: [
    ("a", ["(a,null,1)"]), ("(a,null,0)", []), ("(a,0,b)", ["(a,null,1)", "(a,0,b,null,1)"]),
    ("(a,null,2,b)", ["(a,null,2,b,null,1)"]), ("3", []), ("()", []),
  ])
  func `A name without a repetition may have a second member`(notation: String, seconds: [String]) {
    let names = EntryKey(notation: notation, style: .typed).unnumberedNames
    #expect(names.map { $0.member(1).notation(.typed) } == seconds)
  }
}
