import Testing

@testable import LarderCore

/// Elements of long arrays, which are looked for one after the other.
struct ElementPlacesTests {
  @Test func `All elements of an array are looked for once, when it is asked about again`() {
    let places = ElementPlaces<[Int]>()
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
    // Another array in between, as on the way through one that holds others.
    for _ in 0..<3 {
      #expect(places.places(in: 7, for: 20, find) == [1, 2, 3])
      _ = places.places(in: 8, for: 20, find)
    }
    #expect(count == 2)
    for list in 100..<200 { _ = places.places(in: list, for: 20, find) }
    #expect(places.places(in: 7, for: 20, find) == nil)
  }

  @Test func `What cannot be found is looked for again`() {
    let places = ElementPlaces<[Int]>()
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

  @Test func `Elements of long arrays in arrays are those of the whole value`() throws {
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
    // There and back, as a deletion and its undo read them.
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
