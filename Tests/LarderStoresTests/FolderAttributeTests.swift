import Foundation
import Harmony
import LarderModel
import LarderFormats
import LarderJournal
import Testing

@testable import LarderStores

/// Metadata that a file keeps when it is replaced.
struct FolderAttributeTests {
  private static let mark = Array("user.mark".utf8)
  static let accessList = Array("system.posix_acl_access".utf8)
  private static let defaultList = Array("system.posix_acl_default".utf8)

  /// Returns an access list in the kernel's format: a version, then the tag, permissions and ID of
  /// each entry.
  static func list(user id: UInt32) -> [UInt8] {
    let entries: [(tag: UInt16, permissions: UInt16, id: UInt32)] = [
      (0x01, 6, .max), (0x02, 4, id), (0x04, 4, .max), (0x10, 4, .max), (0x20, 0, .max),
    ]
    return [2, 0, 0, 0]
      + entries.flatMap { entry in
        withUnsafeBytes(of: entry.tag.littleEndian, Array.init)
          + withUnsafeBytes(of: entry.permissions.littleEndian, Array.init)
          + withUnsafeBytes(of: entry.id.littleEndian, Array.init)
      }
  }

  private func attributes(_ folder: FolderDescriptor, _ name: String) throws -> FolderAttributes {
    FolderAttributes(file: try folder.open(Array(name.utf8), O_RDONLY))
  }

  /// Whether the file system of the tests supports an attribute.
  static func canHave(_ name: [UInt8], _ value: [UInt8]) -> Bool {
    guard let folder = try? TestFolder(), (try? folder.write([], to: "root/file")) != nil,
      let root = try? FolderDescriptor(root: folder.file("root")),
      let file = try? root.open(Array("file".utf8), O_RDONLY)
    else { return false }
    return (try? FolderAttributes(file: file).set(value, of: name)) != nil
  }

  static let hasMarks = canHave(mark, [1])
  static let hasLists = canHave(accessList, list(user: 1_000))

  @Test(.enabled(if: FolderAttributeTests.hasMarks))
  func `A write keeps attributes and access lists`()
    async throws
  {
    let folder = try TestFolder()
    let path = try folder.write([0x31], to: "root/file")
    chmod(path, 0o640)
    let root = try FolderDescriptor(root: folder.file("root"))
    let before = try attributes(root, "file")
    try before.set([1, 0, 2], of: Self.mark)
    try before.set([], of: Array("user.empty".utf8))
    if Self.hasLists { try before.set(Self.list(user: 1_000), of: Self.accessList) }
    let names = try before.names()
    let store = try await Stores.store(folder.file("root"))
    try await store.set(.text("2"), .text("file"))
    let after = try attributes(root, "file")
    #expect(try folder.bytes("root/file") == [0x32])
    #expect(try Set(after.names()) == Set(names))
    #expect(try after.value(of: Self.mark) == [1, 0, 2])
    if Self.hasLists {
      #expect(try after.value(of: Self.accessList) == Self.list(user: 1_000))
    }
    #expect(after.file.status?.mode == before.file.status?.mode)
  }

  @Test(.enabled(if: FolderAttributeTests.hasLists))
  func `A write adds no access list from the folder`()
    async throws
  {
    let folder = try TestFolder()
    let path = try folder.write([0x31], to: "root/file")
    chmod(path, 0o640)
    let root = try FolderDescriptor(root: folder.file("root"))
    let list = Self.list(user: 1_000)
    try FolderAttributes(file: root).set(list, of: Self.defaultList)
    let store = try await Stores.store(folder.file("root"))
    try await store.set(.text("2"), .text("file"))
    let file = try attributes(root, "file")
    #expect(try !file.names().contains(Self.accessList))
    #expect(file.file.status.map { $0.mode & 0o777 } == 0o640)
    try await store.set(.text("x"), .text("new"))
    #expect(try attributes(root, "new").names().contains(Self.accessList))
  }

  @Test func `A restored file is not accessible to other users`() async throws {
    let folder = try TestFolder()
    let path = try folder.write([0x31], to: "root/secret")
    chmod(path, 0o600)
    let journal = Journal(path: folder.file("state/journal.db"))
    let location = StoreLocation(path: folder.file("root"))
    let store = try await Stores.open(location, journal: journal).store(nil)
    try await store.source.delete(EntryQuery(.text("secret"))).get()
    #expect(try await store.keys() == [])
    try await store.replay(ReplayRequest())
    #expect(try folder.bytes("root/secret") == [0x31])
    let root = try FolderDescriptor(root: folder.file("root"))
    let file = try attributes(root, "secret").file
    #expect(file.status.map { $0.mode & 0o777 } == 0o600)
  }

