import Harmony
import LarderModel
import LarderOperations
import Testing

/// Copies and moves between stores.
struct TransferTests {
  private func store(_ memory: InMemoryDataSource<Entry> = InMemoryDataSource()) -> Store {
    Store(
      kind: StoreKind(name: "test", recognizedBy: "", collections: "", keys: ""),
      location: StoreLocation(path: "test"), capabilities: [], keyStyle: .text,
      source: AnyDataSource(memory))
  }

  @Test func `A copy names entries that it cannot read completely, and a move refuses them`()
    async throws
  {
    let memory = InMemoryDataSource<Entry>()
    var entry = Entry(key: .text("h"), value: .text("x"))
    entry.loss = "two fields expire"
    _ = try await memory.put(entry, in: EntryQuery(entry.key)).get()
    let selection = Transfer.Selection.keys([entry.key], seen: [:])
    let (origin, target) = (store(memory), store())
    let copy = Transfer(selection, from: origin, to: target)
    let outcome = try await copy.tried(copy.plan(Scan()))
    #expect(outcome.copied == 1 && outcome.losses == NameList(["h (two fields expire)"]))
    await #expect(throws: OperationFailure.self) {
      try await Transfer(selection, from: origin, to: target, isMove: true).plan(Scan())
    }
  }
}
