import LarderFormats
import LarderModel
import Testing

@testable import LarderBrowser

/// Loading of the columns beside the keys.
@Suite struct ListRowStateTests {
  private func bench(
    _ capabilities: StoreCapabilities = [.writable, .creates, .ordered], hasColumns: Bool = true
  ) -> Bench {
    var bench = Bench.ready(0..<200, capabilities: capabilities)
    bench.state.viewport.hasColumns = hasColumns
    bench.send(.command("down"))
    return bench
  }

  private func rows(_ keys: [EntryKey], _ text: String = "value") -> [EntryKey: ListRow] {
    Dictionary(
      keys.map { ($0, ListRow(Entry(key: $0, value: .text(text)), valueField: nil)) }
    ) { first, _ in first }
  }

  /// Returns the preview of the value of a key.
  private func preview(_ number: Int64, _ bench: Bench) -> String? {
    bench.state.keys?.row(of: Entry(key: .integer(number)))?.preview?.text
  }

  @Test func `Rows on and near the screen are read once`() throws {
    var bench = bench()
    let read = try bench.effect(ReadRows.self)
    #expect(read.keys == (0..<30).map { .integer($0) })
    bench.answer(read, rows(read.keys))
    #expect(preview(9, bench) == "value")
    bench.send(.command("down"))
    #expect(!bench.has(ReadRows.self))
    bench.run(.command("last"))
    #expect(try bench.latest(ReadRows.self).keys.allSatisfy { $0 > .integer(100) })
  }

  @Test func `Nothing is read if no columns are shown`() throws {
    #expect(!bench(hasColumns: false).has(ReadRows.self))
    #expect(!bench([.writable, .creates, .ordered, .hidesValues]).has(ReadRows.self))
    var bench = bench()
    bench.answer(try bench.effect(ReadRows.self), [:])
    bench.run(.command("read-through"))
    bench.send(.command("reload"))
    bench.settle()
    bench.send(.command("down"))
    #expect(!bench.has(ReadRows.self), "what larder's own cache holds stands there")
  }

  @Test func `Values of a store that hides them are never shown`() {
    let secret = Entry(key: .integer(0), value: .text("secret"), size: 6)
    #expect(bench().state.keys?.row(of: secret)?.preview == nil)
  }

  @Test func `A changed entry is read again and earlier replies are ignored`() throws {
    var bench = bench()
    let first = try bench.effect(ReadRows.self)
    bench.settle()
    bench.answer(first, rows(first.keys, "before"))
    bench.run(.command("delete"))
    bench.send(.command("yes"))
    let delete = try bench.first(DeleteEntry.self)
    bench.answer(delete, .success(()))
    let second = try bench.effect(ReadRows.self)
    bench.answer(first, rows(first.keys, "late"))
    #expect(preview(0, bench) == "before", "nothing that was read before the write counts")
    bench.answer(second, rows(second.keys, "after"))
    #expect(preview(0, bench) == "after")
  }

  @Test func `A value that is read also updates the list`() throws {
    var bench = bench()
    let read = try bench.effect(ReadRows.self)
    bench.answer(read, rows(read.keys, "before"))
    bench.run(.command("up"), value: .text("newer"))
    #expect(preview(0, bench) == "newer")
    #expect(preview(1, bench) == "before")
  }

  @Test func `Only entries changed by other programs are read again`() throws {
    var bench = bench([.writable, .creates, .ordered, .changeFeed])
    let first = try bench.effect(ReadRows.self)
    bench.answer(first, rows(first.keys))
    bench.run(.command("watch"))
    let watch = try bench.latest(WatchStore.self)
    var report = WatchReport()
    report.differences = [EntryDifference(.changed, .integer(3))]
    report.counts = [.changed: 1]
    bench.answer(watch, .changes(report))
    #expect(try bench.effect(ReadRows.self).keys == [.integer(3)])
  }

  @Test func `A value whose listed size is too large is not read`() {
    var model = bench().state.keys
    model?.window.replace(Entry(key: .integer(2), size: ListRow.maximumSize + 1))
    model?.forgetRows()
    #expect(model?.keysToRead(height: 4).contains(.integer(2)) == false)
    #expect(model?.keysToRead(height: 4).contains(.integer(3)) == true)
  }
}
