import Harmony
import LarderModel
import LarderOperations
import Testing

@testable import LarderBrowser

/// The browser's own changes, which a watch does not report.
@Suite struct OwnChangesTests {
  private static let value = StoredValue.text("new")
  private static let old = Fingerprint(of: .text("old"))

  static let writes: [any BrowserEffect & Sendable] = [
    WriteEntry(
      store: Bench.reference, entry: Entry(key: .integer(1), value: value),
      query: ReplaceQuery(.integer(1), expecting: old), ticket: nil),
    DeleteEntry(
      store: Bench.reference, query: EntryQuery(.integer(1), expecting: old), ticket: nil),
    RenameEntry(
      store: Bench.reference,
      query: RenameQuery(.integer(1), to: .integer(2), expecting: Fingerprint(of: value)),
      isCopy: false, ticket: nil),
    DeleteMarked(
      store: Bench.reference,
      changes: [EntryChange(.integer(1), value: nil, expecting: old)],
      question: Ticket(1) { _ in nil }),
  ]

  /// Returns whether a watch takes each change that the writes can make for the browser's own.
  private func taken(after write: any BrowserEffect, _ refusal: StoreError?) async -> [Bool] {
    let bench = await RunnerBench(ScriptedSource(refusal: refusal))
    await bench.run(write)
    return [
      EntryDifference(.removed, .integer(1)),
      EntryDifference(.changed, .integer(1), value: Self.value),
      EntryDifference(.added, .integer(2), value: Self.value),
    ].map { bench.runner.registry.own.takes($0, of: Bench.reference) }
  }

  @Test(arguments: writes.indices)
  func `What the store refused is not the browser's own`(_ index: Int) async {
    let write = Self.writes[index]
    #expect(await taken(after: write, .conflict(current: nil)) == [false, false, false])
    #expect(await taken(after: write, nil).contains(true))
    // The store may have been written anyway.
    #expect(await taken(after: write, .notDurable("not durable")).contains(true))
  }
}
