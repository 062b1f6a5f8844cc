import Harmony
import HarmonyTesting
import Testing

@Suite struct PlaceIndexTests {
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `Random changes match a dictionary, even with hash collisions`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Only a few, including some at the end of the table, so that probing wraps around.
    let hashes = (0..<12).map { (number: UInt32) -> UInt64 in
      let head: UInt32 = number % 3 == 0 ? .max - number : number
      return UInt64(head) << 32
    }
    var index = PlaceIndex()
    var model: [Int: UInt64] = [:]
    for _ in 0..<2_000 {
      let place = Int.random(in: 0..<40, using: &random)
      if let hash = model.removeValue(forKey: place) {
        index.remove(place, hash)
      } else {
        let hash = hashes.randomElement(using: &random) ?? 0
        index.add(place, hash)
        model[place] = hash
      }
      #expect(index.count == model.count)
      let isRight = (0..<40).allSatisfy { place in
        hashes.allSatisfy { hash in
          let expected: Int? = model[place] == hash ? place : nil
          return index.place(hash, where: { $0 == place }) == expected
        }
      }
      #expect(isRight)
    }
  }

  @Test func `Nothing is found in an empty index`() {
    var index = PlaceIndex()
    #expect(index.place(7, where: { _ in true }) == nil)
    for place in 0..<100 { index.add(place, UInt64(place) << 32) }
    #expect(index.place(99 << 32, where: { _ in true }) == 99)
    for place in 0..<100 { index.remove(place, UInt64(place) << 32) }
    #expect(index.count == 0)
    #expect(index.place(99 << 32, where: { _ in true }) == nil)
  }

  @Test func `If two hashes share a prefix, the entry decides`() {
    var index = PlaceIndex()
    index.add(0, 5 << 32 | 1)
    index.add(1, 5 << 32 | 2)
    #expect(index.place(5 << 32 | 2, where: { $0 == 1 }) == 1)
    #expect(index.place(5 << 32 | 2, where: { _ in false }) == nil)
  }
}
