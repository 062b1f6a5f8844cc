import Testing

@testable import LarderCore

/// The number of the selected key while rows of keys that others removed are shown.
struct PresentOrdinalTests {
  @Test func `Rows of keys that are gone are not counted`() {
    var bench = Bench.ready(0..<5)
    bench.command("watch")
    guard let token = bench.state.keys?.watch?.token else {
      Issue.record("nothing is watched")
      return
    }
    bench.state.keys?.watch = WatchModel(token: token)
    bench.state.keys?.watch?.take([
      EntryDifference(.removed, .integer(0)), EntryDifference(.removed, .integer(3)),
    ])
    var numbers: [Int?] = []
    for _ in 0..<5 {
      numbers.append(bench.state.keys?.presentOrdinal)
      bench.state.keys?.cursor.move(by: 1, count: 5, height: 10)
    }
    #expect(numbers == [nil, 1, 2, nil, 3])
  }
}
