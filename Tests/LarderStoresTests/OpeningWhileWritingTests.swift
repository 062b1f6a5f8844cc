import LarderModel
import Foundation
import HarmonySQLite
import Testing

@testable import LarderStores

/// Files that another program empties and writes again while they are opened.
struct OpeningWhileWritingTests {
  @Test(arguments: ["", "<?xml "])
  func `A file that is being written is looked at again`(start: String) async throws {
    let folder = try TestFolder()
    let path = try folder.write(Array(start.utf8), to: "file.plist")
    // The writer goes on once the file was opened to be read.
    let inotify = inotify_init1(Int32(IN_CLOEXEC))
    defer { close(inotify) }
    _ = inotify_add_watch(inotify, path, UInt32(IN_OPEN))
    let writer = Thread {
      var event = [UInt8](repeating: 0, count: 4_096)
      _ = read(inotify, &event, event.count)
      let file = open(path, O_WRONLY | O_TRUNC)
      let text = "<plist><dict><key>a</key><string>b</string></dict></plist>"
      _ = write(file, text, text.utf8.count)
      close(file)
    }
    writer.start()
    let store = try await Stores.open(path).store(nil)
    #expect(store.kind.name == "plist")
    #expect(try await store.value(.text("a")) == .text("b"))
  }

  @Test func `A disk that is full is said to be so, whichever file has no room`() {
    let sentences = SQLiteSentences(path: "/disk/app.db")
    let full = SQLiteError(.ioError, "disk I/O error", systemError: ENOSPC)
    #expect(
      sentences.storeError(full).message
        == "the disk that holds /disk/app.db is full; nothing was written")
    let other = SQLiteError(.ioError, "disk I/O error", systemError: EIO)
    #expect(
      sentences.storeError(other).message
        == "/disk/app.db could not be read or written: disk I/O error")
  }
}
