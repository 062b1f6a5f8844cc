import Foundation
import Harmony
import LarderModel
import Testing

@testable import LarderStoreBase
@testable import LarderStores

/// Tests of the store kind that the documentation has as its example.
@Suite struct ExampleKindTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "kind-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  @Test func `The example is recognized, opened, listed and searched`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try #require(try await AssignmentsKind.makeSample(in: folder.path))
    try "PORT=8080\nHOST=localhost\n\n# More.\nEMPTY=\n".write(
      toFile: path, atomically: true, encoding: .utf8)
    let probe = try StoreProbe(StoreLocation(path: path))
    let evidence = try #require(AssignmentsKind.recognize(probe))
    let store = try await AssignmentsKind.open(probe, evidence: evidence, options: OpenOptions())
      .store(nil)
    let page = try await store.source.getAll(EntryPageQuery(detail: .values)).get()
    #expect(page.map(\.key) == [.text("EMPTY"), .text("HOST"), .text("PORT")])
    #expect(page.map(\.value) == [.text(""), .text("localhost"), .text("8080")])
    await #expect(throws: StoreError.self) {
      try await store.source.put(
        Entry(key: .text("PORT"), value: .text("1")),
        in: ReplaceQuery(.text("PORT"), expecting: nil)
      ).get()
    }
  }

  @Test func `An error names the line`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path + "/a.env"
    try "A=1\nnothing\n".write(toFile: path, atomically: true, encoding: .utf8)
    let probe = try StoreProbe(StoreLocation(path: path))
    await #expect(throws: StoreError.corrupt("\(path) has no assignment on line 2")) {
      _ = try await AssignmentsKind.open(probe, evidence: "", options: OpenOptions())
    }
  }

  @Test func `The example in the documentation is the compiled code`() throws {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let code = try String(
      contentsOf: here.appending(path: "AssignmentsKind.swift"), encoding: .utf8)
    let page = here.appending(
      path: "../../../Sources/LarderUI/LarderUI.docc/AddAStoreKind.md")
    let text = try String(contentsOf: page.standardized, encoding: .utf8)
    let start = try #require(code.range(of: "/// Files of assignments")?.lowerBound)
    #expect(text.contains("```swift\n\(code[start...])```"))
  }
}
