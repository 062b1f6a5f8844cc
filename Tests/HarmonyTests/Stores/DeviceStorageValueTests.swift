import Foundation
import Harmony
import Testing

/// Values that `UserDefaults` on Linux corrupts, and those that it preserves.
@Suite struct DeviceStorageValueTests {
  private let suite = StorePlaces.suite()

  @Test func `Numbers survive a round trip exactly`() async throws {
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

  @Test func `Strings and data survive a round trip exactly`() async throws {
    let controls = (0..<0xA0).compactMap { Unicode.Scalar($0).map { "<\($0)>" } }
    try await check(controls + ["", " a ", "\r\n", "e\u{301}", "\u{FFFF}", "]]>", "<&>", "🦀"])
    try await check(["\u{FEFF}", "\u{FEFF}a", "\u{FEFF}\u{FEFF}a", "a\u{FEFF}", "\u{FFFE}a"])
    try await check([["\u{FEFF}a": ["\u{FEFF}"]], ["a": ["\u{FEFF}a", "b\u{FEFF}"]]])
    try await check([Data(), Data([0, 255]), Data("bplist00".utf8)])
  }

  @Test func `Lists that are nested too deeply are refused`() async throws {
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

  @Test func `Web URLs are not paths`() async throws {
    let web = try #require(URL(string: "https://a.b/c?d=1#e"))
    try await check([web, URL(fileURLWithPath: "/tmp/a b")])
    let defaults = StorePlaces.defaults(suite)
    let relative = try #require(URL(string: "x?y", relativeTo: web))
    let urls = DeviceStorageDataSource<URL>(defaults)
    try await urls.put(relative, forId: "relative").get()
    #expect(try await urls.get("relative").get() == relative.absoluteURL)
    try await DeviceStorageDataSource<URL>(defaults).put(web, forId: "web").get()
    #expect(defaults.url(forKey: "web") == web)
    defaults.set(URL(fileURLWithPath: "/tmp/x"), forKey: "file")
    #expect(try await DeviceStorageDataSource<URL>(defaults).get("file").get().path == "/tmp/x")
  }

  @Test func `Keys that start with a byte order mark are separate keys`() async throws {
    let keys = ["a", "\u{FEFF}a", "\u{FEFF}", "\u{FEFF}\u{FEFF}a", "a\u{FEFF}"]
    for type in [
      DeviceStorageType.regular, .prefix("p"), .prefix("\u{FEFF}p"), .rootKey("\u{FEFF}r"),
    ] {
      let suite = StorePlaces.suite()
      do {
        let source = DeviceStorageDataSource<String>(
          StorePlaces.defaults(suite), storageType: type)
        try await source.putAll(keys, in: IdsQuery(keys)).get()
      }
      for _ in 0..<2 { StorePlaces.defaults(suite).synchronize() }
      let source = DeviceStorageDataSource<String>(StorePlaces.defaults(suite), storageType: type)
      for key in keys { #expect(try await source.get(key).get() == key) }
      let found = try await source.getKeys(AllObjectsQuery()).get()
      #expect(Set(found.map { Array($0.utf8) }) == Set(keys.map { Array($0.utf8) }))
      #expect(found.count == keys.count)
    }
  }

  /// Returns the archive of a URL with its class name replaced by another of the same length.
  private static func archive(_ archive: Data, ofClass name: String) -> Data {
    var bytes = archive
    while let range = bytes.range(of: Data("NSURL".utf8)) {
      bytes.replaceSubrange(range, with: Data(name.utf8))
    }
    return bytes
  }

  @Test func `An archive of another class is not a URL and never traps`() async throws {
    let defaults = StorePlaces.defaults(suite)
    let web = try #require(URL(string: "https://a.b/c?d=1"))
    let relative = try #require(URL(string: "x?y", relativeTo: web))
    let archive = { (object: NSObject) in
      try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
    }
    let whole = try archive(web as NSURL)
    var archives = try [
      whole, archive(relative as NSURL), archive(NSArray(array: [NSNumber(value: 1)])),
      archive(NSDate()), archive(NSString(string: "x")), archive(NSNumber(value: 1)),
      archive(NSDictionary(dictionary: [NSString(string: "a"): NSNumber(value: 1)])),
      archive(NSArray(array: [web as NSURL])), archive(NSUUID()),
      archive(NSData(data: whole)), Data(), Data([0]), Self.archive(whole, ofClass: "NSURI"),
    ]
    let kept = 2
    for place in whole.indices {
      var damaged = whole
      damaged[place] ^= 0xFF
      archives.append(damaged)
      archives.append(whole.prefix(place))
      damaged[place] = 0
      archives.append(damaged)
    }
    for (index, archive) in archives.enumerated() { defaults.set(archive, forKey: "\(index)") }
    defaults.synchronize()
    var reader = try WriterProcess(["archives", "defaults", suite, "\(archives.count)"])
    var lines: [String] = []
    while let line = reader.line() { lines.append(line) }
    reader.wait()
    #expect(lines.last == "done")
    #expect(lines.first == "0 https://a.b/c?d=1")
    #expect(lines.dropFirst().first == "1 https://a.b/x?y")
    let others = lines.dropFirst(kept).prefix(11)
    #expect(others.count == 11)
    #expect(others.allSatisfy { $0.hasSuffix(" none") }, "\(others)")
  }

  @Test func `Nested lists and dictionaries survive a round trip`() async throws {
    let web = try #require(URL(string: "https://a.b/c"))
    try await check([[1, 2], [], [Int.max]])
    try await check([["a": web, "": web], [:]])
    try await check([[["x": [Date(timeIntervalSinceReferenceDate: 0.5)]]], []])
    try await check([[true, false], []])
  }

  @Test func `A dictionary with values of several types survives a round trip`() async throws {
    let source = DeviceStorageDataSource<[String: any Sendable]>(StorePlaces.defaults(suite))
    try await source.put(["a": 1, "b": "x", "c": [true]], forId: "d").get()
    try forget()
    let value = try await source.get("d").get()
    #expect(value["a"] as? Int == 1)
    #expect(value["b"] as? String == "x")
    #expect((value["c"] as? [any Sendable])?.first as? Bool == true)
  }

  /// Stores values, singly and as a list, and reads them before and after `UserDefaults` reloads
  /// its file, using another source that only sees the file.
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

  /// Makes `UserDefaults` discard its cached values.
  private func forget() throws {
    let defaults = StorePlaces.defaults(suite)
    defaults.synchronize()
    defaults.synchronize()
  }
}
