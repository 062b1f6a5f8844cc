import Harmony
import HarmonyTesting
import Testing

@Suite struct KeyOrderTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Pages remain sorted while keys are added and removed`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let source = InMemoryDataSource<Int>()
    var model: Set<[UInt8]> = []
    let names = (0..<200).map { "key\($0)" } + ["", "é", "e\u{301}", "\u{10FFFF}", "z"]
    for name in names {
      try await source.put(1, forId: name).get()
      model.insert(Array(name.utf8))
    }
    for step in 0..<60 {
      for _ in 0..<Int.random(in: 0..<30, using: &random) {
        guard let name = names.randomElement(using: &random) else { continue }
        if Bool.random(using: &random) {
          try await source.put(step, forId: name).get()
          model.insert(Array(name.utf8))
        } else {
          try await source.delete(name).get()
          model.remove(Array(name.utf8))
        }
      }
      let expected = model.sorted { $0.lexicographicallyPrecedes($1) }
      #expect(source.keys.map { Array($0.utf8) } == expected)
      #expect(try await source.countKeys(AllObjectsQuery()).get() == expected.count)
    }
  }
}
