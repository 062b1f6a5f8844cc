import LarderModel
import Foundation
import HarmonySQLite
import Testing

@testable import LarderStores

/// Files that another program truncates and rewrites while they are opened.
struct OpeningWhileWritingTests {
  @Test(arguments: ["", "<?xml "])
  func `A partly written file is read again`(start: String) async throws {
    let folder = try TestFolder()
    let path = try folder.write(Array(start.utf8), to: "file.plist")
    // The writer continues once the file has been opened for reading.
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

  @Test func `A full disk is reported, whichever file could not be written`() {
    let sentences = SQLiteMessages(path: "/disk/app.db")
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
