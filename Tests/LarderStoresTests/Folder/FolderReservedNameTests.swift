import Foundation
import Harmony
import LarderModel
import LarderJournal
import Testing

@testable import LarderStores

/// Names reserved for temporary files, under which larder would hide and remove a user's file.
struct FolderReservedNameTests {
  private static let name = ".larder-0123456789abcdef.tmp"
  private static let sentence = "for its temporary files; nothing was written"
  private let bench: FolderBench

  init() throws {
    bench = try FolderBench()
    try bench.write("1", "file")
  }

  private func store() async throws -> Store {
    try await Stores.store(bench.folder.file("root"))
  }

  private func expectRefusal(_ work: () async throws -> Void) async {
    let error = await #expect(throws: StoreError.self) { try await work() }
    #expect(error?.message.contains(Self.sentence) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("nothing was written") == true)
  }

  @Test(arguments: ["NAME", "below/NAME", "NAME/below"])
  func `A reserved name is not given to an entry`(_ pattern: String) async throws {
    let name = pattern.replacing("NAME", with: Self.name)
    let store = try await store()
    let key = EntryKey.text(name)
    await expectRefusal { try await store.set(.text("2"), key) }
    await expectRefusal {
      let change = EntryChange(key, value: .text("2"), expecting: nil)
      _ = try await store.source.putAll([], in: ChangesQuery([change])).get()
    }
    await expectRefusal {
      let rename = try bench.rename("file", to: name)
      _ = try await store.source.put(nil, in: rename).get()
    }
    await expectRefusal {
      let count = Counter()
      let query = ImportQuery(replaces: false) {
        count.next() == 0 ? [Entry(key: key, value: .text("2"))] : nil
      }
      _ = try await store.source.put(nil, in: query).get()
    }
    #expect(try bench.contents() == ["file": "1"])
  }

  @Test func `A file is not renamed to a name that marks it as disposable`() throws {
    let status = try bench.read("file").status
    let name = String(decoding: TemporaryName(taking: status).bytes, as: UTF8.self)
    let rename = try bench.rename("file", to: name)
    let refused = bench.refusal { _ = try bench.writer().rename([rename]) }
    #expect(refused?.contains(Self.sentence) == true, "\(refused ?? "")")
    #expect(try bench.contents() == ["file": "1"])
  }

  @Test func `A file left under a temporary name by a kill can be deleted, renamed and restored`()
    async throws
  {
    let status = try bench.read("file").status
    let name = String(decoding: TemporaryName(taking: status).bytes, as: UTF8.self)
    try bench.write("theirs", name)
    let journal = Journal(path: bench.folder.file("state/journal.db"))
    let store = try await Stores.open(
      StoreLocation(path: bench.folder.file("root")), journal: journal
    ).store(nil)
    func undo() async throws { try await store.replay(ReplayRequest()) }
    let key = EntryKey.text(name)
    #expect(try await store.value(key) == .text("theirs"))
    try await store.source.delete(EntryQuery(key)).get()
    #expect(try bench.contents() == ["file": "1"])
    try await undo()
    #expect(try bench.contents() == ["file": "1", name: "theirs"])
    let rename = try bench.rename(name, to: "theirs")
    _ = try await store.source.put(nil, in: rename).get()
    #expect(try bench.contents() == ["file": "1", "theirs": "theirs"])
    try await undo()
    #expect(try bench.contents() == ["file": "1", name: "theirs"])
    #expect(try await store.keys() == [key, .text("file")])
  }
}
