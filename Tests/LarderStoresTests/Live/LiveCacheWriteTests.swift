import Harmony
import HarmonyInspection
import LarderModel
import LarderJournal
import Testing

@testable import LarderStores

/// Writes into a cache, which also change the backing store but never overwrite newer values there.
@Suite struct LiveCacheWriteTests: LiveSuite {
  private let program = LiveProgram()
  private let folder: TestFolder
  private let journal: Journal
  private let inner = InMemoryDataSource<String>()
  /// The link between the cache and the backing store, which can fail.
  private let link = FailingLink()
  /// A cache with the system's clock, in which nothing expires during a test.
  private let cache: TimedCacheDataSource<String, LinkedDataSource>

  init() async throws {
    folder = try TestFolder()
    journal = Journal(path: folder.file("journal.db"))
    cache = TimedCacheDataSource(
      LinkedDataSource(inner: inner, link: link), expiryInterval: 1_000_000)
    // The backing store has newer values than the cache.
    for key in ["a", "b:1", "b:2"] {
      try await cache.put("cached \(key)", forId: key).get()
      try await inner.put("newer \(key)", forId: key).get()
    }
  }

  private func store(hasJournal: Bool = true) async throws -> Store {
    try await store(
      try program.show { $0.expose(cache, as: "cache", isWritable: true) },
      journal: hasJournal ? journal : nil)
  }

  private func print(_ text: String) -> Fingerprint { Fingerprint(of: .text(text)) }

  @discardableResult
  private func put(
    _ text: String, _ key: String, expecting: String?, in store: Store
  ) async throws -> Entry {
    try await store.source.put(
      Entry(key: .text(key), value: .text(text)),
      in: ReplaceQuery(.text(key), expecting: expecting.map(print))
    ).getCancelling()
  }

  private func undo(in store: Store) async throws {
    try await store.replay(ReplayRequest())
  }

  private func stored(_ key: String) async -> String? {
    try? await inner.get(IdQuery(key)).get()
  }

  private func cached(_ key: String) -> String? {
    guard case .value(let text)? = cache.inspect(key)?.content else { return nil }
    return text
  }

  @Test(arguments: [true, false])
  func `A cached value is not written over a newer one in the backing store`(hasJournal: Bool)
    async throws
  {
    let store = try await store(hasJournal: hasJournal)
    let newer = StoredValue.text("newer a")
    for body in [
      { _ = try await put("mine", "a", expecting: "cached a", in: store) },
      {
        let query = EntryQuery(.text("a"), expecting: print("cached a"))
        _ = try await store.source.delete(query).getCancelling()
      },
      {
        let query = RenameQuery(.text("a"), to: .text("x"), expecting: print("cached a"))
        _ = try await store.source.put(nil, in: query).getCancelling()
      },
      {
        let change = EntryChange(.text("a"), value: .text("mine"), expecting: print("cached a"))
        _ = try await store.source.putAll([], in: ChangesQuery([change])).getCancelling()
      },
    ] as [() async throws -> Void] {
      guard case .conflict(let theirs?)? = await failure(body) else {
        Issue.record("no conflict was reported")
        continue
      }
      #expect(theirs.value == newer && theirs.fingerprint == print("newer a"))
    }
    #expect(await stored("a") == "newer a")
    #expect(cached("a") == "cached a")
    #expect(await stored("x") == nil)
    #expect(try await journal.steps().isEmpty)
    // A write that expects the newer value succeeds.
    #expect(try await put("mine", "a", expecting: "newer a", in: store).value == .text("mine"))
    #expect(await stored("a") == "mine")
    #expect(cached("a") == "mine")
  }

  @Test func `Undo restores the value of the backing store`() async throws {
    let store = try await store()
    try await put("mine", "a", expecting: "newer a", in: store)
    try await undo(in: store)
    #expect(await stored("a") == "newer a")
    _ = try await store.source.delete(IdQuery(EntryKey.text("a"))).getCancelling()
    #expect(await stored("a") == nil)
    #expect(cached("a") == nil)
    try await undo(in: store)
    #expect(await stored("a") == "newer a")
    let rename = RenameQuery(.text("a"), to: .text("x"), expecting: print("newer a"))
    _ = try await store.source.put(nil, in: rename).getCancelling()
    #expect(await stored("x") == "newer a")
    #expect(await stored("a") == nil)
    try await undo(in: store)
    #expect(await stored("a") == "newer a")
  }

