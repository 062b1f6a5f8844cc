import Foundation
import HarmonyRealm
import RealmExercise
import Testing

struct FixtureTests {
  @Test(arguments: Fixture.described)
  func `The contents match Realm's own dump, field by field`(name: String) throws {
    let fixture = Fixture(name)
    let dump = try DumpedValue(
      parsing: [UInt8](try Data(contentsOf: URL(filePath: fixture.expected))))
    try RealmFile(path: fixture.path).read { reading in
      var comparison = try DumpComparison(reading)
      try comparison.compare(dump)
      #expect(comparison.differences.prefix(20) == [])
      #expect(comparison.compared > 0)
    }
  }

  @Test(arguments: Fixture.readable)
  func `Every object of every class is read without an error`(name: String) throws {
    try RealmFile(path: Fixture(name).path).read { reading in
      #expect(try reading.problems().isEmpty)
      for found in try reading.classes() {
        var keys: [Int64] = []
        try reading.forEach(of: found) { object in
          #expect(object.problem == nil)
          keys.append(object.objectKey)
          return true
        }
        #expect(keys == keys.sorted())
        #expect(keys.count == found.count)
        var backward: [Int64] = []
        try reading.forEach(of: found, properties: [], isBackward: true) { object in
          backward.append(object.objectKey)
          return true
        }
        #expect(backward == keys.reversed())
      }
    }
  }
}
