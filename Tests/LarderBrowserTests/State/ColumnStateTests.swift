import LarderBrowser
import LarderModel
import Testing

/// A column that is shown by itself while its row comes and goes.
@Suite struct ColumnStateTests {
  @Test func aColumnWhoseRowCannotBeReadAnyMoreIsLeft() throws {
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
