import Foundation
import HarmonyRealm
import RealmExercise
import Testing

/// Files with more levels than the fixtures written by Realm.
struct LargeFileTests {
  @Test(arguments: [0, 1, 10, 256, 257, 66_000])
  func `A file of any size returns all objects in order, forwards and backwards`(count: Int)
    throws
  {
    let file = try TemporaryFile([])
    try RealmSample.write(count, to: file.path)
    try RealmFile(path: file.path).read { reading in
      #expect(try reading.problems().isEmpty)
      #expect(reading.isExported)
      let found = try reading.requireClass(RealmSample.name)
      #expect(found.count == count)
      #expect(found.primaryKey?.name == "k")
      var next = 0
      try reading.forEachValue(of: try #require(found.property("n")), in: found) { key, value in
        if key != next || value != .int(RealmSample.amount(next)) {
          Issue.record("\(key) is \(value)")
          return false
        }
        next += 1
        return true
      }
      #expect(next == count)
      try reading.forEachKey(of: found, isBackward: true) { key in
        next -= 1
        return key == next
      }
      #expect(next == 0)
      for place in Set([0, count / 2, count - 1]) where place >= 0 && place < count {
        let object = try reading.object(Int64(place), of: found)
        #expect(object?.primaryKey == .string(RealmSample.key(place)))
        #expect(object?["v"] == .string(RealmSample.words(place)))
        let objectKey = try reading.objectKey(
          primaryKey: .string(RealmSample.key(place)), of: found)
        #expect(objectKey == Int64(place))
      }
      #expect(try reading.object(Int64(count), of: found) == nil)
      #expect(try !reading.hasObject(Int64(count), in: found))
    }
  }

  @Test func `Iteration can start after any object`() throws {
    let file = try TemporaryFile([])
    try RealmSample.write(66_000, to: file.path)
    try RealmFile(path: file.path).read { reading in
      let found = try reading.requireClass(RealmSample.name)
      for start in [0, 255, 256, 40_000, 65_535, 65_999] {
        var keys: [Int64] = []
        try reading.forEach(of: found, after: Int64(start)) { object in
          keys.append(object.objectKey)
          return keys.count < 3
        }
        #expect(keys == Array((Int64(start) + 1..<66_000).prefix(3)))
      }
    }
  }
}
