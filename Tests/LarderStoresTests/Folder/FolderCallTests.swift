import LarderFiles
import Foundation
import Harmony
import LarderModel
import Testing

@testable import LarderStores

/// File systems with limited features, and disks that fail.
struct FolderCallTests {
  private let bench: FolderBench

  init() throws {
    bench = try FolderBench()
  }

  /// The features of a file system.
  enum Kind: CaseIterable {
    case everything, links, neither

    var calls: FileCalls {
      var calls = FileCalls()
      if self != .everything { calls.change = { _, _, _, _, _ in EINVAL } }
      if self == .neither { calls.link = { _, _, _, _ in EPERM } }
      return calls
    }
  }

  @Test(arguments: Kind.allCases)
  func `Files are created, replaced, renamed and deleted on every file system`(_ kind: Kind) throws
  {
    let writer = try bench.writer(kind.calls)
    let key = EntryKey.text("a")
    #expect(try writer.put(.text("1"), WriteRequest(key, .nothing)).value == .text("1"))
    #expect(throws: StoreError.self) { try writer.put(.text("2"), WriteRequest(key, .nothing)) }
    _ = try writer.put(.text("2"), WriteRequest(key, .anything))
    try bench.write("other", "b")
    #expect(throws: StoreError.self) { try writer.rename([bench.rename("a", to: "b")]) }
    #expect(try bench.contents() == ["a": "2", "b": "other"])
    _ = try writer.rename([bench.rename("a", to: "c")])
    #expect(try bench.contents() == ["b": "other", "c": "2"])
    let fingerprint = try #require(try bench.read("c").entry(.text("c")).fingerprint)
    try writer.delete(.text("c"), .unchanged(fingerprint))
    #expect(try bench.contents() == ["b": "other"])
    try writer.warnings.check()
  }

  @Test func `A rename succeeds if the file system reports an outdated link count`() throws {
    try bench.write("1", "a")
    var calls = Kind.links.calls
    let third = bench.folder.file("third")
    calls.link = { folder, name, other, newName in
      // Some file systems report the old count for a while after the unlink.
      _ = linkat(folder, name, AT_FDCWD, third, 0)
      return linkat(folder, name, other, newName, 0) == 0 ? 0 : errno
    }
    _ = try bench.writer(calls).rename([bench.rename("a", to: "c")])
    #expect(try bench.contents() == ["c": "1"])
  }

