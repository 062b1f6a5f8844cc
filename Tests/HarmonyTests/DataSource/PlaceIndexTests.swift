import Harmony
import HarmonyTesting
import Testing

@Suite struct PlaceIndexTests {
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `Random changes agree with a dictionary, also where hashes meet`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Few, and some of them at the end of every table, from where a search goes on at its start.
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

  @Test func `Nothing is found in an index that is empty or was emptied`() {
    var index = PlaceIndex()
    #expect(index.place(7, where: { _ in true }) == nil)
    for place in 0..<100 { index.add(place, UInt64(place) << 32) }
    #expect(index.place(99 << 32, where: { _ in true }) == 99)
    for place in 0..<100 { index.remove(place, UInt64(place) << 32) }
    #expect(index.count == 0)
    #expect(index.place(99 << 32, where: { _ in true }) == nil)
  }

  @Test func `Where two hashes begin alike the entry decides`() {
    var index = PlaceIndex()
    index.add(0, 5 << 32 | 1)
    index.add(1, 5 << 32 | 2)
    #expect(index.place(5 << 32 | 2, where: { $0 == 1 }) == 1)
    #expect(index.place(5 << 32 | 2, where: { _ in false }) == nil)
  }
}
