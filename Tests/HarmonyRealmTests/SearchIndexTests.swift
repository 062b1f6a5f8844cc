import Foundation
import Testing

@testable import HarmonyRealm

/// The indexes that Realm keeps of primary keys.
struct SearchIndexTests {
  @Test(arguments: Fixture.readable)
  func `Every primary key is found in the index at once`(name: String) throws {
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

  @Test func `An index that says something else is not believed`() throws {
    var bytes = try Fixture.bytes("r3.realm")
    // The pieces of the keys in the index of items: `http`, `sess` and `user`.
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
}
