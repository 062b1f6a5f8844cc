import Foundation
import Testing

@testable import Harmony

/// The system calls that stores make.
@Suite struct FilesTests {
  private let directory = StorePlaces.directory().path

  /// The errors of locking on a file system without locks.
  private static let unsupported = [EOPNOTSUPP, ENOLCK, ENOSYS, EINVAL]

  private func names() throws -> [String] {
    try Files.names(in: directory) ?? []
  }

  @Test(arguments: unsupported)
  func `A file can be written on a file system without locks`(code: Int32) throws {
    try Files.createDirectory(directory)
    var calls = 0
    let draft = try AtomicFile.draft([1], in: directory) { _, _ in
      calls += 1
      errno = code
      return -1
    }
    #expect(calls == 1)
    try draft.publish(as: directory + "/a")
    #expect(try names() == ["a"])
  }

  @Test func `A file mistaken for a leftover is created again`() throws {
    try Files.createDirectory(directory)
    var calls = 0
    let draft = try AtomicFile.draft([1], in: directory) { descriptor, operation in
      calls += 1
      errno = EWOULDBLOCK
      return calls < 3 ? -1 : flock(descriptor, operation)
    }
    #expect(calls == 3)
    try draft.publish(as: directory + "/a")
    #expect(try names() == ["a"])
  }

  @Test(arguments: unsupported)
  func `A lock that is not available is reported`(code: Int32) throws {
    try Files.createDirectory(directory)
    let lock = FileLock(path: directory + "/lock")
    var isRun = false
    let error = #expect(throws: CoreError.Failed.self) {
      try lock.whileLocked(
        by: { _, _ in
          errno = code
          return -1
        }, { isRun = true })
    }
    #expect(!isRun)
    #expect(
      error?.description
        == "Could not take the lock \(directory)/lock: \(String(cString: strerror(code)))")
  }

  @Test func `Waiting for a lock continues after signals`() throws {
    try Files.createDirectory(directory)
    var calls = 0
    let answer = try FileLock(path: directory + "/lock").whileLocked(
      by: { _, _ in
        calls += 1
        errno = EINTR
        return calls < 3 ? -1 : 0
      }, { calls })
    #expect(answer == 3)
  }

  @Test func `A path is quoted only if it would be ambiguous in a sentence`() {
    #expect("\(PathName("/tmp/é b"))" == "/tmp/é b")
    #expect("\(PathName(""))" == "\"\"")
    #expect("\(PathName("a\u{1B}\0"))" == "\"a\\u{1B}\\0\"")
    #expect("\(PathName("é\u{202E}\u{2028}\u{2029}"))" == "\"é\\u{202E}\\u{2028}\\u{2029}\"")
    #expect(PathName("a b").quoted == "\"a b\"")
  }
}
