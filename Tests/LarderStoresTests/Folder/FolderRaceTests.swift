import Foundation
import Harmony
import LarderModel
import Testing

@testable import LarderStores

/// What another program writes in the moment between larder's last look and its change.
struct FolderRaceTests {
  private let bench: FolderBench
  private let path: String
  private static let key = EntryKey.text("file")

  init() throws {
    bench = try FolderBench()
    path = try bench.write("old", "file")
  }

  /// Calls before the first of which another program writes.
  private func calls(_ intrusion: Intrusion) -> FileCalls {
    var calls = FileCalls()
    let once = Once()
    let path = path
    calls.change = { change, directory, name, other, otherName in
      once { intrusion.write("new", to: path) }
      return change.make(directory, name, other, otherName)
    }
    calls.rename = { directory, name, other, otherName in
      once { intrusion.write("new", to: path) }
      return renameat(directory, name, other, otherName) == 0 ? 0 : errno
    }
    return calls
  }

  private func expectConflict(_ work: () throws -> Void) throws {
    do {
      try work()
      Issue.record("nothing was refused")
    } catch StoreError.conflict(let current) {
      #expect(current?.value == .text("new"))
    }
    #expect(try bench.contents() == ["file": "new"])
  }

  @Test(arguments: Intrusion.allCases)
  func `A write does not take the place of what came at the last moment`(
    _ intrusion: Intrusion
  ) throws {
    let expected = try #require(try bench.read("file").entry(Self.key).fingerprint)
    let writer = try bench.writer(calls(intrusion))
    try expectConflict {
      _ = try writer.put(.text("ours"), WriteRequest(Self.key, .unchanged(expected)))
    }
  }

  @Test(arguments: Intrusion.allCases)
  func `A deletion does not take what came at the last moment`(_ intrusion: Intrusion) throws {
    let expected = try #require(try bench.read("file").entry(Self.key).fingerprint)
    let writer = try bench.writer(calls(intrusion))
    try expectConflict { try writer.delete(Self.key, .unchanged(expected)) }
  }

  @Test(arguments: Intrusion.allCases)
  func `A rename does not take along what came at the last moment`(_ intrusion: Intrusion) throws {
    let rename = try bench.rename("file", to: "other")
    let writer = try bench.writer(calls(intrusion))
    try expectConflict { _ = try writer.rename([rename]) }
  }

  @Test func `A write that left no trace in the times is noticed`() throws {
    // As read before a write of the same size within one tick of the clock.
    let status = try bench.read("file").status
    let stale = FolderReader.File(bytes: Array("OLD".utf8), status: status)
    let root = try bench.root()
    let replacement = FileReplacement(directory: root, name: Array("file".utf8), key: Self.key)
    #expect(try replacement.replace(stale, with: Array("ours".utf8)) == nil)
    #expect(
      try !FileRemoval(directory: root, name: Array("file".utf8), key: Self.key).remove(
        asRead: stale))
    #expect(try bench.contents() == ["file": "old"])
  }

  @Test func `What comes while the names are being exchanged back stays too`() throws {
    let stale = FolderReader.File(bytes: Array("OLD".utf8), status: try bench.read("file").status)
    var calls = FileCalls()
    let count = Counter()
    let path = path
    calls.change = { change, directory, name, other, otherName in
      if count.next() == 1 { Intrusion.replacing.write("newest", to: path) }
      return change.make(directory, name, other, otherName)
    }
    let replacement = FileReplacement(
      directory: try bench.root(calls), name: Array("file".utf8), key: Self.key)
    #expect(try replacement.replace(stale, with: Array("ours".utf8)) == nil)
    #expect(try bench.contents() == ["file": "newest"])
  }

  @Test func `What is written is told as it was written, whoever writes then`() throws {
    var calls = FileCalls()
    let count = Counter()
    let path = path
    calls.synchronize = { descriptor in
      // After the file, the folder: the names are exchanged by then.
      if count.next() == 1 { Intrusion.replacing.write("theirs", to: path) }
      return fsync(descriptor)
    }
    let entry = try bench.writer(calls).put(.text("ours"), WriteRequest(Self.key, .anything))
    #expect(entry.value == .text("ours"))
    #expect(try bench.contents() == ["file": "theirs"])
  }
}
