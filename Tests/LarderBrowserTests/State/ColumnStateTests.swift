import LarderBrowser
import LarderModel
import Testing

/// A single column that is shown while its row changes.
@Suite struct ColumnStateTests {
  @Test func `A column whose row can no longer be read is closed`() throws {
    var bench = Bench.ready()
    let row = StoredValue.record([
      .init("name", .text("Ada")), .init("photo", .data([0, 255, 0, 241])),
    ])
    bench.run(.command("down"), value: row)
    bench.run(.command("next-pane"), value: row)
    bench.run(.command("down"), value: row)
    bench.run(.command("open"), value: row)
    #expect(bench.state.value?.openedColumn == "photo")
    bench.command("reload")
    bench.answer(try bench.effect(ReadEntry.self), .failure(.notFound("it is gone")))
    bench.send(.cancel)
    #expect(bench.state.value?.openedColumn == nil)
    #expect(bench.state.focus == .keys)
  }
}
