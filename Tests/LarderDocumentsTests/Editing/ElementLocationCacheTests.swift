import LarderModel
import Testing

@testable import LarderDocuments

/// Lookup of elements in long arrays, one after the other.
struct ElementLocationCacheTests {
  @Test func `All elements of an array are located once, on the second request`() {
    let places = ElementLocationCache<[Int]>()
    var count = 0
    func find() -> [Int]? {
      count += 1
      return [1, 2, 3]
    }
    #expect(places.places(in: 7, for: 3, find) == nil)
    #expect(places.places(in: 7, for: 3, find) == nil)
    #expect(places.places(in: 7, for: 20, find) == nil)
    #expect(count == 0)
    #expect(places.places(in: 7, for: 20, find) == [1, 2, 3])
    // Alternate with another array, as when walking through nested arrays.
    for _ in 0..<3 {
      #expect(places.places(in: 7, for: 20, find) == [1, 2, 3])
      _ = places.places(in: 8, for: 20, find)
    }
    #expect(count == 2)
    for list in 100..<200 { _ = places.places(in: list, for: 20, find) }
    #expect(places.places(in: 7, for: 20, find) == nil)
  }

  @Test func `A named member is looked up with all others from the second request on`() {
    let places = ElementLocationCache<[Int]>()
    var count = 0
    for isKnown in [false, true, true] {
      let found = places.places(in: 7) { () -> [Int]? in
        count += 1
        return [1]
      }
      #expect((found != nil) == isKnown)
    }
    #expect(count == 1)
  }

  @Test func `Nested members with repeated names are found, individually or all in turn`() throws {
    let names = (0..<300).map { $0 % 3 == 0 ? "a" : "b\($0 % 40)" }
    let members = names.enumerated().map { "\"\($1)\": \($0)" }.joined(separator: ", ")
    let keys = names.enumerated().map { "<key>\($1)</key><integer>\($0)</integer>" }.joined()
    let json = try JSONDocument(parsing: Array("[{\(members)}]".utf8))
    let xml = try PropertyListDocument(
      parsing: Array("<plist version=\"1.0\"><array><dict>\(keys)</dict></array></plist>".utf8))
    for document in [json, xml] as [any Document] {
      var repetitions: [String: Int] = [:]
      for (place, name) in names.enumerated() {
        let repetition = repetitions[name, default: 0]
        repetitions[name] = repetition + 1
        let path = [DocumentStep.index(0), .name(name, repetition: repetition)]
        #expect(try document.value(at: path) == .integer(Int64(place)))
      }
      for (name, count) in repetitions {
        for repetition in [count, -1, .max] {
          let path = [DocumentStep.index(0), .name(name, repetition: repetition)]
          #expect(try document.value(at: path) == nil)
        }
      }
      #expect(try document.value(at: [.index(0), .name("c")]) == nil)
    }
  }

  @Test func `A failed lookup is repeated`() {
    let places = ElementLocationCache<[Int]>()
    for _ in 0..<3 { #expect(places.places(in: 1, for: 20) { nil } == nil) }
    #expect(places.places(in: 1, for: 20) { [5] } == [5])
  }

  private static let elements = (0..<60).map { outer in
    (0..<40).map { $0 == 3 && outer == 50 ? "\\u0041" : "\(outer) \($0)" }
  }
  private static let json: String = {
    let lists = elements.map { "[" + $0.map { "\"\($0)\"" }.joined(separator: ", ") + "]" }
    return "{\"a\": [[], " + lists.joined(separator: " ,\n") + "]}"
  }()
  private static let xml: String = {
    let lists = elements.map { list in
      "<array>" + list.map { "<string>\($0)</string>" }.joined(separator: "\n") + "</array>"
    }
    return "<plist version=\"1.0\"><dict><key>a</key><array><array/>" + lists.joined()
      + "</array></dict></plist>"
  }()

  @Test func `Elements of nested long arrays match those of the whole value`() throws {
    try check(try JSONDocument(parsing: Array(Self.json.utf8)))
    try check(try PropertyListDocument(parsing: Array(Self.xml.utf8)))
  }

  private func check(_ document: some Document) throws {
    let top = [DocumentStep.name("a")]
    guard case .array(let lists)? = try document.value(at: top) else {
      Issue.record("there is no array")
      return
    }
    #expect(lists.count == 61)
    // Forwards and backwards, like a deletion and its undo.
    for outer in Array(lists.indices) + lists.indices.reversed() {
      guard case .array(let values) = lists[outer] else { continue }
      for (inner, value) in values.enumerated() {
        #expect(try document.value(at: top + [.index(outer), .index(inner)]) == value)
      }
      #expect(try document.value(at: top + [.index(outer), .index(values.count)]) == nil)
      #expect(try document.value(at: top + [.index(outer), .index(.max)]) == nil)
    }
    #expect(try document.value(at: top + [.index(61)]) == nil)
    #expect(try document.value(at: top + [.index(-1)]) == nil)
  }
}
