import Foundation
import Harmony
import LarderModel
import Synchronization
import Testing

@testable import LarderStoreBase
@testable import LarderStores

/// A folder whose file system can fail or be changed by other programs during a test.
struct FolderBench {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("root"), withIntermediateDirectories: true)
  }

  func root(_ calls: FileCalls = .system) throws -> FolderDescriptor {
    try FolderDescriptor(root: folder.file("root"), calls: calls)
  }

  func writer(_ calls: FileCalls = .system) throws -> FolderWriter {
    FolderWriter(try root(calls), FolderLeftovers(), path: folder.file("root"))
  }

  func read(_ name: String) throws -> FolderReader.File {
    try #require(try FolderReader(root: try root()).read(.text(name)))
  }

  func rename(_ name: String, to newName: String) throws -> RenameQuery {
    let key = EntryKey.text(name)
    let fingerprint = try #require(try read(name).entry(key).fingerprint)
    return RenameQuery(key, to: .text(newName), expecting: fingerprint)
  }

  @discardableResult
  func write(_ text: String, _ name: String) throws -> String {
    try folder.write(Array(text.utf8), to: "root/" + name)
  }

  /// Returns the contents of all files by name, including temporary files.
  func contents() throws -> [String: String] {
    var contents: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.file("root")) {
      contents[name] = String(decoding: try folder.bytes("root/" + name), as: UTF8.self)
    }
    return contents
  }

  /// Returns the message of the error that some work throws, or nil if it succeeds.
  func refusal(_ work: () throws -> Void) -> String? {
    do {
      try work()
      return nil
    } catch {
      return FileMessages(folder.file("root"), isFolder: true).storeError(error, .writing).message
    }
  }
}

/// A concurrent change to a file by another program.
enum Intrusion: CaseIterable {
  /// Replaces the file with a new one.
  case replacing
  /// Overwrites the start of the file in place.
  case writing

  func write(_ text: String, to path: String) {
    switch self {
    case .replacing:
      try? Data(text.utf8).write(to: URL(filePath: path + ".new"))
      Foundation.rename(path + ".new", path)
    case .writing:
      guard let file = fopen(path, "r+") else { return }
      fputs(text, file)
      fclose(file)
    }
  }
}

/// An action that runs only the first time.
final class Once: Sendable {
  private let isDone = Atomic(false)

  func callAsFunction(_ body: () -> Void) {
    if !isDone.exchange(true, ordering: .relaxed) { body() }
  }
}