  @Test func `A rename is refused if the file system assigns a new inode`() throws {
    try bench.write("1", "a")
    var calls = FileCalls()
    calls.change = { _, folder, name, other, newName in
      // The same file in all but its inode.
      let (old, new) = (
        openat(folder, name, O_RDONLY), openat(other, newName, O_WRONLY | O_CREAT, 0o600)
      )
      defer { for file in [old, new] { close(file) } }
      var status = stat()
      var byte: UInt8 = 0
      guard fstat(old, &status) == 0, read(old, &byte, 1) == 1, write(new, &byte, 1) == 1,
        fchmod(new, status.st_mode & 0o7777) == 0
      else { return EIO }
      var times = [status.st_mtim, status.st_mtim]
      guard futimens(new, &times) == 0 else { return EIO }
      return unlinkat(folder, name, 0) == 0 ? 0 : errno
    }
    let error = #expect(throws: StoreError.self) {
      try bench.writer(calls).rename([bench.rename("a", to: "c")])
    }
    let isRefusal = if case .notSupported? = error { true } else { false }
    #expect(isRefusal, "\(String(describing: error))")
    #expect(try bench.contents() == ["a": "1"])
  }

  @Test(arguments: Kind.allCases)
  func `A name that another program takes at the last moment is not overwritten`(
    _ kind: Kind
  ) throws {
    let root = try bench.root(kind.calls)
    try bench.write("1", "a")
    try bench.write("2", "b")
    #expect(try !root.move(Array("a".utf8), to: Array("b".utf8), in: root))
    #expect(try bench.contents() == ["a": "1", "b": "2"])
  }

  @Test func `A rename that fails half-way leaves one name`() throws {
    try bench.write("1", "a")
    var calls = Kind.links.calls
    let once = Once()
    calls.unlink = { directory, name in
      var isRefused = false
      once { isRefused = true }
      return isRefused ? EACCES : unlinkat(directory, name, 0) == 0 ? 0 : errno
    }
    let writer = try bench.writer(calls)
    let refused = bench.refusal { _ = try writer.rename([bench.rename("a", to: "b")]) }
    #expect(refused?.contains("do not allow writing") == true)
    #expect(refused?.hasSuffix("nothing was written") == true)
    #expect(try bench.contents() == ["a": "1"])
    #expect(try bench.read("a").status.links == 1)
  }

  @Test func `A rename without permission changes nothing`() async throws {
    for name in ["closed/a", "open/b"] { try bench.write("1", name) }
    let path = bench.folder.file("root")
    // An unprivileged user may not create hard links to other users' files.
    for name in ["/closed/a", "/closed", "/open"] where geteuid() == 0 {
      #expect(chown(path + name, 65_534, 65_534) == 0)
    }
    chmod(path + "/closed", 0o555)
    defer { chmod(path + "/closed", 0o755) }
    chmod(path + "/open", 0o777)
    let rename = try bench.rename("closed/a", to: "open/a")
    let writer = try bench.writer()
    let refused = Self.asNobody { bench.refusal { _ = try writer.rename([rename]) } }
    #expect(refused?.contains("do not allow writing") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/open") == ["b"])
    #expect(try bench.read("closed/a").status.links == 1)
  }

  /// Runs a closure with the file permissions of an unprivileged user if the tests run as root.
  private static func asNobody<Result>(_ body: () throws -> Result) rethrows -> Result {
    typealias Call = @convention(c) (uid_t) -> Int32
    // Affects only this thread; Swift does not import its header.
    let change = dlsym(nil, "setfsuid").map { unsafeBitCast($0, to: Call.self) }
    let user = change?(65_534)
    defer { if let user { _ = change?(uid_t(user)) } }
    return try body()
  }

  @Test func `A folder that cannot be read completely is not taken for a shorter one`() throws {
    for number in 0..<9 { try bench.write("x", "\(number)") }
    try bench.write("y", "below/file")
    for failing in 1...2 {
      var calls = FileCalls()
      let lists = Counter()
      let names = Counter()
      calls.nextName = { stream in
        let entry = readdir(stream)
        guard entry != nil else {
          _ = lists.next()
          return nil
        }
        // Fails among the names of the folder itself, or of the folder below it.
        if names.next() >= (failing == 1 ? 4 : 13) {
          errno = EIO
          return nil
        }
        return entry
      }
      let scan = FolderScan(root: try bench.root(calls), cache: .init(), flag: .init())
      #expect(throws: FileFailure(EIO)) { try scan.count(CountQuery()) }
      #expect(throws: FileFailure(EIO)) {
        try bench.writer(calls).delete(under: "", .init(), nil)
      }
    }
    let count = try FolderScan(root: bench.root(), cache: .init(), flag: .init()).count(.init())
    #expect(count.value == .integer(10))
  }

  @Test func `A change that may not survive a power loss is reported as made but in doubt`() throws
  {
    var calls = FileCalls()
    let count = Counter()
    calls.synchronize = { _ in count.next() % 2 == 0 ? 0 : EIO }
    let writer = try bench.writer(calls)
    _ = try writer.put(.text("1"), WriteRequest(.text("a"), .nothing))
    #expect(try bench.contents() == ["a": "1"])
    let error = #expect(throws: StoreError.self) { try writer.warnings.check() }
    let message = error?.message ?? ""
    #expect(message.hasPrefix("a was added, but flushing it to disk failed (Input/output error)"))
    #expect(message.hasSuffix("may not survive a power failure"))
    #expect(!message.contains("nothing was written"))
  }

  @Test func `A file whose contents cannot be written is not created`() throws {
    var calls = FileCalls()
    calls.synchronize = { _ in EIO }
    let writer = try bench.writer(calls)
    let refused = bench.refusal {
      _ = try writer.put(.text("1"), WriteRequest(.text("a"), .nothing))
    }
    #expect(
      refused?.hasSuffix("could not be written: Input/output error; nothing was written") == true)
    #expect(try bench.contents() == [:])
  }

  @Test func `A failing change in a batch reports how many were made`() throws {
    var calls = FileCalls()
    let count = Counter()
    // The third call is for the second file; the second call is for the folder.
    calls.synchronize = { _ in count.next() == 2 ? ENOSPC : 0 }
    let writer = try bench.writer(calls)
    let changes = ["a", "b"].map { EntryChange(.text($0), value: .text("1"), expecting: nil) }
    let refused = bench.refusal { _ = try writer.make(ChangesQuery(changes)) }
    #expect(refused?.hasSuffix("is full; one file was written before it") == true)
    #expect(try bench.contents() == ["a": "1"])
  }

  @Test func `All changes are counted if only their durability is in doubt`() throws {
    for name in ["a", "b"] { try bench.write("1", name) }
    let changes = try ["a", "b"].map { name in
      let fingerprint = try bench.read(name).entry(.text(name)).fingerprint
      return EntryChange(.text(name), value: nil, expecting: fingerprint)
    }
    var calls = FileCalls()
    calls.synchronize = { _ in EIO }
    let writer = try bench.writer(calls)
    let scan = Scan()
    _ = try writer.make(ChangesQuery(changes, scan: scan))
    #expect(scan.changed == 2)
    #expect(throws: StoreError.self) { try writer.warnings.check() }
    #expect(try bench.contents() == [:])
  }
}
