import Foundation
import Harmony
import HarmonyTesting
import Testing

/// A custom object that decodes itself.
final class ArchivedNote: NSObject, NSCoding {
  let title: String
  let next: ArchivedNote?

  init(_ title: String, next: ArchivedNote? = nil) {
    (self.title, self.next) = (title, next)
  }

  init?(coder: NSCoder) {
    title = coder.decodeObject(forKey: "title") as? String ?? ""
    next = coder.decodeObject(forKey: "next") as? ArchivedNote
  }

  func encode(with coder: NSCoder) {
    coder.encode(NSString(string: title), forKey: "title")
    coder.encode(next, forKey: "next")
  }
}

/// An object that can be archived but not unarchived.
final class OneWay: NSObject, NSCoding {
  override init() {}
  init?(coder: NSCoder) { nil }
  func encode(with coder: NSCoder) {}
}

/// Damaged archives, which must result in an error or another object, but never crash.
@Suite struct ArchiveFuzzTests {
  private typealias Table = [String: Any]

  /// Returns an archive with an object of each supported class.
  private static func archive() throws -> Data {
    let values: [Any] = [
      1, 2.5, true, "text", "\u{1F600}", Date(timeIntervalSinceReferenceDate: 7), Data([1, 2]),
      NSMutableData(data: Data([3])), NSNull(), NSUUID(), NSLocale(localeIdentifier: "de"),
      try #require(NSURL(string: "http://a.b/c")), NSDictionary(dictionary: ["a": 1, "b": ["c"]]),
      NSMutableDictionary(dictionary: ["d": NSArray(array: [1])]), NSSet(array: [1, 2]),
      NSMutableArray(array: ["x", "y"]), NSMutableSet(array: ["z"]), NSMutableString(string: "m"),
      NSURLQueryItem(name: "n", value: "v"), NSURLQueryItem(name: "n", value: nil),
    ]
    return try NSCodingToDataMapper<NSArray>().map(NSArray(array: values))
  }

