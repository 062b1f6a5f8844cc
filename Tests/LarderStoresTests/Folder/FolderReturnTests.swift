import LarderJournal
import LarderFiles
import Foundation
import Harmony
import LarderModel
import Testing

@testable import LarderStores

/// Metadata of deleted files, which undo restores; files for which it could not are not deleted.
struct FolderReturnTests {
  private let bench: JournalBench
  private let path: String

  init() throws {
    bench = try JournalBench()
    path = try bench.folder.write([0x31], to: "root/file")
  }

  private static let key = EntryKey.text("file")
  private static let mark = Array("user.a mark".utf8)

  private func open() async throws -> Store { try await bench.open(bench.folder.file("root")) }

  private var file: FolderDescriptor {
    get throws {
      try FolderDescriptor(root: bench.folder.file("root")).open(Array("file".utf8), O_RDONLY)
    }
  }

  private var status: FileStatus { get throws { try #require(try file.status) } }

  /// Sets the modification time of the file to an hour before 2001.
  private func age() {
    let times = [
      timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: 978_303_600, tv_nsec: 123_456_789),
    ]
    #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
  }

  @Test func `A deleted file is restored with its time, owner and attributes`()
    async throws
  {
    chmod(path, 0o640)
    // Only root can change the owner of files.
    if geteuid() == 0 { #expect(chown(path, 54_321, 54_321) == 0) }
    let attributes = FolderAttributes(file: try file)
    // Not every file system supports them.
    var names: [[UInt8]] = []
    for (name, value) in [
      (Self.mark, [0, 1, 0xFF]),
      (FolderAttributeTests.accessList, FolderAttributeTests.list(user: 1_000)),
    ] {
      do throws(FileFailure) {
        try attributes.set(value, of: name)
        names.append(name)
      } catch {
        #expect(error.number == ENOTSUP)
      }
    }
    age()
    let before = try status
    let store = try await open()
    for isPrefix in [false, true] {
      if isPrefix {
        try await store.source.delete(PrefixQuery("f")).get()
      } else {
        try await store.source.delete(EntryQuery(Self.key)).get()
      }
      #expect(!FileManager.default.fileExists(atPath: path))
      try await bench.undo(store)
      let after = try status
      #expect(after.contentTime.seconds == before.contentTime.seconds)
      #expect(after.contentTime.nanoseconds == before.contentTime.nanoseconds)
      #expect(after.owner == before.owner)
      #expect(after.group == before.group)
      #expect(after.mode == before.mode)
      for name in names {
        let value = try FolderAttributes(file: file).value(of: name)
        #expect(
          value == (name == Self.mark ? [0, 1, 0xFF] : FolderAttributeTests.list(user: 1_000)))
      }
    }
  }

  /// Modes with which this process can still read the file.
  fileprivate static let modes: [Int] =
    [0o1644, 0o444] + (geteuid() == 0 ? [0o200, 0, 0o060] : [])

  @Test(arguments: FolderReturnTests.modes)
  func `A deleted file is restored with every bit of its mode`(_ mode: Int) async throws {
    #expect(chmod(path, mode_t(mode)) == 0)
    let before = try status.mode
    #expect(Int(before & 0o7777) == mode)
    let store = try await open()
    try await store.source.delete(EntryQuery(Self.key)).get()
    try await bench.undo(store)
    #expect(try status.mode == before)
  }

  /// Whether the file system of the tests supports flags.
  fileprivate static let hasFlags: Bool = {
    guard let bench = try? FolderBench(), (try? bench.write("1", "file")) != nil,
      let root = try? bench.root(), let file = try? root.open(Array("file".utf8), O_RDONLY)
    else { return false }
    return FileFlags(text: "dA")?.set(of: file) == [] && FileFlags(of: file)?.text == "dA"
  }()

  @Test(.enabled(if: FolderReturnTests.hasFlags))
  func `A file keeps its flags when written and is restored with them`() async throws {
    #expect(FileFlags(text: "dA")?.set(of: try file) == [])
    let store = try await open()
    try await bench.put(store, Self.key, .text("2"))
    #expect(try FileFlags(of: file)?.text == "dA")
    try await store.source.delete(EntryQuery(Self.key)).get()
    try await bench.undo(store)
    #expect(try FileFlags(of: file)?.text == "dA")
    #expect(try await store.value(Self.key) == .text("2"))
  }

  @Test func `Undo restores the modification time of an old value`() async throws {
    age()
    let before = try status
    let store = try await open()
    try await bench.put(store, Self.key, .text("2"))
    #expect(try status.contentTime.seconds > before.contentTime.seconds)
    try await bench.undo(store)
    #expect(try status.contentTime.seconds == before.contentTime.seconds)
    #expect(try await store.value(Self.key) == .text("1"))
  }

  /// A property of a file that undo could not restore.
  enum Peculiarity: CaseIterable {
    case names, rights
  }

  @Test(arguments: Peculiarity.allCases)
  func `A file that could not be restored exactly is deleted only without a journal`(
    _ peculiarity: Peculiarity
  ) async throws {
    switch peculiarity {
    case .names:
      #expect(link(path, bench.folder.file("root/other")) == 0)
    case .rights: #expect(chmod(path, 0o4755) == 0)
    }
    let inode = try status.identity.inode
    let store = try await open()
    let fingerprint = try await store.source.get(EntryQuery(Self.key)).get().fingerprint
    let change = EntryChange(Self.key, value: nil, expecting: fingerprint)
    for number in 0..<3 {
      let error = await #expect(throws: StoreError.self) {
        switch number {
        case 0: try await store.source.delete(EntryQuery(Self.key)).get()
        case 1: try await store.source.delete(PrefixQuery("")).get()
        default: _ = try await store.source.putAll([], in: ChangesQuery([change])).get()
        }
      }
      let message = error?.message ?? ""
      #expect(message.hasPrefix("undo could not restore file exactly: it "))
      #expect(message.contains("nothing was deleted"))
    }
    #expect(try status.identity.inode == inode)
    #expect(try await bench.journal.steps().isEmpty)
    let plain = try await Stores.store(bench.folder.file("root"))
    try await plain.source.delete(EntryQuery(Self.key)).get()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `Forms of earlier journals and exports are read, ignoring unknown parts`()
    throws
  {
    #expect(FileForm(text: "mode 644") == FileForm(bits: 0o644, group: nil))
    #expect(FileForm(text: "mode 644 group 33") == FileForm(bits: 0o644, group: 33))
    #expect(FileForm(text: "mode 644 color blue group 33") == FileForm(bits: 0o644, group: 33))
    #expect(FileForm(text: "long") == nil)
    for time in ["1", "1.5", "x.123456789", "1.-23456789"] {
      #expect(FileForm(text: "mode 644 modified \(time)") == FileForm(bits: 0o644, group: nil))
    }
  }

  @Test func `A form is read back as it was written`() throws {
    let names = ["user.plain", "user.a b%=é", "system.posix_acl_access"]
    let form = FileForm(
      bits: 0o1051, group: 0, owner: 7, modified: .init(seconds: -3, nanoseconds: 45),
      flags: FileFlags(text: "dA"),
      attributes: names.map { .init(name: Array($0.utf8), value: [0, 0xFF, 0x20]) }
        + [.init(name: Array("user.".utf8) + [0xFF, 0x01], value: [])])
    #expect(FileForm(text: form.text) == form)
  }

  @Test func `An import sets only user attributes and access lists`() throws {
    for name in ["security.capability", "trusted.mark", "system.other"] {
      #expect(FileForm(text: "mode 755 attribute \(name)=AQI=")?.attributes.isEmpty == true)
    }
  }
}
