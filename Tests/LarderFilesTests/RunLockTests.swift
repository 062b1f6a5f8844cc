import LarderFiles
import Foundation
import Testing

/// Tests the lock that tells other larder sessions that this one is still running.
@Suite struct RunLockTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  @Test func `A session counts as running until it releases its lock`() throws {
    let other = RunLock(in: folder.path)
    var own: RunLock? = RunLock(in: folder.path)
    let name = try #require(own?.name)
    #expect(!other.isRunning(name))
    try own?.take()
    #expect(other.isRunning(name))
    own = nil
    #expect(!other.isRunning(name))
  }

  @Test(arguments: [EINVAL, ENOLCK, ENOTSUP])
  func `On a file system without locks every session counts as running and can work`(
    number: Int32
  ) throws {
    let calls = RunLockCalls { _, _, _ in
      errno = number
      return -1
    }
    let own = RunLock(in: folder.path, calls: calls)
    try own.take()
    #expect(RunLock(in: folder.path, calls: calls).isRunning(own.name))
  }

  @Test func `Any other failure to take a lock is an error`() {
    let calls = RunLockCalls { _, _, _ in
      errno = EIO
      return -1
    }
    let own = RunLock(in: folder.path, calls: calls)
    #expect(throws: FileFailure.self) { try own.take() }
  }

  @Test(arguments: ["", ":", "1:", ":1", "-1:0", "0:0", "x:y", "99999999999:1", "short"])
  func `An invalid name counts as a session that has ended`(name: String) {
    #expect(!RunLock(in: folder.path).isRunning(name))
  }
}
