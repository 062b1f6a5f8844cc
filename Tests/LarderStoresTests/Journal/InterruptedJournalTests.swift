import LarderFiles
import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import Testing

@testable import LarderJournal
@testable import LarderStores

/// Recovery of changes whose process was killed.
struct InterruptedJournalTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  /// The error if the last change was never made and is the only one.
  private static let cameToNothing = StoreError.interrupted(isUndo: true, isLast: true)

  /// There are too many files for quadratic work.
  @Test func `The progress of a killed rename of thousands of files is determined`() {
    let items = (0..<20_000).map { number in
      let digest = JournalItem.Side(value: .text("\(number)"))
      return JournalItem(
        key: .text("p\(number)"), newKey: .text("q\(number)"), before: digest, after: digest)
    }
    var step = RecordedChange(.rename, items, at: StoreLocation(path: "/folder"))
    var found: [EntryKey: JournalItem.Side] = [:]
    for (place, item) in items.enumerated() {
      if place >= 7_000 { found[item.key] = item.before }
      // One file has both names.
      if place <= 7_000, let newKey = item.newKey { found[newKey] = item.after }
    }
    let isDecided = step.settle(found, isAtomic: false)
    #expect(isDecided)
    #expect(step.items.count(where: \.isDone) == 7_000)
    found[.text("p12345")] = JournalItem.Side(value: .text("of another program"))
    let isDecidedStill = step.settle(found, isAtomic: false)
    #expect(!isDecidedStill)
  }

  @Test func `Undo stops at a killed write whose result is neither the old nor the new value`()
    async throws
  {
    let path = try await bench.folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v INTEGER); INSERT INTO t VALUES('a', 1), ('b', 1)")
    let store = try await bench.open(path)
    try await bench.put(store, .text("b"), .integer(5))
    try await bench.put(store, .text("a"), .integer(2))
    // The process was killed before it recorded how the database converted the text.
    let asked = EntryCoding.encode(StoredValue.text("2"))
    try await bench.interrupt { session in
      try session.run(
        "UPDATE items SET after = ? WHERE step = (SELECT max(number) FROM steps)", [.blob(asked)])
    }
    let before = try await bench.contents(store)
    for _ in 0..<2 {
      let error = await #expect(throws: StoreError.self) { try await bench.undo(store) }
      #expect(error?.message.contains("was interrupted") == true)
      #expect(try await bench.contents(store) == before)
    }
    let steps = try await bench.journal.steps()
    #expect(steps.map(\.state) == [.interrupted, .settled])
    #expect(try await bench.journal.next(isRedo: false)?.step.number == steps.first?.step.number)
    // Undoing a change by its number and making new changes still work.
    try await bench.undo(store, step: steps.last?.step.number)
    #expect(try await store.value(.text("b")) == .integer(1))
    try await bench.put(store, .text("c"), .integer(7))
    try await bench.undo(store)
    #expect(try await bench.contents(store)[.text("c")] == nil)
    await #expect(throws: StoreError.self) { try await bench.undo(store) }
    // Once the state is unambiguous again, the change is settled.
    try await bench.execute(path, "UPDATE t SET v = 1 WHERE k = 'a'")
    await #expect(throws: Self.cameToNothing) {
      try await bench.undo(store)
    }
  }

  @Test func `A slower process does not settle a change again`()
    async throws
  {
    let path = try await bench.folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 1)")
    let store = try await bench.open(path)
    try await bench.put(store, .text("a"), .integer(2))
    try await bench.put(store, .text("b"), .integer(3))
    try await bench.interrupt()
    let place = try #require(try await bench.journal.steps().first?.location)
    let abandoned = try await bench.journal.read(whereAbsent: []) { try $0.abandoned(at: place) }
    var step = try #require(abandoned.first)
    for index in step.items.indices { step.items[index].isDone = true }
    let stale = step
    #expect(try await bench.undo(store)?.key == .text("b"))
    for isDecided in [true, false] {
      try await bench.journal.write(.settling) {
        try $0.settleInterrupted(stale, isDecided: isDecided)
      }
    }
    #expect(try await bench.undo(store)?.key == .text("a"))
    #expect(try await bench.contents(store) == [.text("a"): .integer(1)])
    #expect(try await bench.undo(store, redo: true)?.key == .text("a"))
    #expect(try await bench.undo(store, redo: true)?.key == .text("b"))
  }

  @Test func `A running change is not discarded to make room`() async throws {
    let journal = Journal(path: bench.journal.path, limit: 4_000)
    let path = try await bench.folder.database("CREATE TABLE t(k TEXT PRIMARY KEY, v)")
    let store = try await Stores.open(StoreLocation(path: path), journal: journal).store(nil)
    let value = StoredValue.text(String(repeating: "x", count: 1_500))
    try await bench.put(store, .text("a"), value)
    let own = journal.lock.name
    try await bench.execute(
      journal.path,
      "UPDATE items SET done = 0; UPDATE steps SET pending = 1, was_done = 0, process = '\(own)'")
    for name in ["b", "c", "d"] { try await bench.put(store, .text(name), value) }
    let steps = try await journal.steps()
    #expect(steps.last?.step.key == .text("a"))
    #expect(steps.last?.state == .running)
    #expect(steps.count < 4)
  }

  @Test func `A change counts as interrupted only once its process has released its lock`()
    async throws
  {
    let path = try await bench.folder.database("CREATE TABLE t(k TEXT PRIMARY KEY, v)")
    func begin() async throws -> Journal {
      let other = Journal(path: bench.journal.path)
      let store = try await Stores.open(StoreLocation(path: path), journal: other).store(nil)
      try await bench.put(store, .text("a"), .integer(1))
      try await bench.execute(
        other.path, "UPDATE steps SET pending = 1, was_done = 0; UPDATE items SET done = 0")
      #expect(try await other.steps().map(\.state) == [.running])
      return other
    }
    var other: Journal? = try await begin()
    let store = try await bench.open(path)
    #expect(try await bench.journal.steps().map(\.state) == [.running])
    await #expect(throws: StoreError.self) { try await bench.undo(store) }
    #expect(try await store.value(.text("a")) == .integer(1))
    withExtendedLifetime(other) {}
    other = nil
    #expect(try await bench.journal.steps().map(\.state) == [.interrupted])
    try await bench.undo(store)
    #expect(try await bench.contents(store).isEmpty)
  }

  @Test func `A killed undo in another store is not redone instead of the last undo`()
    async throws
  {
    var stores: [Store] = []
    for name in ["a.json", "b.json"] {
      let path = try bench.folder.write(Array(#"{"k": 0}"#.utf8), to: name)
      stores.append(try await bench.open(path))
      try await bench.put(stores[stores.count - 1], .text("k"), .integer(1))
    }
    // An undo in the first store was killed long ago.
    try await bench.execute(
      bench.journal.path,
      "UPDATE steps SET pending = 1, was_done = 1, process = '1:0' WHERE path LIKE '%a.json'")
    try await bench.undo(stores[1])
    let next = try await bench.journal.next(isRedo: true)
    #expect(next?.location.path.hasSuffix("/b.json") == true)
    let steps = try await bench.journal.steps()
    let first = try #require(steps.map(\.location).first { $0.path.hasSuffix("/a.json") })
    let own = try await bench.journal.next(isRedo: true, of: .store(first))
    #expect(own?.location == first)
  }

  @Test(arguments: [false, true])
  func `A change that another process is replaying is not skipped`(isRedo: Bool)
    async throws
  {
    let path = try await bench.folder.database("CREATE TABLE t(k TEXT PRIMARY KEY, v)")
    let store = try await bench.open(path)
    for name in ["a", "b"] { try await bench.put(store, .text(name), .integer(1)) }
    if isRedo { for _ in 0..<2 { try await bench.undo(store) } }
    let key = isRedo ? "a" : "b"
    let next = try #require(try await bench.journal.next(isRedo: isRedo))
    #expect(next.step.key == .text(key))
    try await bench.execute(
      bench.journal.path,
      "UPDATE steps SET pending = 1, process = '\(bench.journal.lock.name)' "
        + "WHERE number = \(next.step.number)")
    #expect(try await bench.journal.next(isRedo: isRedo)?.step.number == next.step.number)
    let before = try await bench.contents(store)
    let error = await #expect(throws: StoreError.self) {
      try await bench.undo(store, redo: isRedo)
    }
    #expect(error?.message.contains("another larder") == true)
    #expect(try await bench.contents(store) == before)
  }

  @Test(arguments: [Int64.max, .min, -1])
  func `A journal with an invalid size can still be written`(size: Int64) async throws {
    let path = try await bench.folder.database("CREATE TABLE t(k TEXT PRIMARY KEY, v)")
    let store = try await bench.open(path)
    for name in ["a", "b"] { try await bench.put(store, .text(name), .integer(1)) }
    try await bench.execute(bench.journal.path, "UPDATE steps SET size = \(size)")
    try await bench.put(store, .text("c"), .integer(1))
    #expect(try await bench.undo(store)?.key == .text("c"))
  }

  @Test(arguments: [0, 1, 2, 3])
  func `The progress of a killed chain of renames is determined`(count: Int)
    async throws
  {
    let names = ["aa", "aaa", "aaaa"]
    for name in names { _ = try bench.folder.write(Array(name.utf8), to: "files/\(name)") }
    let store = try await bench.open(bench.folder.file("files"))
    let before = try await bench.contents(store)
    try await bench.shorten(store, names)
    for name in names.dropFirst(count).reversed() {
      try FileManager.default.moveItem(
        atPath: bench.folder.file("files/\(name.dropLast())"),
        toPath: bench.folder.file("files/\(name)"))
    }
    try await bench.interrupt()
    if count == 0 {
      await #expect(throws: Self.cameToNothing) {
        try await bench.undo(store)
      }
    } else {
      #expect(try await bench.undo(store)?.count == count)
    }
    #expect(try await bench.contents(store) == before)
  }

  @Test func `A second name that a killed process gave a file is removed`() async throws {
    let root = bench.folder.file("files")
    for name in ["aa", "bb"] { _ = try bench.folder.write(Array(name.utf8), to: "files/\(name)") }
    let store = try await bench.open(root)
    let before = try await bench.contents(store)
    try await bench.shorten(store, ["aa", "bb"])
    // The process was killed while the first file had both names and before it renamed the second.
    #expect(rename(root + "/b", root + "/bb") == 0)
    #expect(link(root + "/a", root + "/aa") == 0)
    try await bench.interrupt()
    await #expect(throws: Self.cameToNothing) {
      try await bench.undo(store)
    }
    #expect(try await bench.contents(store) == before)
  }

  @Test func `A file of another program that looks like a second name stays`() async throws {
    let root = bench.folder.file("files")
    _ = try bench.folder.write([0x31], to: "files/aa")
    let store = try await bench.open(root)
    try await bench.shorten(store, ["aa"])
    _ = try bench.folder.write([0x31], to: "files/aa")
    try await bench.interrupt()
    _ = try? await bench.undo(store)
    #expect(try await store.keys() == [.text("a"), .text("aa")])
  }

  @Test(arguments: [true, false])
  func `A killed chain of renames in a table was made completely or not at all`(isMade: Bool)
    async throws
  {
    let path = try await bench.folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); "
        + "INSERT INTO t VALUES('aa', 1), ('aaa', 2), ('aaaa', 3)")
    let store = try await bench.open(path)
    let before = try await bench.contents(store)
    try await bench.shorten(store, ["aa", "aaa", "aaaa"])
    #expect(try await bench.contents(store)[.text("a")] == .integer(1))
    if !isMade {
      for name in ["aaa", "aa", "a"] {
        try await bench.execute(path, "UPDATE t SET k = k || 'a' WHERE k = '\(name)'")
      }
    }
    try await bench.interrupt()
    if isMade {
      try await bench.undo(store)
    } else {
      await #expect(throws: Self.cameToNothing) {
        try await bench.undo(store)
      }
    }
    #expect(try await bench.contents(store) == before)
  }
}
