import Foundation
import Harmony
import Testing

/// Files that do not exist, and files that are merely inaccessible.
@Suite struct FileAbsenceTests {
  private let directory = StorePlaces.directory()
  private static let encodings: [FileSystemStorageDataSource.FileNameEncoding] = [
    .readable, .none, .sha256, .md5, .custom { $0 },
  ]

  private func files(
    _ encoding: FileSystemStorageDataSource.FileNameEncoding = .readable,
    _ options: Data.WritingOptions = []
  ) -> FileSystemStorageDataSource {
    FileSystemStorageDataSource(
      fileManager: .default, directory: directory, writingOptions: options,
      fileNameEncoding: encoding)
  }

  /// Checks that all calls fail instead of reporting that an entry does not exist.
  private func expectFailures(_ source: FileSystemStorageDataSource) async {
    let futures = [
      source.get("a").map { _ in }, source.getAll("a").map { _ in },
      source.getAll(IdsQuery(["a"])).map { _ in }, source.getAll(AllObjectsQuery()).map { _ in },
      source.getKeys(AllObjectsQuery()).map { _ in }, source.put(Data(), forId: "a").map { _ in },
      source.delete("a"), source.delete(IdsQuery(["a"])), source.delete(KeyPrefixQuery("a")),
      source.delete(AllObjectsQuery()),
    ]
    for (number, future) in futures.enumerated() {
      await #expect(throws: CoreError.Failed.self, "call \(number)") { try await future.get() }
    }
  }

  @Test(arguments: 0..<5)
  func `A file in place of the directory fails every call`(encoding: Int) async throws {
    try Data().write(to: directory)
    await expectFailures(files(Self.encodings[encoding]))
  }

  @Test(arguments: 0..<5)
  func `An unreachable directory fails every call`(encoding: Int) async throws {
    try FileManager.default.createSymbolicLink(
      atPath: directory.path, withDestinationPath: directory.path)
    await expectFailures(files(Self.encodings[encoding]))
  }

  @Test(.enabled(if: geteuid() != 0, "root may enter everything"), arguments: 0..<5, [0, 0o400])
  func `An inaccessible directory fails every call`(
    encoding: Int, mode: mode_t
  ) async throws {
    let source = files(Self.encodings[encoding])
    try await source.put(Data([1]), forId: "a").get()
    chmod(directory.path, mode)
    defer { chmod(directory.path, 0o700) }
    await expectFailures(source)
    chmod(directory.path, 0o700)
    #expect(try await source.get("a").get() == Data([1]))
  }

  @Test func `A circular link in place of an entry fails calls for that entry`() async throws {
    let source = files()
    try await source.put(Data([1]), forId: "a").get()
    let loop = directory.path + "/loop.value"
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    let sentence = "Could not look at \(loop): Too many levels of symbolic links"
    for future in [source.delete("loop"), source.getKeys(AllObjectsQuery()).map { _ in }] {
      let error = await #expect(throws: CoreError.Failed.self) { try await future.get() }
      #expect(error?.description == sentence)
    }
    let other = directory.path + "/not ours"
    try FileManager.default.moveItem(atPath: loop, toPath: other)
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["a"])
  }

  @Test func `A directory in place of a file is not an entry`() async throws {
    let source = files()
    let path = directory.path + "/a.value"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    await #expect(throws: CoreError.NotFound.self) { try await source.get("a").get() }
    try await source.delete("a").get()
    try await source.delete(AllObjectsQuery()).get()
    #expect(try await source.getKeys(AllObjectsQuery()).get() == [])
    await #expect(throws: CoreError.Failed.self) { try await source.put(Data(), forId: "a").get() }
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `If overwriting is not allowed, an existing entry prevents a write of several`()
    async throws
  {
    let source = files(.readable, .withoutOverwriting)
    try await source.put(Data([1]), forId: "a").get()
    let two = [Data([2]), Data([3])]
    let error = await #expect(throws: CoreError.Failed.self) {
      try await source.putAll(two, in: IdsQuery(["q", "a"])).get()
    }
    #expect(error?.description == "Could not write \(directory.path)/a.value: File exists")
    await #expect(throws: CoreError.Failed.self) {
      try await source.putAll(two, in: IdsQuery(["q", "q"])).get()
    }
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["a"])
    #expect(try await source.get("a").get() == Data([1]))
    try await source.putAll(two, in: IdsQuery(["q", "r"])).get()
    #expect(try await source.getAll(IdsQuery(["q", "r"])).get() == two)
  }
}
