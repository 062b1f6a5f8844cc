import Foundation
import Harmony
import LarderModel
import LarderStores
import Testing

/// Queries for several entries.
struct EntriesQueryTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  private func store(_ kind: String) async throws -> Store {
    switch kind {
    case "json":
      let text = #"{"a": "1", "b": null, "c": "3"}"#
      return try await Stores.store(try folder.write(Array(text.utf8), to: "file.json"))
    case "table":
      return try await Stores.store(
        try await folder.database(
          "CREATE TABLE kv(k TEXT PRIMARY KEY, v); "
            + "INSERT INTO kv VALUES('a', '1'), ('b', NULL), ('c', '3')"))
    default:
      for (name, text) in [("a", "1"), ("b", ""), ("c", "3")] {
        _ = try folder.write(Array(text.utf8), to: "files/" + name)
      }
      return try await Stores.store(folder.file("files"))
    }
  }

  @Test(arguments: ["json", "table", "folder"])
  func `Each existing key has its entry, and a missing key only its key`(kind: String) async throws
  {
    let store = try await store(kind)
    let keys = ["c", "x", "b", "a"].map { EntryKey.text($0) }
    let found = try await store.source.getAll(EntriesQuery(keys)).get()
    let nothing: StoredValue = kind == "folder" ? .text("") : .null
    #expect(found.map(\.value) == [.text("3"), nil, nothing, .text("1")])
  }

  @Test func `A file without a value ends the answer and is then queried alone`() async throws {
    let store = try await store("folder")
    #expect(symlink("a", folder.file("files/link")) == 0)
    let keys = ["a", "link", "x", "b"].map { EntryKey.text($0) }
    #expect(try await store.source.getAll(EntriesQuery(keys)).get().map(\.key) == [keys[0]])
    var taken: [Int] = []
    let error = await #expect(throws: StoreError.self) {
      try await store.source.forEachEntry(keys) { place, _ in taken.append(place) }
    }
    #expect(error?.message.contains("symbolic link") == true)
    #expect(taken == [0])
  }
}
