import Foundation
import Harmony
import Testing

/// Keys of identifiers: equal identifiers share a key, and different ones do not.
@Suite struct StableKeyTests {
  /// Checks that identifiers share a key exactly if they are equal.
  private func expectKeysToFollow<Id: Hashable & Sendable>(_ ids: [Id]) {
    let keyed = ids.map { (id: $0, key: Array(IdQuery($0).key.utf8)) }
    for left in keyed {
      for right in keyed where (left.key == right.key) != (left.id == right.id) {
        Issue.record("\(Id.self): of \(left.id) and \(right.id) one has the wrong key")
      }
    }
  }

  @Test func `Zero has one key, regardless of its sign`() {
    expectKeysToFollow([0.0, -0.0, 1, 1.5, -1.5, .infinity])
    expectKeysToFollow([Float(0), -0, 0.1, 16_777_216])
    expectKeysToFollow([CGFloat(0), -0, 1, 0.1, 0.2])
    expectKeysToFollow([CGPoint(x: 0, y: 1), CGPoint(x: -0.0, y: 1), CGPoint(x: 1, y: 0)])
    expectKeysToFollow([
      Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: -0.0),
      Date(timeIntervalSinceReferenceDate: 1e-9),
    ])
    expectKeysToFollow([SIMD2(0.0, 1), SIMD2(-0.0, 1), SIMD2(1.0, 0), SIMD2(2.0, 1)])
  }

  @Test func `Numbers with several components differ in each of them`() throws {
    expectKeysToFollow([SIMD4<Int8>(1, 2, 3, 4), SIMD4(1, 2, 3, 5), SIMD4(4, 3, 2, 1)])
    let decimals = ["1", "1.0", "10", "0.1", "1e3", "1000", "-1", "0", "1e-90", "1e-91"]
    expectKeysToFollow(try decimals.map { try #require(Decimal(string: $0)) } + [.nan])
    expectKeysToFollow([
      Decimal(1), Decimal(sign: .plus, exponent: -1, significand: 10), Decimal(10) / 10,
    ])
    #expect(IdQuery(Decimal(15) / 10).key == "1.5")
  }

  @Test func `Character sets differ in each character`() {
    expectKeysToFollow([
      CharacterSet(charactersIn: "ab"), CharacterSet(charactersIn: "ba"),
      CharacterSet(charactersIn: "ac"), CharacterSet(charactersIn: "\u{1F600}"..."\u{1F601}"),
      .whitespaces, .whitespaces.inverted.inverted, CharacterSet(),
    ])
    #expect(IdQuery(CharacterSet(charactersIn: "abcx")).key == "61-63 78")
  }

  @Test func `Foundation numbers are equal across types, and so are their keys`() {
    let numbers: [NSNumber] = [
      0, 1, true, false, 1.0, 0.0, -0.0, 0.5, 2, NSDecimalNumber(string: "0.5"),
      NSNumber(value: Int8(1)), NSNumber(value: UInt64.max), NSNumber(value: Int64.min),
      NSNumber(value: Float(0.5)), NSDecimalNumber(value: 1),
    ]
    expectKeysToFollow(numbers.map(Box.init))
    expectKeysToFollow([Box(NSString("1")), Box(1 as NSNumber), Box(NSNull()), Box(NSUUID())])
  }

  /// A Foundation object that is sendable in these tests.
  private struct Box: Hashable, @unchecked Sendable {
    let object: NSObject
    init(_ object: NSObject) { self.object = object }
  }

  /// A type-erased value.
  private struct Erased: Hashable, @unchecked Sendable {
    let value: AnyHashable
    init(_ value: AnyHashable) { self.value = value }
  }

  private struct Version: LosslessStringConvertible, Hashable {
    let description: String
    init(_ description: String) { self.description = description }
  }

  @Test func `Type-erased values are not confused with similar text`() {
    let id = UUID()
    expectKeysToFollow([
      Erased(1), Erased(Int8(1)), Erased(1.0), Erased("1"), Erased(true), Erased("true"),
      Erased([1]), Erased([Int8(1)]), Erased([1, 2]), Erased([2, 1]), Erased(["1"]), Erased(id),
      Erased(id.uuidString), Erased(Version("1")), Erased(Int?.none), Erased("nil"),
      Erased(["a": 1]), Erased(["a": UInt8(1)]), Erased(Float(0.5)), Erased(0.5), Erased(0.0),
      Erased(-0.0), Erased(Character("1")), Erased(Set([1, 2])), Erased(Set([2, 1, 3])),
    ])
    expectKeysToFollow([[Version("a"), Version("b")], [Version("a, b")], [Version(#"a", "b"#)]])
    expectKeysToFollow([[Character(","), " ", ","], [",", ","], [",", " "]])
    expectKeysToFollow([[URL(string: "a"), URL(string: "b")], [URL(string: "a,b")], [nil]])
  }

  @Test func `A nil is not confused with text that looks like it`() {
    expectKeysToFollow([nil, "nil", "?nil", "??nil", "", "a"])
    expectKeysToFollow([String??.none, .some(nil), .some("nil"), .some("?nil")])
    expectKeysToFollow([[String?.none], ["nil"], [], ["?nil"]])
    expectKeysToFollow([[Int??.none], [.some(nil)], [.some(1)]])
    #expect(IdQuery(Optional("a")).key == "a")
  }

  private enum Signal: Hashable, Sendable, CustomStringConvertible {
    case stop, go, wait(Int)
    var description: String { "a signal" }
  }

  @Test func `Enumeration cases use their names, regardless of their description`() {
    expectKeysToFollow([Signal.stop, .go, .wait(1), .wait(2)])
    expectKeysToFollow([[Signal.stop, .go], [.go, .stop]])
    #expect(IdQuery(Signal.stop).key == "stop")
  }

  private struct Tags: Hashable, Sendable { let name: String, set: Set<String> }

  @Test func `Nested strings have one key if they are equal`() {
    expectKeysToFollow([Tags(name: "\u{E9}", set: []), Tags(name: "e\u{301}", set: [])])
    expectKeysToFollow([Character("\u{E9}"), Character("e\u{301}"), "e"])
    expectKeysToFollow([Tags(name: "a", set: ["x", "y"]), Tags(name: "a", set: ["x, y"])])
    expectKeysToFollow([
      Tags(name: "\u{FEFF}a", set: []), Tags(name: "a", set: []), Tags(name: "a\0", set: []),
    ])
  }

  @Test func `URLs and memory addresses differ`() throws {
    expectKeysToFollow([ObjectIdentifier(Link.self), ObjectIdentifier(Token.self)])
    expectKeysToFollow([Pointer(16), Pointer(32)])
    let base = try #require(URL(string: "http://x/"))
    expectKeysToFollow([
      try #require(URL(string: "a", relativeTo: base)), try #require(URL(string: "http://x/a")),
    ])
    let tokens = [Token(), Token()]
    expectKeysToFollow(tokens + tokens)
    expectKeysToFollow([
      try #require(TimeZone(identifier: "Europe/Madrid")),
      try #require(TimeZone(identifier: "Europe/Paris")),
    ])
  }

  private struct Pointer: Hashable, @unchecked Sendable {
    let raw: UnsafeRawPointer?, opaque: OpaquePointer?
    init(_ place: Int) {
      raw = UnsafeRawPointer(bitPattern: place)
      opaque = OpaquePointer(bitPattern: place)
    }
  }

  private final class Token: Hashable, Sendable {
    static func == (left: Token, right: Token) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  private class Named: Hashable, @unchecked Sendable {
    let name: String
    init(_ name: String) { self.name = name }
    static func == (left: Named, right: Named) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  private final class Numbered: Named, @unchecked Sendable { let number = 1 }

  @Test func `Objects differ in the properties of their superclasses too`() {
    expectKeysToFollow([Numbered("a"), Numbered("b"), Numbered("a")])
  }

  private final class Link: Hashable, @unchecked Sendable {
    var next: Link?
    let name: String
    init(_ name: String, _ next: Link? = nil) { (self.name, self.next) = (name, next) }
    static func == (left: Link, right: Link) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  @Test func `An identifier may contain itself`() {
    let (first, second) = (Link("a"), Link("b"))
    (first.next, second.next) = (second, first)
    #expect(IdQuery(first).key == #"Link(next: Link(next: ^2, name: "b"), name: "a")"#)
    #expect(IdQuery(first).key == IdQuery(first).key)
    (first.next, second.next) = (first, nil)
    #expect(IdQuery(first).key == #"Link(next: ^1, name: "a")"#)
    first.next = nil
  }

  @Test func `An identifier may be nested as deeply as memory allows`() {
    var first = Link("end")
    for _ in 0..<20_000 { first = Link("a", first) }
    #expect(IdQuery(first).key.hasSuffix(#"name: "a")"#))
    // Released one by one, because nested deinitializers use stack space.
    while let next = first.next { (first.next, first) = (nil, next) }
  }

  @Test func `The keys of stored entries never change`() throws {
    let id = try #require(UUID(uuidString: "8C7F3BD2-5D2C-4B3A-9E1C-1F6B7A0F9D11"))
    #expect(IdQuery([id]).key == #"[UUID("8C7F3BD2-5D2C-4B3A-9E1C-1F6B7A0F9D11")]"#)
    #expect(IdQuery(Optional(id)).key == id.uuidString)
    #expect(IdQuery(UUID?.none).key == "nil")
    #expect(IdQuery(Optional("nil")).key == "?nil")
    #expect(IdQuery(["a", nil]).key == #"["a", nil]"#)
    #expect(IdQuery(Optional(Version("1.2"))).key == "1.2")
    #expect(IdQuery(Date?.some(Date(timeIntervalSinceReferenceDate: 1))).key == "1.0")
    #expect(IdsQuery([String]()).key == #"\"#)
  }

  @Test func `Different lists of identifiers have different keys`() {
    let lists = [
      [], [""], ["", ""], [","], ["a,\u{301}b"], ["a", "\u{301}b"], [#"\"#], [#"\\"#], [#"\,"#],
      [#"\"#, ""], ["a", "b"], ["a,b"], [#"a\"#, "b"],
    ]
    let keys = lists.map { IdsQuery($0).key }
    #expect(Set(keys.map { Array($0.utf8) }).count == lists.count)
  }
}