  private func read(_ data: Data) {
    do {
      _ = try DataToNSCodingMapper<NSArray>().map(data)
    } catch {
      #expect(error is CoreError.DataSerialization)
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `Changed or missing bytes never trap`(seed: UInt64) throws {
    let archive = try Self.archive()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1_500 {
      var data = archive
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<data.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: data[place] = UInt8.random(in: 0...255, using: &random)
        case 1: data[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: data[place] = data[Int.random(in: 0..<data.count, using: &random)]
        default:
          data.removeSubrange(
            place..<min(place + Int.random(in: 1...4, using: &random), data.count))
        }
      }
      read(data)
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `Swapped values never trap`(seed: UInt64) throws {
    // Swaps entries of the offset table, and thereby whole values.
    let archive = [UInt8](try Self.archive())
    let trailer = archive.count - 32
    let count = archive[(trailer + 8)..<(trailer + 16)].reduce(0) { $0 << 8 | Int($1) }
    let table = archive[(trailer + 24)..<(trailer + 32)].reduce(0) { $0 << 8 | Int($1) }
    let size = Int(archive[trailer + 6])
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1_500 {
      var bytes = archive
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let first = table + size * Int.random(in: 0..<count, using: &random)
        let second = table + size * Int.random(in: 0..<count, using: &random)
        for index in 0..<size { bytes[first + index] = archive[second + index] }
      }
      read(Data(bytes))
    }
  }

  /// Returns an archive of an array with one element, which is the first of the given objects.
  private func archive(_ objects: [Any], root: Any? = nil) -> Data {
    let count = objects.count
    let list: Table = ["NS.objects": [Reference(1)], "$class": Reference(count + 2)]
    let table: Table = [
      "$archiver": "NSKeyedArchiver", "$version": 100_000,
      "$top": ["root": root ?? Reference(count + 1)] as Table,
      "$objects": ["$null"] + objects + [list, type("NSArray")],
    ]
    return BinaryList.data(table)
  }

  private func type(_ name: String) -> Table {
    ["$classname": name, "$classes": [name, "NSObject"]]
  }

  @Test func `A value that does not fit its class is an error`() {
    let of = ["$class": Reference(2)]
    func fields(_ fields: Table) -> Table { fields.merging(of) { $1 } }
    let none: [Any] = []
    let damaged: [Data] = [
      archive([fields(["NS.objects": [Reference(1)]]), type("NSArray")]),
      archive([fields(["NS.objects": [Reference(9)]]), type("NSArray")]),
      archive([fields(["NS.objects": [1]]), type("NSArray")]),
      archive([fields(["NS.objects": "text"]), type("NSArray")]),
      archive([fields(["NS.objects": none]), type("NSNoSuchClass")]),
      archive([fields(["NS.objects": none]), type("no.such.class")]),
      archive([fields(["NS.objects": none]), type("NSCalendar")]),
      archive([fields(["NS.objects": none]), type("NSObject")]),
      archive([fields(["NS.keys": none, "NS.objects": [Reference(2)]]), type("NSDictionary")]),
      archive([
        fields(["NS.keys": [Reference(0)], "NS.objects": [Reference(0)]]), type("NSDictionary"),
      ]),
      archive([fields(["NS.time": "late"]), type("NSDate")]),
      archive([fields(["NS.uuidbytes": Data([1])]), type("NSUUID")]),
      archive([fields([:]), type("NSUUID")]),
      archive([fields(["NS.relative": Reference(1), "NS.base": Reference(0)]), type("NSURL")]),
      archive([fields(["NS.string": 1]), type("NSString")]),
      archive(["text"], root: 1), archive(["text"], root: Reference(7)), archive([none]),
      BinaryList.data(["$objects": none]), BinaryList.data("text"),
    ]
    for data in damaged {
      #expect(throws: CoreError.DataSerialization.self) {
        try DataToNSCodingMapper<NSArray>().map(data)
      }
    }
    let list = archive([fields(["NS.objects": [Reference(3)]]), type("NSArray"), "text"])
    #expect(throws: Never.self) { try DataToNSCodingMapper<NSArray>().map(list) }
  }

  @Test func `Objects that are nested too deeply are refused by both mappers`() throws {
    var deep = ArchivedNote("end")
    for number in 0..<150 { deep = ArchivedNote("\(number)", next: deep) }
    let data = try NSCodingToDataMapper<ArchivedNote>().map(deep)
    #expect(try DataToNSCodingMapper<ArchivedNote>().map(data).title == "149")
    for number in 150..<250 { deep = ArchivedNote("\(number)", next: deep) }
    #expect(throws: CoreError.DataSerialization.self) { try NSCodingToDataMapper().map(deep) }
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: deep, requiringSecureCoding: false)
    #expect(throws: CoreError.DataSerialization.self) {
      try DataToNSCodingMapper<ArchivedNote>().map(archive)
    }
  }

  @Test func `The nesting limit does not depend on the order of decoding`() throws {
    // In the list each note precedes the one that contains it; in the reversed list it follows.
    var deep = ArchivedNote("end")
    var notes: [ArchivedNote] = []
    for number in 1...450 {
      deep = ArchivedNote("\(number)", next: deep)
      if number.isMultiple(of: 150) { notes.append(deep) }
    }
    for list in [notes, notes.reversed()] {
      let archive = try NSKeyedArchiver.archivedData(
        withRootObject: NSArray(array: list), requiringSecureCoding: false)
      #expect(throws: CoreError.DataSerialization.self) {
        try DataToNSCodingMapper<NSArray>().map(archive)
      }
    }
  }

  @Test func `A string shared by many values is refused if it takes too much memory`() {
    func shared(length: Int) -> Data {
      let none: [Any] = []
      let text = String(repeating: "a", count: length)
      return archive(
        [["NS.objects": none, "$class": Reference(2)] as Table, type("NSArray")]
          + Array(repeating: text as Any, count: 5_000))
    }
    #expect(throws: Never.self) { try DataToNSCodingMapper<NSArray>().map(shared(length: 100)) }
    let large = shared(length: 30_000)
    #expect(large.count < 100_000)
    #expect(throws: CoreError.DataSerialization.self) {
      try DataToNSCodingMapper<NSArray>().map(large)
    }
  }

  @Test func `A custom object survives a round trip, and other classes are refused`() throws {
    let note = ArchivedNote("a", next: ArchivedNote("b"))
    let data = try NSCodingToDataMapper<ArchivedNote>().map(note)
    let copy = try DataToNSCodingMapper<ArchivedNote>().map(data)
    #expect(copy.title == "a" && copy.next?.title == "b" && copy.next?.next == nil)
    #expect(throws: CoreError.DataSerialization.self) {
      try DataToNSCodingMapper<NSArray>().map(data)
    }
  }

  @Test func `Objects that could not be unarchived are not archived`() {
    #expect(throws: CoreError.DataSerialization.self) { try NSCodingToDataMapper().map(OneWay()) }
    #expect(throws: CoreError.DataSerialization.self) {
      try NSCodingToDataMapper().map(NSCalendar.current as NSCalendar)
    }
  }
}

/// A reference to an object in an archive.
private struct Reference {
  let number: Int
  init(_ number: Int) { self.number = number }
}

/// Writes binary property lists of fewer than 65,536 values with references, which Foundation does
/// not support.
///
/// Equal strings are stored once.
private struct BinaryList {
  private var objects: [[UInt8]] = []
  private var texts: [String: Int] = [:]

  static func data(_ value: Any) -> Data {
    var list = BinaryList()
    let top = list.add(value)
    var bytes = [UInt8]("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in list.objects {
      offsets += number(bytes.count, 4)
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 4, 2]
    for part in [list.objects.count, top, table] { bytes += number(part, 8) }
    return Data(bytes)
  }

  private static func number(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// Returns the header of a value of a type and length.
  private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    [kind | 15, 0x11] + number(count, 2)
  }

  private mutating func add(_ value: Any) -> Int {
    let bytes: [UInt8]
    switch value {
    case let value as Reference: bytes = [0x81] + Self.number(value.number, 2)
    case let value as String:
      if let index = texts[value] { return index }
      texts[value] = objects.count
      bytes = Self.head(0x50, value.utf8.count) + value.utf8
    case let value as Data: bytes = Self.head(0x40, value.count) + value
    case let value as Int: bytes = [0x12] + Self.number(value, 4)
    case let value as [Any]:
      let parts = value.flatMap { Self.number(add($0), 2) }
      bytes = Self.head(0xA0, value.count) + parts
    case let value as [String: Any]:
      let keys = value.keys.flatMap { Self.number(add($0), 2) }
      let values = value.values.flatMap { Self.number(add($0), 2) }
      bytes = Self.head(0xD0, value.count) + keys + values
    default: bytes = [0]
    }
    objects.append(bytes)
    return objects.count - 1
  }
}
