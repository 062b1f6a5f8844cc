import Foundation
import Harmony
import HarmonyInspection
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Evicting and refreshing entries of a live process's cache, and undoing both.
@Suite @MainActor struct LiveCacheRobotTests {
  private let folder: TestFolder
  private let inspector: Inspector
  private let socket: SocketFolder
  private let inner = InMemoryDataSource<String>()
  /// Uses the system clock; the TTL is far longer than any test.
  private let cache: TimedCacheDataSource<String, InMemoryDataSource<String>>

  /// A folder with a short path, as the paths of sockets are limited in length.
  private final class SocketFolder {
    let path = "/tmp/live-" + UUID().uuidString.prefix(12)

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  init() async throws {
    folder = try TestFolder()
    socket = try SocketFolder()
    inspector = try Inspector(socket: socket.path + "/app.sock")
    cache = TimedCacheDataSource(inner, expiryInterval: 1_000_000)
    for key in ["a", "b", "s:1", "s:2", "s:3"] {
      try await cache.put("old \(key)", forId: key).get()
      try await inner.put("new \(key)", forId: key).get()
    }
    inspector.expose(cache, as: "cache", isWritable: true)
  }

  private func browser() async throws -> Robot {
    try await Robot(
      ["unix:\(socket.path)/app.sock#cache"],
      stores: .live(folder, journal: Journal(path: folder.path + "/state/journal.db")),
      size: Size(width: 120, height: 24)
    ).settle()
  }

  private func cached() -> [String] {
    cache.inspect().map { entry in
      if case .value(let text) = entry.content { text } else { "a list" }
    }
  }

  private static let all = ["old a", "old b", "old s:1", "old s:2", "old s:3"]

  @Test func `The last line shows the commands of a cache`() async throws {
    let browser = try await browser()
    browser.expect("R refresh").expect("P evict").expect("i why")
    // Larder's own cache has the same hints.
    await browser.pressEach(":read-through<Enter>").expect(
      "larder's own cache, in front of the program's")
    await browser.pressEach("j").expect("R refresh").expect("P evict").expect("i why")
  }

  @Test func `Newer backing-store values are not overwritten`() async throws {
    let browser = try await browser()
    await browser.press("e").settle().pressEach("X<Enter>").settle()
    browser.expect("Changed in the backing store").expect("old aX").expect("new a")
    await browser.press("t").settle().expect("kept the value of the backing store").expect(
      "R refreshes it")
    #expect(cached() == Self.all)
    await browser.press("e").settle().pressEach("X<Enter>").settle().press("m").settle()
    browser.expect("saved a")
    #expect(try await inner.get(IdQuery("a")).get() == "old aX")
    await browser.press("u").settle()
    #expect(try await inner.get(IdQuery("a")).get() == "new a")
  }

  @Test func `Newer backing-store values are not deleted silently`() async throws {
    let browser = try await browser()
    await browser.press("d").settle().press("y").settle().expect("Changed in the backing store")
    #expect(try await inner.get(IdQuery("a")).get() == "new a")
    await browser.press("m").settle().expect("deleted a")
    await browser.press("u").settle()
    #expect(try await inner.get(IdQuery("a")).get() == "new a")
    await browser.pressEach("j<Space>d").settle().press("y").settle()
    browser.expect("nothing was deleted: b differs in the backing store")
      .expect("R refreshes it")
  }

  @Test func `An entry is evicted and restored`() async throws {
    let browser = try await browser()
    await browser.press("P").settle().expect("a: evicted; the backing store is")
      .expect("u undoes").expect("of 4 entries")
    #expect(cached() == Array(Self.all.dropFirst()))
    await browser.press("u").settle().expect("undone: the eviction of a").expect("of 5 entries")
      .expect("old a")
    #expect(cached() == Self.all)
    await browser.press("<Ctrl-R>").settle().expect("redone: the eviction of a")
    #expect(cached() == Array(Self.all.dropFirst()))
  }

  @Test func `An empty cache is not called an empty store`() async throws {
    let browser = try await browser()
    await browser.pressEach("AP").expect("The cache is empty.")
      .expect("store is unchanged.")
      .expectNot("This store is empty")
  }

  @Test func `Marked entries are refreshed, and undo restores the old values`() async throws {
    let browser = try await browser()
    await browser.pressEach("<Space><Space>R").expect("refreshed from the backing store")
    #expect(Array(cached().prefix(3)) == ["new a", "new b", "old s:1"])
    await browser.press("u").settle().expect("undone: the refresh of a and 1 more")
    #expect(cached() == Self.all)
    await browser.press("<Ctrl-R>").settle().expect("redone: the refresh of a and 1 more")
    #expect(Array(cached().prefix(3)) == ["new a", "new b", "old s:1"])
  }

  @Test func `A prefix is evicted in one change`() async throws {
    let browser = try await browser()
    await browser.pressEach("TG").expect("s:").pressEach("P")
      .expect("all of “s:”, 3 entries: evicted")
    #expect(cached() == ["old a", "old b"])
    await browser.press("u").settle().expect("undone: the eviction of s:1 and 2 more")
    #expect(cached() == Self.all)
  }

  @Test func `Undo restores the entries of a prefix not loaded since`() async throws {
    let browser = try await browser()
    await browser.pressEach("TG").expect("s:").pressEach("P").expect("3 entries: evicted")
    #expect(try await cache.get(IdQuery("s:1")).get() == "new s:1")
    await browser.press("u").settle().expect("undone: the eviction of s:2 and 1 more")
      .expect("s:1 was cached again by the program")
    #expect(cached() == Self.all.map { $0 == "old s:1" ? "new s:1" : $0 })
  }

  @Test func `An entry the program has loaded since stays`() async throws {
    let browser = try await browser()
    await browser.press("P").settle()
    #expect(try await cache.get(IdQuery("a")).get() == "new a")
    await browser.press("u").settle()
      .expect("nothing was undone: a was changed by another program since then")
    #expect(cached().first == "new a")
  }
}
