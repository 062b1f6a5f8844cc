import Foundation
import Harmony
import LarderModel
import LarderStores
import TestKinds
import Testing

@testable import larder

/// Every command on every kind of store, in a process that knows the kinds of the tests.
struct EveryKindCommandTests {
  /// The commands that are not about a store.
  private static let others: Set = [
    "demo", "kinds", "themes", "keys", "settings", "schema", "completions", "man", "help",
  ]

  @Test(arguments: TestedKind.all.map(\.description))
  func `Every command works`(_ name: String) async {
    await #expect(processExitsWith: .success) { [name] in
      let kind = try #require(TestedKind.all.first { $0.description == name })
      let bench = try await CommandBench(kind)
      try await bench.runAll()
      #expect(bench.used.union(Self.others) == Set(Subcommand.all.map(\.name)))
    }
  }
}

/// Runs commands in this process and captures their output.
private final class CommandBench {
  private let folder: String
  private let kind: TestedKind
  private let store: String
  private let output: FileHandle
  /// Receives the output of `watch`, which may go on until the process ends.
  private let pipe = Pipe()
  /// The names of the commands that were run.
  private(set) var used: Set<String> = []

  init(_ kind: TestedKind) async throws {
    self.kind = kind
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    signal(SIGPIPE, SIG_IGN)
    for name in ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME"] { setenv(name, folder, 1) }
    store = try await kind.make(
      in: folder, ["a:1": "one", "a:2": "two", "b": "three"])
    let path = folder + "/output"
    try Data().write(to: URL(filePath: path))
    output = try FileHandle(forUpdating: URL(filePath: path))
    dup2(output.fileDescriptor, STDOUT_FILENO)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Runs a command, and returns the lines of its output.
  @discardableResult
  private func run(
    _ words: String..., at place: SourceLocation = #_sourceLocation
  ) async throws -> [String] {
    used.insert(words[0])
    let start = try output.seekToEnd()
    let code = try await Larder.run(words)
    #expect(code == .done, "\(kind): \(words)", sourceLocation: place)
    try output.seek(toOffset: start)
    let text = String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }

  private func expect(
    _ keys: [String], at place: SourceLocation = #_sourceLocation
  ) async throws {
    let listed = try await run("ls", store, at: place)
    #expect(listed == keys, "\(kind)", sourceLocation: place)
  }

  func runAll() async throws {
    try await expect(["a:1", "a:2", "b"])
    #expect(try await run("get", store, "a:1") == ["one"])
    try await run("put", store, "c", "four")
    #expect(try await run("get", store, "c") == ["four"])
    try await run("mv", store, "c", "d")
    try await expect(["a:1", "a:2", "b", "d"])
    try await run("mv", store, "a:", "e:", "--prefix", "--yes")
    try await expect(["b", "d", "e:1", "e:2"])
    try await run("rm", store, "d")
    try await run("rm", store, "--prefix", "e:", "--yes")
    try await expect(["b"])
    for _ in 0..<3 { try await run("undo", store) }
    try await expect(["a:1", "a:2", "b", "d"])
    try await run("redo", store)
    try await expect(["b", "d", "e:1", "e:2"])
    try await run("undo", store)
    #expect(try await run("log", store).count == 5)

    let copy = try await kind.make(in: folder, named: "copy", [:])
    try await run("cp", store, copy)
    #expect(try await run("diff", store, copy) == [])
    let exported = try await run("export", store)
    #expect(exported.count == 4)
    let file = folder + "/export.jsonl"
    try Data(exported.joined(separator: "\n").utf8).write(to: URL(filePath: file))
    let third = try await kind.make(in: folder, named: "third", [:])
    try await run("import", third, file)
    #expect(try await run("ls", third) == ["a:1", "a:2", "b", "d"])

    let opened = try await Stores.open(StoreLocation(path: store)).store(nil)
    if opened.capabilities.contains(.expiry) {
      try await run("touch", store, "a:1", "--at", "2030-01-01T00:00:00Z")
      let entry = try await opened.source.entry(.text("a:1"))
      #expect(entry?.expires == Date(timeIntervalSince1970: 1_893_456_000))
    } else {
      await #expect(throws: (any Error).self) {
        try await run("touch", store, "a:1", "--at", "2030-01-01T00:00:00Z")
      }
    }
    #expect(try await run("info", store, "--json").joined().contains("\"\(kind)\""))
    #expect(try await run("stats", store).isEmpty == false)
    #expect(try await run("doctor", store).isEmpty == false)
    #expect(try await run("screen", store).joined().contains("a:1"))
    try await watch(opened)
  }

  /// Runs `watch` until it reports a change by another program.
  private func watch(_ store: Store) async throws {
    used.insert("watch")
    dup2(pipe.fileHandleForWriting.fileDescriptor, STDOUT_FILENO)
    let path = self.store
    let watch = Task { try await Larder.run(["watch", path]) }
    var reports = pollfd(
      fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    var number = 0
    // It may not be watching yet.
    repeat {
      number += 1
      try await store.source.put(
        Entry(key: .text("b"), value: .text("\(number)")), in: EntryQuery(.text("b"))
      ).get()
    } while poll(&reports, 1, 50) == 0
    watch.cancel()
  }
}
