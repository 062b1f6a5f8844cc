import Foundation
import Harmony
import LarderModel
import Testing

@testable import LarderStores

/// Changes that another program makes between larder's last check and its own change.
struct FolderRaceTests {
  private let bench: FolderBench
  private let path: String
  private static let key = EntryKey.text("file")

  init() throws {
    bench = try FolderBench()
    path = try bench.write("old", "file")
  }

  /// Returns calls that let another program write to the file before the first of them.
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
  func `A write does not overwrite a change made at the last moment`(
    _ intrusion: Intrusion
  ) throws {
    let expected = try #require(try bench.read("file").entry(Self.key).fingerprint)
    let writer = try bench.writer(calls(intrusion))
    try expectConflict {
      _ = try writer.put(.text("ours"), WriteRequest(Self.key, .unchanged(expected)))
    }
  }

  @Test(arguments: Intrusion.allCases)
  func `A deletion does not delete a change made at the last moment`(_ intrusion: Intrusion) throws
  {
    let expected = try #require(try bench.read("file").entry(Self.key).fingerprint)
    let writer = try bench.writer(calls(intrusion))
    try expectConflict { try writer.delete(Self.key, .unchanged(expected)) }
  }

  @Test(arguments: Intrusion.allCases)
  func `A rename does not move a change made at the last moment`(_ intrusion: Intrusion) throws {
    let rename = try bench.rename("file", to: "other")
    let writer = try bench.writer(calls(intrusion))
    try expectConflict { _ = try writer.rename([rename]) }
  }

  @Test func `A write that did not change the timestamps is noticed`() throws {
    // As if read before a write of the same size within one clock tick.
    let status = try bench.read("file").status
    let stale = FolderReader.File(bytes: Array("OLD".utf8), status: status)
    let root = try bench.root()
    let replacement = FileReplacement(directory: root, name: Array("file".utf8), key: Self.key)
    #expect(try replacement.replace(stale, with: Array("ours".utf8)) == nil)
    #expect(try !replacement.remove(asRead: stale))
    #expect(try bench.contents() == ["file": "old"])
  }

  @Test func `A file written while the names are swapped back is kept`() throws {
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
    let refused = bench.refusal { _ = try replacement.replace(stale, with: Array("ours".utf8)) }
    let contents = try bench.contents()
    #expect(contents["file"] == "old")
    let aside = try #require(contents.first { $0.value == "newest" }?.key)
    #expect(refused?.contains(" \(aside) ") == true, "\(refused ?? "")")
  }

  @Test func `The entry is returned as written even if another program writes afterwards`() throws {
    var calls = FileCalls()
    let count = Counter()
    let path = path
    calls.synchronize = { descriptor in
      // The second call is for the folder, after the names were swapped.
      if count.next() == 1 { Intrusion.replacing.write("theirs", to: path) }
      return fsync(descriptor)
    }
    let entry = try bench.writer(calls).put(.text("ours"), WriteRequest(Self.key, .anything))
    #expect(entry.value == .text("ours"))
    #expect(try bench.contents() == ["file": "theirs"])
  }
}
