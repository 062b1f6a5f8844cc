import Harmony
import LarderModel
import LarderStores
import Testing

struct MemoryTests {
  @Test func `A seed can have values of every type`() async throws {
    let folder = try TestFolder()
    let seed = """
      {"b": 1, "a": "text", "c": 1.5, "d": true, "e": null, "f": [1, {"z": 1, "y": 2}],
       "g": {"base64": "AAE="}, "b": 2, "é": 1, "e\u{301}": 2}
      """
    let path = try folder.write(Array(seed.utf8), to: "seed.json")
    let store = try await Stores.store("memory:" + path)
    #expect(
      try await store.keys(pages: 2)
        == ["a", "b", "c", "d", "e", "e\u{301}", "f", "g", "é"].map { .text($0) })
    let values: [(String, StoredValue)] = [
      ("a", .text("text")), ("b", .integer(2)), ("c", .real(1.5)), ("d", .bool(true)),
      ("e", .null), ("g", .data([0, 1])),
      (
        "f",
        .array([
          .integer(1), .dictionary([.init("z", .integer(1)), .init("y", .integer(2))]),
        ])
      ),
    ]
    for (key, value) in values { #expect(try await store.value(.text(key)) == value) }
  }

  @Test(arguments: [
    ("{\"a\": 1,\n \"b\" 2}", "line 2"), ("[1]", "is not a JSON object"), ("", "is not JSON"),
    ("{\"a\": 1} x", "line 1, column 10"), (String(repeating: "[", count: 100_000), "nested"),
  ])
  func `An invalid seed is explained`(_ seed: String, _ says: String) async throws {
    let folder = try TestFolder()
    let path = try folder.write(Array(seed.utf8), to: "seed.json")
    await #expect {
      _ = try await Stores.open("memory:" + path)
    } throws: { error in
      let text = StoreError(error).message
      #expect(text.contains(says) && text.contains(path), "\(text)")
      return true
    }
  }

  @Test func `Concurrent conditional writes do not overwrite each other`() async throws {
    let store = try await Stores.store("memory:")
    let key = EntryKey.text("counter")
    try await store.set(.integer(0), key)
    await withTaskGroup { group in
      for _ in 0..<20 {
        group.addTask {
          var isDone = false
          while !isDone {
            guard let read = try? await store.source.get(EntryQuery(key)).get(),
              case .integer(let number)? = read.value
            else { return }
            let next = Entry(key: key, value: .integer(number + 1))
            let query = ReplaceQuery(key, expecting: read.fingerprint)
            isDone = (try? await store.source.put(next, in: query).get()) != nil
          }
        }
      }
    }
    #expect(try await store.value(key) == .integer(20))
  }

  @Test func `A missing seed is named`() async throws {
    await #expect {
      _ = try await Stores.open("memory:/nowhere/seed.json")
    } throws: { error in
      StoreError(error).message.contains("/nowhere/seed.json does not exist")
    }
  }
}
