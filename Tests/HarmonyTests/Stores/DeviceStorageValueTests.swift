import Foundation
import Harmony
import Testing

/// Values that `UserDefaults` on Linux spoils, and those that it keeps.
@Suite struct DeviceStorageValueTests {
  private let suite = StorePlaces.suite()

  @Test func `Numbers come back exactly`() async throws {
    try await check([0, 1, -1, Int.max, Int.min, Int.max - 1])
    try await check([UInt64.max, 0, UInt64(Int64.max) + 1])
    try await check([Int8.min, Int8.max])
    try await check([0.1, 3.14159265359, .leastNonzeroMagnitude, -0.0, .infinity, 1e300])
    try await check([Float(0.1), .greatestFiniteMagnitude])
    try await check([true, false])
    let source = DeviceStorageDataSource<Double>(StorePlaces.defaults(suite))
    try await source.put(.nan, forId: "nan").get()
    try forget()
    #expect(try await source.get("nan").get().isNaN)
  }

  @Test func `Texts and data come back exactly`() async throws {
    let controls = (0..<0xA0).compactMap { Unicode.Scalar($0).map { "<\($0)>" } }
    try await check(controls + ["", " a ", "\r\n", "e\u{301}", "\u{FFFF}", "]]>", "<&>", "🦀"])
    try await check([Data(), Data([0, 255]), Data("bplist00".utf8)])
  }

  @Test func `Lists that lie too deep in each other are refused`() async throws {
    let source = DeviceStorageDataSource<[String: any Sendable]>(StorePlaces.defaults(suite))
    var value: any Sendable = 1
    for _ in 0..<100 { value = [value] as [any Sendable] }
    try await source.put(["a": value], forId: "deep").get()
    for _ in 0..<100 { value = [value] as [any Sendable] }
    let tooDeep = value
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await source.put(["a": tooDeep], forId: "deeper").get()
    }
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["deep"])
  }

  @Test func `Dates keep their fractions`() async throws {
    try await check([
      Date(timeIntervalSinceReferenceDate: 0.123456),
      Date(timeIntervalSinceReferenceDate: -1.5), .distantFuture, .distantPast,
    ])
  }

  @Test func `Addresses in the web are not paths`() async throws {
    let web = try #require(URL(string: "https://a.b/c?d=1#e"))
    let relative = try #require(URL(string: "x?y", relativeTo: web))
    try await check([web, URL(fileURLWithPath: "/tmp/a b"), relative])
    let defaults = StorePlaces.defaults(suite)
    try await DeviceStorageDataSource<URL>(defaults).put(web, forId: "web").get()
    #expect(defaults.url(forKey: "web") == web)
    defaults.set(URL(fileURLWithPath: "/tmp/x"), forKey: "file")
    #expect(try await DeviceStorageDataSource<URL>(defaults).get("file").get().path == "/tmp/x")
  }

  @Test func `Lists and dictionaries come back, also of addresses and of each other`() async throws
  {
    let web = try #require(URL(string: "https://a.b/c"))
    try await check([[1, 2], [], [Int.max]])
    try await check([["a": web, "": web], [:]])
    try await check([[["x": [Date(timeIntervalSinceReferenceDate: 0.5)]]], []])
    try await check([[true, false], []])
  }

  @Test func `A dictionary of values of many types comes back`() async throws {
    let source = DeviceStorageDataSource<[String: any Sendable]>(StorePlaces.defaults(suite))
    try await source.put(["a": 1, "b": "x", "c": [true]], forId: "d").get()
    try forget()
    let value = try await source.get("d").get()
    #expect(value["a"] as? Int == 1)
    #expect(value["b"] as? String == "x")
    #expect((value["c"] as? [any Sendable])?.first as? Bool == true)
  }

  /// Puts values, singly and as a list, and reads them before and after `UserDefaults` has read
  /// its file again; by another source, which knows them by their files only.
  private func check<T: Equatable & Sendable>(_ values: [T]) async throws {
    for type in [DeviceStorageType.regular, .prefix("p"), .rootKey("r")] {
      let keys = values.indices.map { "\(T.self)\($0)" }
      do {
        let source = DeviceStorageDataSource<T>(StorePlaces.defaults(suite), storageType: type)
        try await source.putAll(values, in: IdsQuery(keys)).get()
        try await source.putAll(values, forId: "list").get()
        #expect(try await source.getAll(IdsQuery(keys)).get() == values)
      }
      try forget()
      let source = DeviceStorageDataSource<T>(StorePlaces.defaults(suite), storageType: type)
      for (key, value) in zip(keys, values) {
        #expect(try await source.get(key).get() == value)
      }
      #expect(try await source.getAll("list").get() == values)
      #expect(try await source.getKeys(AllObjectsQuery()).get().count >= values.count + 1)
      try await source.delete(AllObjectsQuery()).get()
    }
  }

  /// Makes `UserDefaults` forget what it has in memory.
  private func forget() throws {
    let defaults = StorePlaces.defaults(suite)
    defaults.synchronize()
    defaults.synchronize()
  }
}
