import LarderModel
import LarderBrowser
import Testing

/// Marks that are lost without the user's action, before a command for the marked entries.
@Suite struct LostMarkTests {
  private static let notice = Message(
    "all marks were lost, so nothing was deleted; d again asks about 1", .warning)

  /// Returns a browser in which entry 0 was marked before the list was reloaded.
  private func lost() -> Bench {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .undo])
    bench.run(.command("mark"))
    bench.run(.command("reload"))
    #expect(bench.selected == .integer(1))
    return bench
  }

  private func asks(about key: Int64, _ bench: Bench) -> Bool {
    guard case .confirm(let confirm) = bench.state.overlay else { return false }
    return confirm.query.entryKey == .integer(key) && confirm.marked.isEmpty
  }

  @Test func `The selected entry is not deleted instead of the lost marks`() throws {
    var bench = lost()
    bench.command("delete")
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message == Self.notice)
    bench.command("delete")
    #expect(asks(about: 1, bench))
  }

  @Test func `A yes typed ahead for a deletion copies nothing`() throws {
    var bench = lost()
    bench.command("delete")
    bench.command("copy")
    #expect(bench.effects.isEmpty)
    #expect(bench.state.message == Self.notice)
    bench.command("copy")
    #expect(bench.terminalOrder == .copy("value", isSecret: false))
  }

  @Test func `Marking again or clearing the marks dismisses the warning`() throws {
    var bench = lost()
    bench.run(.command("mark"))
    bench.run(.command("up"))
    bench.run(.command("mark"))
    bench.command("delete")
    #expect(asks(about: 2, bench))

    bench = lost()
    bench.send(.cancel)
    #expect(bench.state.message == Message("all marks cleared"))
    bench.command("delete")
    #expect(asks(about: 1, bench))
  }

  @Test func `Marks of deleted entries are not lost`() throws {
    var bench = Bench.ready()
    bench.run(.command("mark"))
    bench.run(.command("delete"))
    bench.command("yes")
    let delete = try bench.first(DeleteMarked.self)
    bench.numbers = Array(1..<10)
    bench.run(delete, .success(1))
    bench.command("delete")
    #expect(asks(about: 1, bench))
  }

  @Test func `A refusal because of a conflict does not ask about the selected entry`() {
    var bench = Bench.ready()
    bench.run(.command("mark"))
    bench.run(.command("delete"), value: .text("other"))
    #expect(bench.state.overlay == nil)
    bench.command("delete")
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message == Self.notice)
  }

  @Test func `Reloading loses the marks`() {
    var bench = Bench.ready()
    bench.run(.command("mark"))
    bench.run(.command("reload"))
    bench.command("delete")
    #expect(bench.state.message == Self.notice)
  }

  @Test func `Entries removed by another program are no longer marked`() throws {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .changeFeed])
    bench.run(.command("mark"))
    bench.command("watch")
    let watch = try bench.first(WatchStore.self)
    var report = WatchReport()
    report.differences = [EntryDifference(.removed, .integer(0), old: .text("value"))]
    report.counts = [.removed: 1]
    bench.run(watch, .changes(report))
    bench.command("delete")
    #expect(bench.state.overlay == nil)
    #expect(bench.state.message == Self.notice)
  }

  @Test func `A removed row disappears when its change mark is discarded`() throws {
    var bench = Bench.ready(capabilities: [.writable, .creates, .ordered, .changeFeed])
    bench.command("watch")
    let watch = try bench.first(WatchStore.self)
    func report(_ keys: Range<Int64>) -> WatchReport {
      var report = WatchReport()
      report.differences = keys.map { EntryDifference(.removed, .integer($0), old: .text("value")) }
      report.counts = [.removed: keys.count]
      return report
    }
    bench.run(watch, .changes(report(1..<2)))
    #expect(bench.state.keys?.window.row(of: .integer(1)) != nil, "it is shown as removed for now")
    // More than the maximum number of recorded changes.
    bench.run(watch, .changes(report(1_000..<11_000)))
    #expect(bench.state.keys?.window.row(of: .integer(1)) == nil)
    #expect(bench.state.keys?.window.row(of: .integer(2)) != nil)
  }
}
