import LarderBrowser
import LarderModel
import Testing

/// The list that is restored where a typed key is missing.
@Suite struct SoughtKeyTests {
  @Test func theListIsKeptOnlyUntilTheKeyIsFoundOrAnotherIsSought() {
    var bench = Bench.ready(0..<10)
    bench.command("go", "900")
    #expect(bench.state.departure != nil)
    bench.settle()
    #expect(bench.state.departure == nil)
    #expect(bench.selected == .integer(0))
    bench.command("go", "7")
    bench.settle()
    #expect(bench.state.departure == nil)
    #expect(bench.selected == .integer(7))
    bench.command("go", "900")
    _ = bench.state.goTo(.integer(3))
    #expect(bench.state.departure == nil)
  }

  @Test func anotherKeyThatIsMissingDoesNotBringTheListBack() {
    var bench = Bench.ready(0..<10)
    bench.command("go", "900")
    #expect(bench.state.restoreList(missing: .integer(5)) == nil)
    #expect(bench.state.departure == nil)
  }
}
