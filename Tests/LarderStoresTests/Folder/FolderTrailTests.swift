import Foundation
import Harmony
import LarderModel
import Testing

@testable import LarderStores

/// Folders that are about to be made, and those that go while something is put in them.
struct FolderTrailTests {
  private let bench: FolderBench
  private var path: String { bench.folder.file("root/new") }

  init() throws {
    bench = try FolderBench()
  }

  private func put(_ key: String, _ calls: FileCalls) throws {
    _ = try bench.writer(calls).put(.text("1"), WriteRequest(.text(key), .nothing))
  }

  @Test func `A folder that is removed as empty while a file is put in it is made again`() throws {
    var calls = FileCalls()
    let once = Once()
    let path = path
    // Under the lock of the directory, and before the file is made.
    calls.nextName = { stream in
      once { _ = rmdir(path) }
      return readdir(stream)
    }
    try put("new/file", calls)
    #expect(try bench.folder.bytes("root/new/file") == Array("1".utf8))
  }

  @Test func `A folder that is removed on the way to one inside it is made again`() throws {
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

  @Test func `A folder that is removed while a file is moved to it is made again`() throws {
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

  @Test func `Where the folder goes each time the write fails in the end`() throws {
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
