import Harmony

/// A query that no source supports.
private struct ForeignQuery: Query {}

extension LawBook {
  /// Checks that a source rejects invalid calls without crashing.
  mutating func checkRefusals() async throws {
    let source = try fixture.make()
    let query = ForeignQuery()
    await expect("get of an unknown query", source.get(query), .notSupported)
    await expect("getAll of an unknown query", source.getAll(query), .notSupported)
    await expect("put in an unknown query", source.put(first, in: query), .notSupported)
    await expect("putAll in an unknown query", source.putAll([first], in: query), .notSupported)
    await expect(
      "delete of an unknown query", source.delete(query).map { Done() }, .notSupported)
    await expect("put of nil", source.put(nil, forId: "a"), .illegalArgument)
    await expect("nothing is stored by a refusal", source.get("a"), .notFound)
  }

  /// Checks that all concurrent writes succeed.
  mutating func checkConcurrentWrites(_ count: Int) async throws {
    let source = try fixture.make()
    let samples = fixture.samples
    let failures = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<count {
        group.addTask {
          let value = samples[index % samples.count]
          return (try? await source.put(value, forId: "key\(index)").get()) == nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    let keys = (0..<count).map { "key\($0)" }
    await expect("concurrent writes succeed", Future(failures), .value(0))
    await expect(
      "concurrent writes are all there", source.getAll(IdsQuery(keys)),
      .value((0..<count).map { samples[$0 % samples.count] }))
  }
}