  @Test func `A key that is not cached may exist in the backing store`() async throws {
    try await inner.put("theirs", forId: "n").get()
    try await inner.putAll(["1", "2"], in: IdQuery("l")).get()
    let store = try await store()
    for (key, theirs) in [
      ("n", StoredValue.text("theirs")), ("l", .array([.text("1"), .text("2")])),
    ] {
      let failure = await failure { try await put("mine", key, expecting: nil, in: store) }
      guard case .conflict(let found?)? = failure else {
        Issue.record("\(String(describing: failure))")
        continue
      }
      #expect(found.value == theirs)
    }
    #expect(await stored("n") == "theirs")
    _ = try await store.source.put(
      Entry(key: .text("n"), value: .text("mine")), in: IdQuery(EntryKey.text("n"))
    ).getCancelling()
    #expect(await stored("n") == "mine")
    try await undo(in: store)
    #expect(await stored("n") == "theirs")
    try await put("new", "m", expecting: nil, in: store)
    #expect(await stored("m") == "new")
  }

  @Test func `A value that is only cached can be changed`() async throws {
    try await inner.delete(IdQuery("a")).get()
    let store = try await store()
    try await put("mine", "a", expecting: "cached a", in: store)
    #expect(await stored("a") == "mine")
    try await inner.delete(IdQuery("a")).get()
    let query = EntryQuery(.text("a"), expecting: print("mine"))
    _ = try await store.source.delete(query).getCancelling()
    #expect(cached("a") == nil)
    // Undo restores it only in the cache.
    try await undo(in: store)
    #expect(cached("a") == "mine")
    #expect(await stored("a") == nil)
  }

  @Test func `Undo of an edit restores a value that was only cached`() async throws {
    try await inner.delete(IdQuery("a")).get()
    let store = try await store()
    try await put("mine", "a", expecting: "cached a", in: store)
    try await undo(in: store)
    #expect(cached("a") == "cached a")
    #expect(await stored("a") == nil)
  }

  @Test func `An equal value is not written again`() async throws {
    try await inner.put("cached a", forId: "a").get()
    let store = try await store()
    try await put("cached a", "a", expecting: "cached a", in: store)
    #expect(try await journal.steps().isEmpty)
    // It is written if the cached value differs.
    _ = try await store.source.put(
      Entry(key: .text("b:1"), value: .text("newer b:1")), in: IdQuery(EntryKey.text("b:1"))
    ).getCancelling()
    #expect(cached("b:1") == "newer b:1")
  }

  @Test(arguments: [true, false])
  func `A prefix is deleted only if the listed values are current`(hasJournal: Bool) async throws {
    let store = try await store(hasJournal: hasJournal)
    let failure = await failure {
      _ = try await store.source.delete(PrefixQuery("b:")).getCancelling()
    }
    guard case .conflict(let theirs?)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(theirs.value == .text("newer b:1"))
    #expect(await stored("b:1") == "newer b:1")
  }

  @Test func `A list in the backing store is not treated as missing`() async throws {
    try await inner.putAll(["1", "2"], in: IdQuery("a")).get()
    let store = try await store()
    let failure = await failure { try await put("mine", "a", expecting: "cached a", in: store) }
    guard case .conflict(let theirs?)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(theirs.value == .array([.text("1"), .text("2")]))
  }

  @Test func `Nothing is written if the backing store cannot be read`() async throws {
    let store = try await store()
    link.fail(CoreError.Failed("the disk is gone"))
    let failure = await failure { try await put("mine", "a", expecting: "cached a", in: store) }
    guard case .failed(let message)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(message.contains("the disk is gone") && message.contains("did not overwrite it"))
    #expect(link.writes == 0 && cached("a") == "cached a")
    #expect(try await journal.steps().isEmpty)
  }

