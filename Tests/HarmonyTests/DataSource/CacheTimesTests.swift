import Foundation
import HarmonyTesting
import Testing

@testable import Harmony

/// Cache times that another process takes over.
@Suite struct CacheTimesTests {
  private typealias Spy = DataSourceSpy<InMemoryDataSource<Int>, Int>

  private let clock = ManualClock()
  private let folder: URL
  private let start = Date(timeIntervalSince1970: 1_800_000_000)

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private var path: String { folder.appending(path: "times").path }

  /// Creates a cache whose date follows the clock, plus the seconds during which no process ran.
  private func cache(
    _ source: Spy, away: Double = 0, _ store: any CacheTimesStore
  ) -> TimedCacheDataSource<Int, Spy> {
    let (clock, start) = (clock, start)
    let began = clock.now
    return TimedCacheDataSource(
      source, expiryInterval: 100, clock: clock, times: store,
      date: { start.addingTimeInterval(away + (clock.now - began) / .seconds(1)) })
  }

  @Test func `Another process takes over the age and the remaining TTL`() async throws {
    let memory = DataSourceSpy(InMemoryDataSource<Int>())
    let first = cache(memory, CacheTimesFile(path: path))
    try await first.put(1, forId: "a").get()
    #expect(first.inspect("a")?.timeToLive == .seconds(100))
    let second = cache(memory, away: 60, CacheTimesFile(path: path))
    #expect(try await second.get("a").get() == 1)
    let entry = try #require(second.inspect("a"))
    #expect(entry.age == .seconds(60))
    #expect(entry.remaining == .seconds(40))
    clock.advance(by: .seconds(40) - .nanoseconds(1))
    let reads = memory.count(.get)
    _ = try await second.get("a").get()
    #expect(memory.count(.get) == reads)
    clock.advance(by: .nanoseconds(1))
    _ = try await second.get("a").get()
    #expect(memory.count(.get) == reads + 1)
  }