  @Test func `A new file has the default mode of the process and folder`() async throws {
    let folder = try TestFolder()
    let root = try FolderDescriptor(root: folder.path)
    let others = try root.open(Array("others".utf8), O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
    let mode = try #require(others.status).mode
    let journal = Journal(path: folder.file("state/journal.db"))
    let store = try await Stores.open(StoreLocation(path: folder.path), journal: journal).store(nil)
    try await store.set(.text("x"), .text("new"))
    #expect(try attributes(root, "new").file.status?.mode == mode)
    try await store.replay(ReplayRequest())
    try await store.replay(ReplayRequest(isRedo: true))
    #expect(try attributes(root, "new").file.status?.mode == mode)
    try await store.set(.text("y"), .text("new"))
    #expect(try attributes(root, "new").file.status?.mode == mode)
  }

  @Test(arguments: [0o644, 0o755, 0o400])
  func `A file restored by undo or import has its old mode`(
    mode: Int
  ) async throws {
    let folder = try TestFolder()
    let path = try folder.write([0x31], to: "root/script")
    chmod(path, mode_t(mode))
    let journal = Journal(path: folder.file("state/journal.db"))
    let location = StoreLocation(path: folder.file("root"))
    let store = try await Stores.open(location, journal: journal).store(nil)
    func modeOnDisk() throws -> Int? {
      let file = try attributes(try FolderDescriptor(root: folder.file("root")), "script").file
      return file.status.map { Int($0.mode & 0o7777) }
    }
    let exported = try await store.source.get(EntryQuery(.text("script"))).get()
    try await store.source.delete(PrefixQuery("")).get()
    try await store.replay(ReplayRequest())
    #expect(try modeOnDisk() == mode)
    try await store.source.delete(EntryQuery(.text("script"))).get()
    let value = try #require(exported.value)
    let line = EntryLine(key: exported.key, value: value, form: exported.form)
    let read = try EntryLine(line.text().utf8)
    let change = EntryChange(read.key, value: read.value, expecting: nil, form: read.form)
    _ = try await store.source.putAll([], in: ChangesQuery([change])).get()
    #expect(try modeOnDisk() == mode)
  }

  @Test func `An imported mode cannot set the set-user-ID bits`() async throws {
    let folder = try TestFolder()
    _ = try folder.write([0x31], to: "root/other")
    let store = try await Stores.store(folder.file("root"))
    let entry = Entry(key: .text("new"), value: .text("x"), form: "mode 6705")
    _ = try await store.source.put(entry, in: EntryQuery(.text("new"))).get()
    let file = try attributes(try FolderDescriptor(root: folder.file("root")), "new").file
    #expect(file.status.map { Int($0.mode & 0o7777) } == 0o705)
  }

  @Test(arguments: ["mode 660", "mode 660 group 54321", "mode 60 group 54321"])
  func `A mode gives no permissions to another group, and larder can read the file again`(
    form: String
  ) async throws {
    let folder = try TestFolder()
    _ = try folder.write([0x31], to: "root/other")
    let store = try await Stores.store(folder.file("root"))
    let entry = Entry(key: .text("new"), value: .text("x"), form: form)
    _ = try await store.source.put(entry, in: EntryQuery(.text("new"))).get()
    let root = try FolderDescriptor(root: folder.file("root"))
    let status = try #require(try attributes(root, "new").file.status)
    // Only root can give a file to a group it is not in.
    let group = status.group == 54_321 ? 0o060 : 0
    // Root can read any file.
    let owner = form.hasPrefix("mode 660") ? 0o600 : geteuid() == 0 ? 0 : 0o400
    #expect(Int(status.mode & 0o777) == owner | group)
  }

  @Test(.enabled(if: FolderAttributeTests.hasMarks))
  func `Attributes that cannot be kept are reported`() throws {
    let folder = try TestFolder()
    _ = try folder.write([0x31], to: "root/file")
    #expect(mkfifo(folder.file("root/pipe"), 0o600) == 0)
    let root = try FolderDescriptor(root: folder.file("root"))
    let file = try attributes(root, "file")
    try file.set([1], of: Self.mark)
    // A pipe cannot have user attributes.
    let pipe = try attributes(root, "pipe")
    #expect {
      try pipe.replace(with: file, of: .text("file"))
    } throws: { error in
      let message = StoreError(error).message
      return message.contains("user.mark of file would be lost")
        && message.hasSuffix("nothing was written")
    }
  }
}
