import LarderBrowser
import LarderModel
import Testing

/// The list that is restored if a typed key does not exist.
@Suite struct SoughtKeyTests {
  @Test func `The list is kept only until the key is found or another one is sought`() {
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

  @Test func `Another missing key does not restore the list`() {
    var bench = Bench.ready(0..<10)
    bench.command("go", "900")
    #expect(bench.state.restoreList(missing: .integer(5)) == nil)
    #expect(bench.state.departure == nil)
  }
}
