import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderJournal
import Testing

@testable import LarderStores

/// Folders whose files contain their expiry, or get one from a user's setting.
///
/// The samples are files that the programs themselves wrote (Django 5 and cachelib 0.13 with Python
/// 3.11, nginx 1.22), or match what the source code of Laravel and Symfony writes.
@Suite struct FileExpiryTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  /// A file in a given format, with its expiry.
  struct Sample: Sendable, CustomTestStringConvertible {
    var format: any CacheFileFormat.Type
    var bytes: [UInt8]
    var expires: Date?

    var testDescription: String { "\(format.name), \(expires.map { "\($0)" } ?? "never")" }

    init(_ format: any CacheFileFormat.Type, _ base64: String, _ expires: Double?) {
      self.format = format
      bytes = Array(Data(base64Encoded: base64) ?? Data())
      self.expires = expires.map { Date(timeIntervalSince1970: $0) }
    }

    init(_ format: any CacheFileFormat.Type, text: String, _ expires: Double?) {
      self.format = format
      bytes = Array(text.utf8)
      self.expires = expires.map { Date(timeIntervalSince1970: $0) }
    }
  }

  static let samples: [Sample] = [
    // pickle.dumps(1800000000.25, 5) + zlib.compress(pickle.dumps("v1", 5))
    Sample(
      DjangoCacheFile.self, "gAWVCgAAAAAAAABHQdrSdIAQAAAueJxrYJ3KxgABPUxlhlP0ABkDAxg=",
      1_800_000_000.25),
    Sample(DjangoCacheFile.self, "gAVOLnica2D1ZtcDAAO2AQY=", nil),
    // struct.pack("I", 1800000000) + pickle.dumps("v1", 5)
    Sample(CachelibCacheFile.self, "ANJJa4AFlQYAAAAAAAAAjAJ2MZQu", 1_800_000_000),
    Sample(CachelibCacheFile.self, "AAAAAIAFSwMu", nil),
    Sample(LaravelCacheFile.self, text: "1800000000s:5:\"hello\";", 1_800_000_000),
    Sample(LaravelCacheFile.self, text: "9999999999a:1:{i:0;b:1;}", nil),
    Sample(SymfonyCacheFile.self, text: "1800000000\nusers.42%7B\ns:2:\"hi\";", 1_800_000_000),
    Sample(SymfonyCacheFile.self, text: "0\nsettings\nN;", nil),
    Sample(NginxCacheFile.self, nginx, 1_800_000_000),
  ]

  /// A header of version 5 with the offsets of nginx 1.22, followed by a key and a response.
  private static let nginx: String = {
    func number(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let key = Array("\nKEY: http://127.0.0.1/a\n".utf8)
    var bytes = number(5, 8) + number(1_800_000_000, 8) + number(0, 16) + number(.max, 8)
    bytes += number(1_795_510_998, 8) + number(0x1234, 4) + number(27, 2)
    bytes += number(UInt64(336 + key.count), 2) + number(500, 2)
    bytes += [UInt8](repeating: 0, count: 336 - bytes.count) + key
    bytes += Array("HTTP/1.0 200 OK\r\n\r\nhello /a\n".utf8)
    return Data(bytes).base64EncodedString()
  }()

  @Test(arguments: samples)
  func `A format reads its own files, and no other format does`(_ sample: Sample) {
    for format in CacheFileFormats.all {
      let expiry = format.expiry(sample.bytes, size: sample.bytes.count)
      guard format == sample.format else {
        #expect(expiry == nil, "\(format.name)")
        continue
      }
      #expect(expiry == FileExpiry(expires: sample.expires))
    }
  }

  @Test(arguments: samples)
  func `A new expiry is written in the format, and the rest of the file is unchanged`(
    _ sample: Sample
  ) throws {
    let size = sample.bytes.count
    for end in [nil, 946_684_800, 1_800_000_001, 4_102_444_800] as [Double?] {
      let date = end.map { Date(timeIntervalSince1970: $0) }
      if date == nil, sample.format == NginxCacheFile.self {
        #expect(throws: StoreError.self) { try sample.format.bytes(sample.bytes, expiring: nil) }
        continue
      }
      let new = try sample.format.bytes(sample.bytes, expiring: date)
      #expect(sample.format.expiry(new, size: new.count)?.expires == date)
      #expect(Array(new.suffix(5)) == Array(sample.bytes.suffix(5)))
      let back = try sample.format.bytes(new, expiring: sample.expires)
      #expect(back == sample.bytes)
    }
    for far in [-1, 1e12] {
      #expect(throws: StoreError.self) {
        try sample.format.bytes(sample.bytes, expiring: Date(timeIntervalSince1970: far))
      }
    }
    // A truncated file is either valid or not, but never a trap.
    for count in 0..<min(size, 400) {
      for format in CacheFileFormats.all {
        _ = format.expiry(sample.bytes.prefix(count), size: count)
      }
    }
  }

  @Test(arguments: [
    "1234567890", "1800000000 apples", "2026-11-24\nnotes\nhello", "1800000000\n\nx",
    "1800000000\nkey with spaces\ns:1:\"x\";", "0\nnotes\nplain text", "12345678901s:1:\"x\";",
    "\u{0}\u{0}\u{0}\u{0}", "", "9999999999", "s:5:\"hello\";",
  ])
  func `Text that only resembles an expiry is ignored`(_ text: String) {
    for format in CacheFileFormats.all {
      #expect(format.expiry(Array(text.utf8), size: text.utf8.count) == nil, "\(format.name)")
    }
  }

  private func open(_ options: OpenOptions = OpenOptions(), journal: Journal? = nil) async throws
    -> (OpenStore, Store)
  {
    let open = try await Stores.open(folder.file("cache"), options: options, journal: journal)
    return (open, try await open.store(nil))
  }

  @Test func `Several files that are written have their expiry`() async throws {
    let text = "1800000000s:5:\"hello\";"
    let end = Date(timeIntervalSince1970: 1_800_000_000)
    try write("aa/bb/a", Array(text.utf8))
    let store = try await open().1
    #expect(try await store.source.get(IdQuery("aa/bb/a")).get().expires == end)
    let entries = ["b", "c"].map { Entry(key: .text($0), value: .text(text)) }
    let written = try await store.source.putAll(
      entries, in: IdsQuery(["aa/bb/b", "aa/bb/c"])
    ).get()
    #expect(written.map(\.expires) == [end, end])
  }

  private func write(_ name: String, _ bytes: [UInt8], at time: Double? = nil) throws {
    let path = folder.file("cache/\(name)")
    try FileManager.default.createDirectory(
      atPath: URL(filePath: path).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: path))
    if let time {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: path)
    }
  }

  @Test func `A cache folder is listed, touched and undone in the format of its files`()
    async throws
  {
    try write("ab/one", Array("1800000000s:5:\"hello\";".utf8))
    try write("ab/two", Array("1000000000i:5;".utf8))
    try write("cd/three", Array("9999999999N;".utf8))
    let journal = Journal(path: folder.file("journal.db"))
    let (open, store) = try await open(journal: journal)
    #expect(store.capabilities.contains(.expiry))
    #expect(open.facts.first { $0.name == "expiry" }?.text.contains("Laravel") == true)
    func keys(_ query: EntryPageQuery) async throws -> [String] {
      try await store.source.getAll(query).getCancelling().map { $0.key.notation(.text) }
    }
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    #expect(
      try await keys(EntryPageQuery(expiring: ExpiryRange(upTo: now))) == ["ab/one", "ab/two"])
    #expect(
      try await keys(EntryPageQuery(expiring: ExpiryRange(upTo: now.addingTimeInterval(-0.001))))
        == ["ab/two"])
    #expect(try await keys(EntryPageQuery(expiring: .never)) == ["cd/three"])
    #expect(
      try await keys(EntryPageQuery(order: EntryOrder(.expires), detail: .summary))
        == ["ab/two", "ab/one", "cd/three"])
    let written = try await store.setExpiries([
      ExpiryChange(.text("ab/one"), expires: nil),
      ExpiryChange(.text("ab/two"), expires: Date(timeIntervalSince1970: 1_900_000_000)),
    ])
    #expect(written.map { $0.expires?.timeIntervalSince1970 } == [nil, 1_900_000_000])
    #expect(
      try String(contentsOfFile: folder.file("cache/ab/one"), encoding: .utf8)
        == "9999999999s:5:\"hello\";")
    #expect(
      try String(contentsOfFile: folder.file("cache/ab/two"), encoding: .utf8) == "1900000000i:5;")
    try await store.replay(ReplayRequest())
    #expect(
      try String(contentsOfFile: folder.file("cache/ab/two"), encoding: .utf8) == "1000000000i:5;")
  }

  @Test func `A folder of other files has no expiry`() async throws {
    try write("one", Array("1800000000s:5:\"hello\";".utf8))
    for number in 0..<5 { try write("note\(number)", Array("buy milk".utf8)) }
    let (open, store) = try await open()
    #expect(!store.capabilities.contains(.expiry))
    #expect(!open.facts.contains { $0.name == "expiry" })
    await #expect(throws: (any Error).self) {
      try await store.setExpiries([ExpiryChange(.text("one"), expires: nil)])
    }
  }

  @Test func `Files of Symfony have their expiry as modification time, which Symfony checks first`()
    async throws
  {
    let written = "1800000000\nusers\ns:2:\"hi\";"
    try write("one", Array(written.utf8), at: 1_800_000_000)
    let journal = Journal(path: folder.file("journal.db"))
    let (_, store) = try await open(journal: journal)
    func time() throws -> Double? {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: folder.file("cache/one"))
      return (attributes[.modificationDate] as? Date)?.timeIntervalSince1970
    }
    for end in [1_700_000_000, 1_850_000_000] as [Double] {
      let query = ExpiryChange(.text("one"), expires: Date(timeIntervalSince1970: end))
      _ = try await store.setExpiries([query])
      #expect(try time() == end)
      try await store.replay(ReplayRequest())
      #expect(try time() == 1_800_000_000)
      #expect(try String(contentsOfFile: folder.file("cache/one"), encoding: .utf8) == written)
      try await store.replay(ReplayRequest(isRedo: true))
      #expect(try time() == end)
      try await store.replay(ReplayRequest())
    }
    // For never, the modification time is a year ahead, as Symfony sets it, and not the old expiry.
    let soon = ExpiryChange(.text("one"), expires: Date(timeIntervalSince1970: 1_000_000_000))
    _ = try await store.setExpiries([soon])
    let never = ExpiryChange(.text("one"), expires: nil)
    _ = try await store.setExpiries([never])
    #expect(try #require(try time()) > 1_000_000_000 + 31_556_952)
    try await store.replay(ReplayRequest())
    #expect(try time() == 1_000_000_000)
  }

  @Test func `Files with a TTL expire after their modification time, which a touch sets`()
    async throws
  {
    try write("one", Array("x".utf8), at: 1_800_000_000)
    try write("two", Array("y".utf8), at: 1_800_000_100)
    let journal = Journal(path: folder.file("journal.db"))
    var options = OpenOptions()
    options.timeToLive = .seconds(60)
    let (_, store) = try await open(options, journal: journal)
    func ends() async throws -> [Double?] {
      try await store.source.getAll(EntryPageQuery(detail: .summary)).getCancelling()
        .map { $0.expires?.timeIntervalSince1970 }
    }
    #expect(try await ends() == [1_800_000_060, 1_800_000_160])
    _ = try await store.setExpiries([
      ExpiryChange(.text("one"), expires: Date(timeIntervalSince1970: 1_900_000_000))
    ])
    #expect(try await ends() == [1_900_000_000, 1_800_000_160])
    #expect(try String(contentsOfFile: folder.file("cache/one"), encoding: .utf8) == "x")
    try await store.replay(ReplayRequest())
    #expect(try await ends() == [1_800_000_060, 1_800_000_160])
    await #expect(throws: (any Error).self) {
      try await store.setExpiries([ExpiryChange(.text("one"), expires: nil)])
    }
  }

  @Test func `The files of a Harmony cache expire as its times file says`() async throws {
    let files = FileSystemStorageDataSource(
      fileManager: .default, directory: URL(filePath: folder.file("cache")))
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let cache = TimedCacheDataSource(
      files, expiryInterval: 60, times: files.cacheTimes(), date: { now })
    try await cache.put(Data("1".utf8), forId: "a").get()
    try await cache.put(Data("2".utf8), forId: "b c").get()
    try await files.put(Data("3".utf8), forId: "unknown").get()
    let journal = Journal(path: folder.file("journal.db"))
    let (open, store) = try await open(journal: journal)
    #expect(open.facts.first { $0.name == "expiry" }?.text.contains("cache.harmony-times") == true)
    #expect(store.capabilities.isSuperset(of: [.expiry, .looseTimes]))
    let entries = try await store.source.getAll(EntryPageQuery(detail: .summary)).getCancelling()
    #expect(
      entries.prefix(2).map(\.expires) == [now.addingTimeInterval(60), now.addingTimeInterval(60)])
    #expect(entries.prefix(2).map(\.modified) == [now, now])
    let unknown = try #require(entries.last)
    #expect(unknown.expires == Date(timeIntervalSince1970: 946_684_800))
    _ = try await store.setExpiries([
      ExpiryChange(entries[1].key, expires: now.addingTimeInterval(500))
    ])
    for (isRedo, seconds) in [(false, 60.0), (true, 500)] {
      try await store.replay(ReplayRequest(isRedo: isRedo))
      let entry = try await store.source.get(EntryQuery(entries[1].key)).getCancelling()
      #expect(entry.expires == now.addingTimeInterval(seconds))
    }
    // The times of a renamed file follow it, and undoing the rename restores them.
    let renamed = try #require(
      try await store.source.get(EntryQuery(entries[1].key)).getCancelling().fingerprint)
    _ = try await store.source.put(
      nil, in: RenameQuery(entries[1].key, to: .text("d"), expecting: renamed)
    ).getCancelling()
    let moved = try await store.source.get(EntryQuery(.text("d"))).getCancelling()
    #expect(moved.expires == now.addingTimeInterval(500))
    try await store.replay(ReplayRequest())
    let back = try await store.source.get(EntryQuery(entries[1].key)).getCancelling()
    #expect(back.expires == now.addingTimeInterval(500))
    // A refused rename does not copy them.
    await #expect(throws: StoreError.self) {
      try await store.source.put(
        nil, in: RenameQuery(back.key, to: unknown.key, expecting: renamed)
      ).getCancelling()
    }
    let stranger = try await store.source.get(EntryQuery(unknown.key)).getCancelling()
    #expect(stranger.expires == unknown.expires)
    // The cache uses the new expiry.
    let later = TimedCacheDataSource(
      files, expiryInterval: 60, times: files.cacheTimes(), date: { now.addingTimeInterval(100) })
    #expect(try await later.get("b c").get() == Data("2".utf8))
    #expect(later.inspect("b c").map { abs($0.remaining / .seconds(1) - 400) < 60 } == true)
    _ = try await later.get("a").get()
    #expect(later.inspect("a").map { $0.remaining <= .seconds(60) } == true)
  }

  @Test func `A table whose Harmony cache stores times in the same database has an expiry`()
    async throws
  {
    let path = folder.file("app.db")
    let source = SQLiteDataSource<String>(path: path, table: "sessions")
    let now = Date()
    let cache = TimedCacheDataSource(
      source, expiryInterval: 600, times: SQLiteCacheTimes(path: path, table: "sessions"),
      date: { now })
    for key in ["a", "b", "c"] { try await cache.put("value", forId: key).get() }
    try await source.put("value", forId: "unknown").get()
    let open = try await Stores.open(path)
    let expiry = open.collections.first { $0.name == "sessions" }?.expiry
    #expect(expiry?.column == "expires")
    #expect(expiry?.unit == .seconds)
    let store = try await open.store("sessions")
    let entries = try await store.source.getAll(EntryPageQuery(detail: .summary)).getCancelling()
    #expect(entries.map { $0.expires.map { $0 > now } } == [true, true, true, false])
    let ended = ExpiryChange(.text("a"), expires: now.addingTimeInterval(-1))
    _ = try await store.setExpiries([ended])
    let times = try SQLiteCacheTimes(path: path, table: "sessions").times(of: "a")
    #expect(times?.expires.map { $0 < now } == true)
  }

  @Test func `A rule sets the TTL of files or removes their expiry`() async throws {
    try write("one", Array("1800000000s:5:\"hello\";".utf8), at: 1_700_000_000)
    func end(_ choice: ExpiryChoice, path: String) async throws -> (Bool, Date?) {
      let rule = ExpiryRule(paths: [path], collection: nil, choice: choice, place: "line 1")
      let (_, store) = try await open(OpenOptions(expiryRules: [rule]))
      let entry = try await store.source.get(EntryQuery(.text("one"))).getCancelling()
      return (store.capabilities.contains(.expiry), entry.expires)
    }
    var ttl = ExpiryChoice()
    ttl.timeToLive = .seconds(3_600)
    var none = ExpiryChoice()
    none.isNone = true
    let path = folder.file("cache")
    #expect(try await end(ttl, path: path) == (true, Date(timeIntervalSince1970: 1_700_003_600)))
    #expect(try await end(none, path: path) == (false, nil))
    #expect(
      try await end(none, path: path + "-not") == (true, Date(timeIntervalSince1970: 1_800_000_000))
    )
  }
}
