import Foundation
import Harmony
import Testing

@Suite struct MapperTests {
  private struct Person: Codable, Equatable { var name: String }
  private struct Human: Codable, Equatable { var fullName: String }

  @Test func `Collections are mapped element by element`() throws {
    let mapper = ClosureMapper { (number: Int) in "\(number)" }
    #expect(try mapper.map([1, 2]) == ["1", "2"])
    #expect(try mapper.map(["a": 1]) == ["a": "1"])
    #expect(try mapper.map(Set([1, 2])) == ["1", "2"])
    #expect(try IdentityMapper<Int>().map(3) == 3)
    #expect(try MockMapper<Int, String>("m").map(3) == "m")
    #expect(try ComposedMapper(mapper, ClosureMapper { $0.count }).map(123) == 3)
    #expect(throws: CoreError.NotImplemented.self) { try VoidMapper<Int, Int>().map(1) }
    #expect(throws: CoreError.NotImplemented.self) { try Mapper<Int, Int>().map(1) }
    #expect(try CastMapper<Any, Int>().map(1) == 1)
    #expect(throws: CoreError.Failed.self) { try CastMapper<Any, Int>().map("1") }
  }

  @Test(arguments: ["\u{FEFF}a", "\u{FEFF}", "a\u{FEFF}", "\u{FEFF}\u{FEFF}", "\0", "e\u{301}"])
  func `Every string survives a round trip`(text: String) throws {
    let bytes = try StringToDataMapper().map(text)
    #expect(try DataToStringMapper().map(bytes).utf8.elementsEqual(text.utf8))
    let json = try EncodableToDataMapper<[String]>().map([text])
    let read = try DataToDecodableMapper<[String]>().map(json)
    #expect(read.count == 1 && read[0].utf8.elementsEqual(text.utf8))
    let archive = try NSCodingToDataMapper<NSString>().map(NSString(string: text))
    let object = try DataToNSCodingMapper<NSString>().map(archive)
    #expect("\(object)".utf8.elementsEqual(text.utf8))
  }

  @Test func `Bytes can be converted to text and back`() throws {
    let data = Data([0, 1, 0xab, 0xff])
    #expect(try DataToHexStringMapper().map(data) == "0001abff")
    #expect(try HexStringToDataMapper().map("0001ABff") == data)
    #expect(try Base64StringToDataMapper().map(DataToBase64StringMapper().map(data)) == data)
    for bad in ["0", "0g", "é0"] {
      #expect(throws: CoreError.Failed.self) { try HexStringToDataMapper().map(bad) }
    }
    #expect(throws: CoreError.Failed.self) { try Base64StringToDataMapper().map("%") }
    #expect(try DataToStringMapper().map(StringToDataMapper().map("é")) == "é")
    #expect(throws: CoreError.DataSerialization.self) { try DataToStringMapper().map(data) }
  }

  @Test func `JSON can rename properties`() throws {
    let encoded = try EncodableToDataMapper<Person>(["name": "n"]).map(Person(name: "x"))
    #expect(String(decoding: encoded, as: UTF8.self) == #"{"n":"x"}"#)
    #expect(try DataToDecodableMapper<Person>(["n": "name"]).map(encoded) == Person(name: "x"))
    let human = try EncodableToDecodableMapper<Person, Human>(["name": "fullName"])
      .map(Person(name: "x"))
    #expect(human == Human(fullName: "x"))
  }

  private struct Pair: Codable, Equatable {
    var a = 1
    var b = 2
  }

  @Test(arguments: [["a": "x", "b": "x"], ["a": "b"], ["b": "a"]])
  func `Two properties with the same name are an error, and none is dropped`(
    names: [String: String]
  ) throws {
    #expect(throws: CoreError.DataSerialization.self) {
      try EncodableToDataMapper<Pair>(names).map(Pair())
    }
    #expect(throws: CoreError.DataSerialization.self) {
      try EncodableToDataMapper<[[Pair]]>(names).map([[Pair()]])
    }
    #expect(throws: CoreError.DataSerialization.self) {
      try EncodableToDecodableMapper<Pair, Person>(names).map(Pair())
    }
    let both = Data(#"{"a":1,"b":2}"#.utf8)
    #expect(throws: CoreError.DataSerialization.self) {
      try DataToDecodableMapper<[String: Pair]>(names).map(Data(#"{"p":{"a":1,"b":2}}"#.utf8))
    }
    #expect(throws: CoreError.DataSerialization.self) {
      try DataToDecodableMapper<Pair>(names).map(both)
    }
    // Swapped names and the names of other types do not collide.
    let exchanged = ["a": "b", "b": "a"]
    let pairs = [Pair(a: 3, b: 4), Pair()]
    let json = try EncodableToDataMapper<[Pair]>(exchanged).map(pairs)
    #expect(try DataToDecodableMapper<[Pair]>(exchanged).map(json) == pairs)
    let one = try DataToDecodableMapper<Person>(["title": "name", "label": "name"])
      .map(Data(#"{"label":"x","other":1}"#.utf8))
    #expect(one == Person(name: "x"))
  }

  @Test func `Corrupt JSON is an error and never crashes`() {
    #expect(throws: CoreError.DataSerialization.self) {
      try DataToDecodableMapper<Person>().map(Data("{".utf8))
    }
    #expect(throws: CoreError.DataSerialization.self) {
      try EncodableToDataMapper<Double>().map(.nan)
    }
  }
}
