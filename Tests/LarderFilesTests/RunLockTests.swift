import LarderFiles
import Foundation
import Testing

/// The lock that tells other runs of larder that this one has not ended.
@Suite struct RunLockTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  @Test func `A run is running until it lets go of its lock`() throws {
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
  func `Without locks every run counts as running, and none is kept from work`(
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

  @Test func `What else keeps a lock from being taken is an error`() {
    let calls = RunLockCalls { _, _, _ in
      errno = EIO
      return -1
    }
    let own = RunLock(in: folder.path, calls: calls)
    #expect(throws: FileFailure.self) { try own.take() }
  }

  @Test(arguments: ["", ":", "1:", ":1", "-1:0", "0:0", "x:y", "99999999999:1", "short"])
  func `What is the name of no run has ended`(name: String) {
    #expect(!RunLock(in: folder.path).isRunning(name))
  }
}