  @Test func `Expiries are restored by undo and follow a rename`()
    async throws
  {
    for key in ["a", "b:1", "b:2"] { try await inner.put("cached \(key)", forId: key).get() }
    cache.setRemaining(.seconds(5_000), of: "a")
    cache.setRemaining(nil, of: "b:1")
    cache.setRemaining(.seconds(-5), of: "b:2")
    func ends() -> [String: Int64] {
      Dictionary(
        uniqueKeysWithValues: cache.inspect().map {
          ($0.key, Int64(($0.expires / .milliseconds(100)).rounded()))
        })
    }
    let before = ends()
    let store = try await store()
    for key in ["a", "b:1", "b:2"] {
      try await put("mine", key, expecting: "cached \(key)", in: store)
    }
    #expect(ends() != before)
    for _ in 0..<3 { try await undo(in: store) }
    #expect(ends() == before)
    _ = try await store.source.delete(PrefixQuery("b:")).getCancelling()
    _ = try await store.source.delete(IdQuery(EntryKey.text("a"))).getCancelling()
    #expect(ends().isEmpty)
    for _ in 0..<2 { try await undo(in: store) }
    #expect(ends() == before)
    let rename = RenameQuery(.text("a"), to: .text("x"), expecting: print("cached a"))
    _ = try await store.source.put(nil, in: rename).getCancelling()
    #expect(ends()["x"] == before["a"])
    // A newer value in the backing store has not been cached, so it gets a new TTL.
    try await inner.put("newer a", forId: "x").get()
    try await put("mine", "x", expecting: "newer a", in: store)
    try await undo(in: store)
    #expect(cache.inspect("x").map { $0.remaining > .seconds(900_000) } == true)
  }

  @Test(arguments: [
    nil, "list", "alone", "list alone until 2.5", "until 1764000000.25", "list until inf",
    "until -1.0",
  ])
  func `A form is read back as it was written`(text: String?) {
    #expect(LiveForm(text).text == text)
  }

  @Test(arguments: ["until nan", "until", "lists", "until x", ""])
  func `An invalid form is ignored`(text: String) {
    #expect(LiveForm(text) == LiveForm())
  }

  @Test func `Setting an expiry ignores the backing store`() async throws {
    let store = try await store()
    let entry = try await store.setExpiry(
      ExpiryChange(.text("a"), expires: nil, expecting: print("cached a")))
    #expect(entry.expires == nil && entry.value == .text("cached a"))
    #expect(await stored("a") == "newer a")
  }
}

/// A link that can be made to fail.
private final class FailingLink: Sendable {
  private let failure = Locked<(any Error)?>(nil)
  private let count = Locked(0)

  /// The number of writes attempted since the failure.
  var writes: Int { count.withLock { $0 } }

  func fail(_ error: any Error) { failure.withLock { $0 = error } }

  func pass(isWrite: Bool = false) throws {
    guard let error = failure.withLock({ $0 }) else { return }
    if isWrite { count.withLock { $0 += 1 } }
    throw error
  }
}

/// A source behind a link that can fail.
private struct LinkedDataSource: GetDataSource, PutDataSource, DeleteDataSource {
  let inner: InMemoryDataSource<String>
  let link: FailingLink

  func get(_ query: any Query) -> Future<String> {
    Future(future: {
      try link.pass()
      return inner.get(query)
    })
  }

  func getAll(_ query: any Query) -> Future<[String]> {
    Future(future: {
      try link.pass()
      return inner.getAll(query)
    })
  }

  @discardableResult
  func put(_ value: String?, in query: any Query) -> Future<String> {
    Future(future: {
      try link.pass(isWrite: true)
      return inner.put(value, in: query)
    })
  }

  @discardableResult
  func putAll(_ array: [String], in query: any Query) -> Future<[String]> {
    Future(future: {
      try link.pass(isWrite: true)
      return inner.putAll(array, in: query)
    })
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    Future(future: {
      try link.pass(isWrite: true)
      return inner.delete(query)
    })
  }
}
