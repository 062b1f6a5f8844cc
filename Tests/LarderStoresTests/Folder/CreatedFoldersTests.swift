import Foundation
import Harmony
import LarderModel
import Testing

@testable import LarderStores

/// Folders that are about to be created, or are removed while a file is put in them.
struct CreatedFoldersTests {
  private let bench: FolderBench
  private var path: String { bench.folder.file("root/new") }

  init() throws {
    bench = try FolderBench()
  }

  private func put(_ key: String, _ calls: FileCalls) throws {
    _ = try bench.writer(calls).put(.text("1"), WriteRequest(.text(key), .nothing))
  }

  @Test func `A folder removed as empty while a file is put in it is created again`() throws {
    var calls = FileCalls()
    let once = Once()
    let path = path
    // Runs while the folder is locked, before the file is created.
    calls.nextName = { stream in
      once { _ = rmdir(path) }
      return readdir(stream)
    }
    try put("new/file", calls)
    #expect(try bench.folder.bytes("root/new/file") == Array("1".utf8))
  }

  @Test func `A folder removed while a subfolder is created is created again`() throws {
    var calls = FileCalls()
    let once = Once()
    let path = path
    calls.synchronize = { number in
      once { _ = rmdir(path) }
      return fsync(number) == 0 ? 0 : errno
    }
    try put("new/dir/file", calls)
    #expect(try bench.folder.bytes("root/new/dir/file") == Array("1".utf8))
  }

  @Test func `A folder removed while a file is moved to it is created again`() throws {
    try bench.write("1", "old")
    var calls = FileCalls()
    let once = Once()
    let path = path
    calls.change = { change, directory, name, other, otherName in
      once { _ = rmdir(path) }
      return change.make(directory, name, other, otherName)
    }
    _ = try bench.writer(calls).rename([try bench.rename("old", to: "new/file")])
    #expect(try bench.folder.bytes("root/new/file") == Array("1".utf8))
  }

  @Test func `A write fails if the folder is removed every time`() throws {
    var calls = FileCalls()
    let path = path
    calls.synchronize = { number in
      _ = rmdir(path)
      return fsync(number) == 0 ? 0 : errno
    }
    #expect(throws: (any Error).self) { try put("new/file", calls) }
    #expect(try bench.contents() == [:])
  }
}
