import Foundation
import Harmony
import Testing

/// Error messages of stores on disk, which name the file and the problem.
@Suite struct StoreErrorTests {
  private let suite = StorePlaces.suite()
  private let directory = StorePlaces.directory()
  private var defaults: DeviceStorageDataSource<Int> {
    DeviceStorageDataSource<Int>(StorePlaces.defaults(suite))
  }

  private func files(
    _ options: Data.WritingOptions = [],
    _ encoding: FileSystemStorageDataSource.FileNameEncoding = .readable
  ) -> FileSystemStorageDataSource {
    FileSystemStorageDataSource(
      fileManager: .default, directory: directory, writingOptions: options,
      fileNameEncoding: encoding)
  }

  /// Returns the error message of a call that must fail.
  private func failure<T: Sendable>(_ future: Future<T>) async -> String? {
    let error = await #expect(throws: (any Error).self) { try await future.get() }
    return error.map { "\($0)" }
  }

  private func makeDirectory(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  // MARK: Defaults

  @Test func `A lock of the defaults that cannot be opened is named`() async throws {
    let lock = StorePlaces.lock(suite)
    try makeDirectory(lock)
    #expect(
      await failure(defaults.put(1, forId: "a"))
        == "Could not open the lock \(lock): Is a directory")
  }

  @Test func `A property list that cannot be read is named`() async throws {
    let list = StorePlaces.list(suite)
    try makeDirectory(list)
    let sentence = "Could not read \(list): Is a directory"
    #expect(await failure(defaults.get("a")) == sentence)
    #expect(await failure(defaults.put(1, forId: "a")) == sentence)
  }

  @Test func `A file that is not a property list is named`() async throws {
    let list = StorePlaces.list(suite)
    try makeDirectory((list as NSString).deletingLastPathComponent)
    try Data("[".utf8).write(to: URL(fileURLWithPath: list))
    #expect(await failure(defaults.getKeys(AllObjectsQuery()))?.contains(list) == true)
  }

  @Test func `A suite whose name is a path is named`() async throws {
    let other = try #require(UserDefaults(suiteName: "../evil\n"))
    #expect(
      await failure(DeviceStorageDataSource<Int>(other).get("a"))
        == "The suite \"../evil\\n\" of the defaults is not a valid file name")
  }

  // MARK: Files

  @Test func `A directory that cannot be created or read is named`() async throws {
    try Data().write(to: directory)
    let path = directory.path
    #expect(
      await failure(files().put(Data(), forId: "key"))
        == "Could not create a file in \(path): Not a directory")
    #expect(
      await failure(files().getKeys(AllObjectsQuery()))
        == "Could not read the directory \(path): Not a directory")
    let below = FileSystemStorageDataSource(
      fileManager: .default, directory: directory.appendingPathComponent("below"))
    #expect(
      await failure(below.put(Data(), forId: "key"))
        == "Could not create the directory \(path)/below: Not a directory")
  }

  @Test func `A file that cannot be opened or written is named`() async throws {
    let loop = directory.path + "/loop.value"
    try makeDirectory(directory.path)
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    #expect(
      await failure(files().get("loop"))
        == "Could not open \(loop): Too many levels of symbolic links")
    let source = files(.withoutOverwriting)
    try await source.put(Data(), forId: "a").get()
    #expect(
      await failure(source.put(Data(), forId: "a"))
        == "Could not write \(directory.path)/a.value: File exists")
    try makeDirectory(directory.path + "/folder.value")
    #expect(
      await failure(files().put(Data(), forId: "folder"))
        == "Could not write \(directory.path)/folder.value: Is a directory")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        == ["a.value", "folder.value", "loop.value"])
  }

  @Test func `One damaged file fails reading all entries and is named`() async throws {
    let source = files()
    try await source.putAll([Data(), Data()], forId: "good").get()
    try await source.putAll([Data(), Data()], forId: "bad\n").get()
    let path = directory.path + "/bad%0A.value"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    let sentence = "The file \(path) is damaged"
    #expect(await failure(source.getAll(AllObjectsQuery())) == sentence)
    #expect(await failure(source.getAll("bad\n")) == sentence)
    #expect(await failure(source.get("bad\n")) == sentence)
    await #expect(throws: CoreError.DataSerialization.self) {
      try await source.getAll(AllObjectsQuery()).get()
    }
    #expect(try await source.getAll("good").get() == [Data(), Data()])
  }

  @Test func `A file that belongs to another key is named`() async throws {
    let source = files([], .custom { _ in "same" })
    try await source.put(Data(), forId: "a").get()
    #expect(
      await failure(source.put(Data(), forId: "b"))
        == "Another key has the file \(directory.path)/same")
  }
}
