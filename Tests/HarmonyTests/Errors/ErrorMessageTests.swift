import Foundation
import Harmony
import Testing

/// Error messages that suggest a solution, without keys and values.
@Suite struct ErrorMessageTests {
  private func message<T: Sendable>(_ future: Future<T>) async -> String? {
    let error = await #expect(throws: (any Error).self) { try await future.get() }
    return error?.localizedDescription
  }

  private static let list = "Not Found: there is a list, which getAll reads"
  private static let value = "Not Found: there is a single value, which get reads"

  private func checkShapes(_ source: AnyDataSource<Data>) async throws {
    try await source.put(Data([1]), forId: "value").get()
    try await source.putAll([Data([1])], forId: "list").get()
    #expect(await message(source.get("list")) == Self.list)
    #expect(await message(source.getAll("value")) == Self.value)
    #expect(await message(source.getAll(IdsQuery(["value", "list"]))) == Self.list)
    #expect(await message(source.get("nothing")) == "Not Found")
    #expect(await message(source.getAll("nothing")) == "Not Found")
    #expect(await message(source.getAll(IdsQuery(["value", "nothing"]))) == "Not Found")
  }

  @Test func `Requesting a list instead of a value, or vice versa, is explained`() async throws {
    try await checkShapes(AnyDataSource(InMemoryDataSource<Data>()))
    for encoding in [FileSystemStorageDataSource.FileNameEncoding.readable, .sha256] {
      try await checkShapes(
        AnyDataSource(
          FileSystemStorageDataSource(
            fileManager: .default, directory: StorePlaces.directory(), fileNameEncoding: encoding)))
    }
  }

  @Test func `A key that is not a valid file name is explained, with a suggestion`() async {
    let way = "with the encoding .readable, every string is a valid key"
    let reason = "it must be from 1 to 255 bytes long, without / or NUL, and not . or .."
    for (encoding, start) in [
      (FileSystemStorageDataSource.FileNameEncoding.none, "The key is not a valid file name"),
      (.custom { _ in "a/b" }, "The closure of .custom returned an invalid file name for the key"),
    ] {
      let source = FileSystemStorageDataSource(
        fileManager: .default, directory: StorePlaces.directory(), fileNameEncoding: encoding)
      #expect(
        await message(source.put(Data(), forId: "secret/key")) == "\(start): \(reason); \(way)")
    }
  }

  @Test func `A source of keys lists the queries that select them`() async {
    let source = InMemoryDataSource<Int>()
    let advice = "keys are selected by AllObjectsQuery or another KeySelectionQuery"
    for future in [
      source.asKeysDataSource().get("a").map { _ in },
      source.asKeyCountDataSource().get("a").map { _ in },
    ] {
      #expect(await message(future) == "Query not supported by get: IdQuery<String>; \(advice)")
    }
    #expect(
      await message(source.asKeysDataSource().getAll("a"))
        == "Query not supported by getAll: IdQuery<String>; \(advice)")
    #expect(
      await message(source.getKeys(IdQuery("a")))
        == "Query not supported by getKeys: IdQuery<String>; \(advice)")
    #expect(
      await message(source.asKeysDataSource().get(AllObjectsQuery())) == "Not Found")
  }
}
