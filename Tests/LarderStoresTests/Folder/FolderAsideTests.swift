import Foundation
import Harmony
import LarderModel
import Testing

@testable import LarderStores

/// Temporarily renamed files, when another program or a disk error interferes.
struct FolderAsideTests {
  private let bench: FolderBench
  private let path: String
  private static let key = EntryKey.text("file")

  init() throws {
    bench = try FolderBench()
    path = try bench.write("old", "file")
  }

  /// Returns the file as if it had been read before a write that did not change its timestamps.
  private func stale() throws -> FolderReader.File {
    FolderReader.File(bytes: Array("OLD".utf8), status: try bench.read("file").status)
  }

  private func replacement(_ calls: FileCalls) throws -> FileReplacement {
    FileReplacement(directory: try bench.root(calls), name: Array("file".utf8), key: Self.key)
  }

  /// Expects that the folder has a file with the given contents, whose name is in the message, and
  /// that it is listed and survives the next write.
  private func expectKept(_ contents: String, _ sentence: String?) async throws {
    let name = try #require(try bench.contents().first { $0.value == contents }?.key)
    #expect(sentence?.contains(" \(name) ") == true, "\(sentence ?? "")")
    #expect(sentence?.contains("nothing was written") == false, "\(sentence ?? "")")
    let store = try await Stores.store(bench.folder.file("root"))
    #expect(try await store.keys().contains(.text(name)))
    try await store.set(.text("1"), .text("next"))
    #expect(try bench.contents()[name] == contents)
  }

  @Test func `A write reports that another program removed the old file before the comparison`()
    throws
  {
    var calls = FileCalls()
    calls.change = { change, directory, name, other, otherName in
      let number = change.make(directory, name, other, otherName)
      if change == .exchange { unlinkat(directory, name, 0) }
      return number
    }
    let writer = try bench.writer(calls)
    let expected = try #require(try bench.read("file").entry(Self.key).fingerprint)
    let refused = bench.refusal {
      _ = try writer.put(.text("ours"), WriteRequest(Self.key, .unchanged(expected)))
    }
    #expect(refused?.contains("another program removed") == true, "\(refused ?? "")")
    #expect(refused?.contains("nothing was written") == false)
    #expect(try bench.contents() == ["file": "ours"])
  }

  @Test func `A deletion reports that another program removed the file before the comparison`()
    throws
  {
    var calls = FileCalls()
    calls.rename = { directory, name, other, otherName in
      let number = renameat(directory, name, other, otherName) == 0 ? 0 : errno
      unlinkat(other, otherName, 0)
      return number
    }
    let writer = try bench.writer(calls)
    let read = try bench.read("file")
    let refused = bench.refusal { _ = try writer.remove(Self.key, asRead: read) }
    #expect(refused?.contains("another program removed") == true, "\(refused ?? "")")
    #expect(try bench.contents() == [:])
  }

  @Test(arguments: Intrusion.allCases)
  func `A deletion that cannot restore the name of a file reports its temporary name`(
    _ intrusion: Intrusion
  ) async throws {
    var calls = FileCalls()
    let path = path
    calls.rename = { directory, name, other, otherName in
      intrusion.write("new", to: path)
      return renameat(directory, name, other, otherName) == 0 ? 0 : errno
    }
    calls.change = { _, _, _, _, _ in EIO }
    let writer = try bench.writer(calls)
    let read = try bench.read("file")
    let refused = bench.refusal { _ = try writer.remove(Self.key, asRead: read) }
    #expect(refused?.contains("Input/output error") == true, "\(refused ?? "")")
    try await expectKept("new", refused)
  }

  @Test func `A deletion keeps a file whose change did not affect its timestamps`()
    async throws
  {
    var calls = FileCalls()
    calls.change = { _, _, _, _, _ in EIO }
    let writer = try bench.writer(calls)
    let stale = try stale()
    let refused = bench.refusal { _ = try writer.remove(Self.key, asRead: stale) }
    try await expectKept("old", refused)
  }

  @Test func `A write keeps a file whose change did not affect its timestamps`()
    async throws
  {
    var calls = FileCalls()
    let count = Counter()
    calls.change = { change, directory, name, other, otherName in
      count.next() == 0 ? change.make(directory, name, other, otherName) : EIO
    }
    let replacement = try replacement(calls)
    let stale = try stale()
    let refused = bench.refusal { _ = try replacement.replace(stale, with: Array("ours".utf8)) }
    try await expectKept("old", refused)
  }

  @Test func `A deletion keeps a file written at the last moment, even if another one follows`()
    async throws
  {
    var calls = FileCalls()
    let path = path
    let once = Once()
    calls.rename = { directory, name, other, otherName in
      once { Intrusion.replacing.write("new", to: path) }
      return renameat(directory, name, other, otherName) == 0 ? 0 : errno
    }
    calls.change = { change, directory, name, other, otherName in
      Intrusion.replacing.write("newest", to: path)
      return change.make(directory, name, other, otherName)
    }
    let writer = try bench.writer(calls)
    let read = try bench.read("file")
    let refused = bench.refusal { _ = try writer.remove(Self.key, asRead: read) }
    #expect(try bench.contents()["file"] == "newest")
    try await expectKept("new", refused)
  }

  @Test(arguments: ["more of it", "ours"])
  func `Text that another program wrote into the new file before it was reverted is kept`(
    _ text: String
  ) async throws {
    var calls = FileCalls()
    let count = Counter()
    let path = path
    calls.change = { change, directory, name, other, otherName in
      if count.next() == 1 { Intrusion.writing.write(text.uppercased(), to: path) }
      return change.make(directory, name, other, otherName)
    }
    let replacement = try replacement(calls)
    let stale = try stale()
    let refused = bench.refusal { _ = try replacement.replace(stale, with: Array("ours".utf8)) }
    #expect(try bench.contents()["file"] == "old")
    try await expectKept(text.uppercased(), refused)
  }

  @Test func `A rename that cannot restore the name of a file reports its new name`() throws {
    var calls = FileCalls()
    let path = path
    let count = Counter()
    calls.change = { change, directory, name, other, otherName in
      guard count.next() == 0 else { return EIO }
      Intrusion.replacing.write("new", to: path)
      return change.make(directory, name, other, otherName)
    }
    let rename = try bench.rename("file", to: "other")
    let writer = try bench.writer(calls)
    let refused = bench.refusal { _ = try writer.rename([rename]) }
    #expect(refused?.contains("is now other") == true, "\(refused ?? "")")
    #expect(refused?.contains("nothing was written") == false)
    #expect(try bench.contents() == ["other": "new"])
  }
}
