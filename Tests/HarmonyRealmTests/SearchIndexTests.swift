import Foundation
import HarmonyTesting
import Testing

@testable import HarmonyRealm

/// Realm's indexes of primary keys.
struct SearchIndexTests {
  @Test(arguments: Fixture.readable)
  func `Every primary key is found directly in the index`(name: String) throws {
    try RealmFile(path: Fixture(name).path).read { reading in
      for found in try reading.classes() {
        guard let primary = found.primaryKey, found.count > 0 else { continue }
        let root = try #require(found.primaryIndex, "\(found.name)")
        let index = SearchIndex(reading.snapshot, root)
        try reading.forEachValue(of: primary, in: found) { key, value in
          if value != .null {
            #expect(index.candidate(value) == key, "\(found.name), \(value)")
          }
          let objectKey = try reading.objectKey(primaryKey: value, of: found)
          #expect(objectKey == key)
          return true
        }
        #expect(index.candidate(.string("no such key")) == nil)
        let absent = try reading.objectKey(primaryKey: .int(.min), of: found)
        #expect(absent == nil)
      }
    }
  }

  @Test func `A wrong index is not trusted`() throws {
    var bytes = try Fixture.bytes("r3.realm")
    // The parts of the keys in the index of items: `http`, `sess` and `user`.
    for (old, new) in [("ptth", "xtth"), ("sses", "xses"), ("resu", "xesu")] {
      let range = try #require(Data(bytes).range(of: Data(old.utf8)))
      bytes.replaceSubrange(range, with: Array(new.utf8))
    }
    let file = try TemporaryFile(bytes)
    try RealmFile(path: file.path).read { reading in
      let item = try reading.requireClass("Item")
      let objectKey = try reading.objectKey(primaryKey: .string("user.100001"), of: item)
      #expect(objectKey != nil)
    }
  }

  @Test(arguments: ["r300", "s15", "live24"])
  func `The same objects are found regardless of the index's contents`(name: String) throws {
    let bytes = try Fixture.bytes(name + ".realm")
    let places = try RealmFile(path: Fixture(name).path).read { reading in
      try reading.classes().compactMap(\.primaryIndex).flatMap {
        try Self.places(of: $0, in: reading.snapshot)
      }
    }
    try #require(!places.isEmpty)
    var generator = SeededGenerator(seed: 7)
    let file = try TemporaryFile([])
    for _ in 0..<60 {
      var changed = bytes
      // Includes the node type, so that leaves look like inner nodes, and the node size.
      for _ in 0..<4 {
        guard let place = places.randomElement(using: &generator) else { break }
        let byte = UInt8.random(in: 0...255, using: &generator)
        changed[place] =
          [0, 0xFF, changed[place] ^ 0x80, byte].randomElement(using: &generator) ?? byte
      }
      try Data(changed).write(to: URL(filePath: file.path))
      try RealmFile(path: file.path).read { reading in
        for found in try reading.classes() {
          guard let primary = found.primaryKey, found.primaryIndex != nil else { continue }
          var number = 0
          try reading.forEachValue(of: primary, in: found) { key, value in
            number += 1
            guard number % 37 == 1 else { return true }
            let objectKey = try reading.objectKey(primaryKey: value, of: found)
            #expect(objectKey == key, "\(value)")
            return true
          }
          for absent in [RealmValue.string("no such key"), .int(.min)] {
            let objectKey = try reading.objectKey(primaryKey: absent, of: found)
            #expect(objectKey == nil)
          }
        }
      }
    }
  }

  /// Returns the offsets of an index: its node headers from the fifth byte on, and its elements.
  private static func places(of root: Int, in snapshot: RealmSnapshot) throws -> [Int] {
    var places: [Int] = []
    var waiting = [root]
    while let ref = waiting.popLast() {
      let node = try snapshot.node(ref)
      places += (ref + 4)..<(ref + node.size)
      guard node.hasRefs else { continue }
      waiting += (0..<node.count).compactMap { try? node.ref($0) }
    }
    return places
  }
}
