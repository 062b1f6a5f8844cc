import Foundation
import Harmony
import LarderModel
import Synchronization
import Testing

@testable import LarderStores

/// Locks that keep two larder processes from changing one folder at the same time.
struct FolderLockTests {
  private let bench: FolderBench

  init() throws {
    bench = try FolderBench()
    try bench.write("old", "one/file")
    try bench.write("old", "two/other")
  }

  /// Checks, at each call that changes a name, whether another larder process could write to some
  /// folders.
  private final class Watch: Sendable {
    private let paths: [String]
    private let seen = Mutex<[Bool]>([])

    init(_ paths: [String]) {
      self.paths = paths
    }

    /// Whether there were such calls, all while every folder was locked.
    var isHeld: Bool { seen.withLock { !$0.isEmpty && $0.allSatisfy(\.self) } }

    var calls: FileCalls {
      var calls = FileCalls()
      let system = FileCalls.system
      calls.change = { change, directory, name, other, otherName in
        self.look()
        return system.change(change, directory, name, other, otherName)
      }
      calls.rename = { directory, name, other, otherName in
        self.look()
        return system.rename(directory, name, other, otherName)
      }
      calls.unlink = { directory, name in
        self.look()
        return system.unlink(directory, name)
      }
      return calls
    }

    private func look() {
      let isHeld = paths.allSatisfy { path in
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        return flock(folder, LOCK_EX | LOCK_NB) != 0
      }
      seen.withLock { $0.append(isHeld) }
    }
  }

  private func watch(_ folders: String...) -> Watch {
    Watch(folders.map { bench.folder.file("root/" + $0) })
  }

  @Test func `A write locks the folder`() throws {
    for name in ["file", "new"] {
      try bench.write("", "one/.larder-0123456789abcdef.tmp")
      let watch = watch("one")
      _ = try bench.writer(watch.calls).put(
        .text("ours"), WriteRequest(.text("one/" + name), .anything))
      #expect(watch.isHeld)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("root/one"))
          .allSatisfy { !$0.hasPrefix(".larder") })
    }
  }

  @Test(arguments: [false, true])
  func `A deletion locks the folder`(isCompared: Bool) throws {
    let watch = watch("one")
    let writer = try bench.writer(watch.calls)
    let key = EntryKey.text("one/file")
    let fingerprint = try #require(try bench.read("one/file").entry(key).fingerprint)
    try writer.delete(key, isCompared ? .unchanged(fingerprint) : .anything)
    #expect(watch.isHeld)
  }

  @Test func `A rename locks both folders`() throws {
    let watch = watch("one", "two")
    let rename = try bench.rename("one/file", to: "two/file")
    _ = try bench.writer(watch.calls).rename([rename])
    #expect(watch.isHeld)
  }

  @Test func `Concurrent renames in opposite directions do not deadlock`() throws {
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { side in
      var names = ["one/file", "two/file"]
      if side == 1 { names = ["two/other", "one/other"] }
      let sentence = bench.refusal {
        for _ in 0..<100 {
          let rename = try bench.rename(names[0], to: names[1])
          _ = try bench.writer().rename([rename])
          names.swapAt(0, 1)
        }
      }
      if let sentence { failures.withLock { $0.append(sentence) } }
    }
    #expect(failures.withLock { $0 } == [])
  }

  @Test func `A write that times out waiting for another larder reports it and changes nothing`()
    throws
  {
    let folder = open(bench.folder.file("root/one"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(folder) }
    #expect(flock(folder, LOCK_EX) == 0)
    let writer = FolderWriter(
      try bench.root(), FolderLeftovers(), path: bench.folder.file("root"), patience: .zero)
    let rename = try bench.rename("one/file", to: "two/file")
    let key = EntryKey.text("one/file")
    for work in [
      { _ = try writer.put(.text("1"), WriteRequest(key, .anything)) },
      { _ = try writer.put(.text("1"), WriteRequest(.text("one/new"), .nothing)) },
      { try writer.delete(key) },
      { _ = try writer.rename([rename]) },
    ] as [() throws -> Void] {
      #expect {
        try work()
      } throws: { error in
        guard case StoreError.busy(let sentence) = error else { return false }
        return sentence.hasPrefix("another larder is writing to the folder of one/")
      }
    }
    #expect(try bench.folder.bytes("root/one/file") == Array("old".utf8))
    #expect(try FolderReader(root: bench.root()).read(.text("one/new")) == nil)
  }
}