  @Test func `An exchanged entry has its times in the file, and a removed entry has none`()
    async throws
  {
    let memory = DataSourceSpy(InMemoryDataSource<Int>())
    let file = CacheTimesFile(path: path)
    let cache = cache(memory, file)
    try await cache.put(1, forId: "a").get()
    clock.advance(by: .seconds(10))
    let entry = try #require(cache.inspect("a"))
    cache.exchange("a", expecting: entry, for: nil, times: nil)
    #expect(try file.times(of: "a") == nil)
    clock.advance(by: .seconds(10))
    let times = CachedTimes(stored: entry.stored, expires: entry.expires)
    cache.exchange("a", expecting: nil, for: entry.content, times: times)
    #expect(
      try file.times(of: "a")
        == CacheTimes(stored: start, expires: start.addingTimeInterval(100)))
  }

  @Test(arguments: [100.0, 101, 1e9])
  func `An entry that has expired or has no time starts its TTL when it is read`(
    _ away: Double
  ) async throws {
    let memory = DataSourceSpy(InMemoryDataSource<Int>())
    let file = CacheTimesFile(path: path)
    try await cache(memory, file).put(1, forId: "a").get()
    let later = cache(memory, away: away, CacheTimesFile(path: path))
    _ = try await later.get("a").get()
    #expect(later.inspect("a")?.age == .zero)
    #expect(later.inspect("a")?.remaining == .seconds(100))
    #expect(try file.times(of: "a")?.stored == start.addingTimeInterval(away))
    try file.setTimes(nil, of: "a")
    let none = cache(memory, away: away, CacheTimesFile(path: path))
    _ = try await none.get("a").get()
    #expect(none.inspect("a")?.age == .zero)
  }

  @Test func `A write removes the time before it writes, and stores the new one after that`()
    async throws
  {
    let file = CacheTimesFile(path: path)
    let seen = Locked<[Bool]>([])
    let source = ObservedSource { [path] in
      // As seen by the next process if this one were killed now.
      let times = try? CacheTimesFile(path: path).times(of: "a")
      seen.withLock { $0.append(times != nil) }
    }
    let cache = TimedCacheDataSource(
      source, expiryInterval: 100, clock: clock, times: file, date: { [start] in start })
    try await cache.put(1, forId: "a").get()
    #expect(try file.times(of: "a") != nil)
    try await cache.put(2, forId: "a").get()
    #expect(try file.times(of: "a") != nil)
    try await cache.delete("a").get()
    #expect(try file.times(of: "a") == nil)
    #expect(seen.withLock { $0 } == [false, false, false])
  }

  @Test func `An answer that arrives after a removal leaves no time behind`() async throws {
    let memory = LateSource()
    let file = CacheTimesFile(path: path)
    let cache = TimedCacheDataSource(memory, clock: clock, times: file)
    let read = cache.get("a")
    try await cache.delete("a").get()
    memory.answer.set(1)
    #expect(try await read.get() == 1)
    #expect(cache.inspect("a") == nil)
    #expect(try file.times(of: "a") == nil)
  }

  @Test func `An answer that is overtaken while it is being stored leaves no time behind`()
    async throws
  {
    let file = CacheTimesFile(path: path)
    let remove = Locked<(@Sendable () -> Void)?>(nil)
    let memory = InMemoryDataSource<Int>()
    let cache = TimedCacheDataSource(
      memory,
      timeToLive: { _ in
        let remove = remove.withLock { $0 }
        remove?()
        return nil
      }, clock: clock, times: file)
    memory.put(1, forId: "a")
    remove.withLock { $0 = { [unowned cache] in cache.delete("a") } }
    #expect(try await cache.get("a").get() == 1)
    #expect(cache.inspect("a") == nil)
    #expect(try file.times(of: "a") == nil)
  }

  @Test func `A value is not written if its time cannot be removed`() async throws {
    let memory = InMemoryDataSource<Int>()
    let file = CacheTimesFile(path: folder.appending(path: "missing/times").path) { key in
      if key == "bad" { throw CoreError.IllegalArgument("no name") }
      return key
    }
    let cache = TimedCacheDataSource(memory, clock: clock, times: file)
    await #expect(throws: CoreError.IllegalArgument.self) {
      try await cache.put(1, forId: "bad").get()
    }
    #expect(memory.keys.isEmpty)
    // A time that cannot be stored is merely unknown.
    try await cache.put(1, forId: "a").get()
    #expect(try file.times(of: "a") == nil)
    #expect(try await cache.get("a").get() == 1)
  }

  @Test func `Setting the expiry, evicting and refreshing update the stored times`() async throws {
    let memory = DataSourceSpy(InMemoryDataSource<Int>())
    let file = CacheTimesFile(path: path)
    let cache = cache(memory, file)
    try await cache.put(1, forId: "a").get()
    clock.advance(by: .seconds(10))
    cache.setRemaining(nil, of: "a")
    #expect(try file.times(of: "a") == CacheTimes(stored: start, expires: nil))
    cache.setRemaining(.seconds(5), of: "a")
    #expect(try file.times(of: "a")?.expires == start.addingTimeInterval(15))
    _ = try await cache.refresh(IdQuery("a")).get()
    #expect(try file.times(of: "a")?.stored == start.addingTimeInterval(10))
    #expect(cache.inspect("a")?.age == .zero)
    cache.evict("a")
    #expect(try file.times(of: "a") == nil)
    try await cache.put(1, forId: "a").get()
    try await cache.delete(AllObjectsQuery()).get()
    #expect(try file.all().isEmpty)
  }

  @Test func `Truncated, damaged and foreign lines are ignored`() throws {
    let file = CacheTimesFile(path: path)
    let times = CacheTimes(stored: start, expires: start.addingTimeInterval(0.25))
    for key in ["a", "é \n%", ""] { try file.setTimes(times, of: key) }
    try file.setTimes(CacheTimes(stored: start, expires: nil), of: "b")
    let url = URL(filePath: path)
    let whole = try Data(contentsOf: url)
    #expect(try CacheTimesFile(path: path).all().count == 4)
    for count in 0...whole.count {
      try whole.prefix(count).write(to: url)
      let read = try CacheTimesFile(path: path).all()
      for (key, found) in read {
        #expect(found == (key == "b" ? CacheTimes(stored: start, expires: nil) : times))
      }
      // The next writer completes the truncated line.
      try CacheTimesFile(path: path).setTimes(times, of: "new")
      #expect(try CacheTimesFile(path: path).times(of: "new") == times)
    }
    for place in whole.indices.dropFirst(CacheTimesLine.head.utf8.count) {
      var damaged = whole
      damaged[place] ^= 1
      try damaged.write(to: url)
      for (key, found) in try CacheTimesFile(path: path).all() {
        #expect(found == (key == "b" ? CacheTimes(stored: start, expires: nil) : times))
      }
    }
    try Data("other things\n1 2 3 4\n".utf8).write(to: url)
    #expect(try CacheTimesFile(path: path).all().isEmpty)
    #expect(throws: CoreError.Failed.self) {
      try CacheTimesFile(path: path).setTimes(times, of: "new")
    }
  }

  @Test func `Canonically equivalent keys have separate times`() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let file = CacheTimesFile(path: path)
    let times = CacheTimes(stored: start, expires: nil)
    try file.setTimes(times, of: composed)
    #expect(try file.times(of: decomposed) == nil)
    try file.setTimes([(composed, nil), (decomposed, times)])
    #expect(try CacheTimesFile(path: path).times(of: composed) == nil)
    #expect(try CacheTimesFile(path: path).times(of: decomposed) == times)
  }

  @Test func `The times of keys that are written together are removed and stored together`()
    async throws
  {
    let store = CountingTimes(path)
    let cache = TimedCacheDataSource(InMemoryDataSource<Int>(), clock: clock, times: store)
    let ids = IdsQuery(Array(0..<1_000))
    for _ in 0..<2 { try await cache.putAll(ids.ids, in: ids).get() }
    #expect(store.calls.withLock { $0 } == 4)
    #expect(try store.file.all().count == 1_000)
    try await cache.delete(ids).get()
    #expect(try store.file.all().isEmpty)
  }

  @Test func `A file that another process has replaced is read from its start`() throws {
    let times = CacheTimes(stored: start, expires: nil)
    let reader = CacheTimesFile(path: path)
    try CacheTimesFile(path: path).setTimes((0..<20).map { ("old \($0)", times) })
    #expect(try reader.all().count == 20)
    // Longer than before, and possibly with the same inode number.
    for round in 0..<20 {
      try FileManager.default.removeItem(atPath: path)
      try CacheTimesFile(path: path).setTimes((0..<40).map { ("new \(round) \($0)", times) })
      #expect(try reader.all().count == 40)
      #expect(try reader.times(of: "new \(round) 0") == times)
    }
  }

  @Test func `A file that has become long is compacted without losing anything`() throws {
    let file = CacheTimesFile(path: path)
    let other = CacheTimesFile(path: path)
    for number in 0..<1_500 {
      let times = CacheTimes(stored: start.addingTimeInterval(Double(number)), expires: nil)
      try (number % 2 == 0 ? file : other).setTimes(times, of: "key \(number % 7)")
    }
    try file.setTimes(nil, of: "key 0")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.split(separator: "\n").count < 1_100)
    #expect(try other.all().count == 6)
    #expect(try other.times(of: "key 1")?.stored == start.addingTimeInterval(1_499))
    try file.forgetTimes()
    #expect(try other.all().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}

