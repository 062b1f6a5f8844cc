import Harmony
import Testing

@testable import LarderStores

struct FileWatcherTests {
  @Test func `Changes to other files in the same folder are ignored`() async throws {
    let folder = try TestFolder()
    let path = try folder.write([1], to: "file")
    let places = try #require(WatchedPaths([.file(path)]))
    _ = try folder.write([1], to: "other")
    #expect(places.take() == .nothing)
    _ = try folder.write([2], to: "file")
    #expect(places.take() == .moved)
  }

  @Test func `Places are polled if notifications are unavailable`() async throws {
    let folder = try TestFolder()
    let watch = FileWatcher([.folder(folder.path)], usesNotices: false, interval: 0.001)
    try await watch.next().get()
    try await watch.next().get()
    #expect(watch.limitation?.contains("does not report changes to \(folder.path)") == true)
    #expect(watch.limitation?.contains("fs.inotify.max_user_watches") == true)
    #expect(FileWatcher([.folder(folder.path)]).limitation == nil)
  }

  @Test func `A notification overflow counts as a change`() async throws {
    let folder = try TestFolder()
    _ = try folder.write([1], to: "one")
    let places = try #require(WatchedPaths([.folder(folder.path)]))
    // The kernel merges consecutive equal events, so these alternate.
    try Outsider.python(
      """
      import os
      for number in range(20000):
          os.rename('one', 'two'); os.rename('two', 'one')
      """, in: folder)
    #expect(places.take() == .moved)
  }
}
