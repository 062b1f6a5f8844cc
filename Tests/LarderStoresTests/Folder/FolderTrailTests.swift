import Foundation
import Harmony
import LarderCore
import Synchronization
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

  /// The folders that a killed step may have made, as they were recorded.
  private func recorded(_ keys: [String], _ calls: FileCalls) throws -> [MadeFolders] {
    let kept = Mutex<[MadeFolders]>([])
    let slip = RevisionSlip(limit: 0) { bytes in
      if let folders = bytes.flatMap(MadeFolders.init(encoded:)) {
        kept.withLock { $0.append(folders) }
      }
    }
    let changes = keys.map { EntryChange(.text($0), value: .text("1"), expecting: nil) }
    _ = try bench.writer(calls).make(
      RevisionQuery(request: .changes(ChangesQuery(changes)), slip: slip))
    return kept.withLock { $0 }
  }

  private func made(_ name: String) throws -> FolderMark {
    try #require(try bench.root().directory([Array(name.utf8)]).mark)
  }

  @Test func `A folder that somebody makes later is not taken for one of a killed step`() throws {
    let first = try #require(try recorded(["new/file"], .system).first)
    let announced = try #require(first.byDoing[Array("new".utf8)])
    let own = try made("new")
    #expect(announced.isMet(by: own))
    for seconds in [-1, 2, 86_400] as [Int64] {
      let birth = own.birth + seconds * 1_000_000_000
      let other = FolderMark(device: own.device, inode: own.inode, birth: birth)
      #expect(!announced.isMet(by: other))
    }
  }

  @Test func `A step that takes long says anew which folders it is about to make`() throws {
    var calls = FileCalls()
    let step: Int64 = 10_000_000_000
    let now = Mutex<Int64>(0)
    calls.now = {
      now.withLock {
        $0 += step
        return $0
      }
    }
    let announced = try recorded(["one/file", "two/file"], calls)
    let marks = announced.map { ($0.byDoing[Array("one".utf8)], $0.byDoing[Array("two".utf8)]) }
    #expect(marks.count == 3)
    let own = (try made("one"), try made("two"))
    for (place, mark) in marks.enumerated() {
      let moment = FolderMark(device: 1, inode: 1, birth: step * Int64(place + 1))
      #expect(mark.1?.isMet(by: moment) == true)
      // What was made is known for itself.
      #expect(place < 2 ? mark.0?.isMet(by: moment) == true : mark.0 == own.0)
    }
  }
}