/// A source whose only answer is given by the test.
private final class LateSource: GetDataSource, PutDataSource, DeleteDataSource {
  let answer = Future<Int>()

  func get(_ query: any Query) -> Future<Int> { answer }

  func getAll(_ query: any Query) -> Future<[Int]> { answer.map { [$0] } }

  @discardableResult
  func put(_ value: Int?, in query: any Query) -> Future<Int> { answer }

  @discardableResult
  func putAll(_ array: [Int], in query: any Query) -> Future<[Int]> { getAll(query) }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> { Future(()) }
}

/// A store of cache times that counts the calls.
private final class CountingTimes: CacheTimesStore {
  let file: CacheTimesFile
  let calls = Locked(0)

  init(_ path: String) {
    file = CacheTimesFile(path: path)
  }

  func times(of key: String) throws -> CacheTimes? { try file.times(of: key) }

  func setTimes(_ times: CacheTimes?, of key: String) throws {
    try setTimes([(key, times)])
  }

  func setTimes(_ changes: [(key: String, times: CacheTimes?)]) throws {
    calls.withLock { $0 += 1 }
    try file.setTimes(changes)
  }

  func forgetTimes() throws { try file.forgetTimes() }
}

/// A source that reports when it is asked to write.
private final class ObservedSource: GetDataSource, PutDataSource, DeleteDataSource {
  private let memory = InMemoryDataSource<Int>()
  private let onWrite: @Sendable () -> Void

  init(_ onWrite: @escaping @Sendable () -> Void) {
    self.onWrite = onWrite
  }

  func get(_ query: any Query) -> Future<Int> { memory.get(query) }

  func getAll(_ query: any Query) -> Future<[Int]> { memory.getAll(query) }

  @discardableResult
  func put(_ value: Int?, in query: any Query) -> Future<Int> {
    onWrite()
    return memory.put(value, in: query)
  }

  @discardableResult
  func putAll(_ array: [Int], in query: any Query) -> Future<[Int]> {
    onWrite()
    return memory.putAll(array, in: query)
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    onWrite()
    return memory.delete(query)
  }
}
