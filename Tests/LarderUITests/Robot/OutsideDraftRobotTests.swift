import Foundation
import Harmony
import LarderBrowser
import Synchronization
import Testing

/// Drafts of text in the user's external editor when larder ends.
@Suite @MainActor struct OutsideDraftRobotTests {
  private let folder: TestFolder
  private let drafts = InMemoryDataSource<Draft>()

  init() async throws {
    folder = try await .sample()
  }

  private func browser(_ session: String, _ editor: ExternalEditorService) async throws -> Robot {
    let keeper = DraftStorage(
      session: session, source: AnyDataSource(drafts), isRunning: { $0 == session })
    return try await Robot(
      ["app.db#settings"], stores: .sqlite(folder), drafts: keeper, editor: editor
    ).settle()
  }

  private func kept() async throws -> [Draft] {
    try await drafts.getAll(AllObjectsQuery()).get()
  }

  /// The leftovers of an external editor from an earlier run, and a record of the files removed.
  private final class Files: Sendable {
    let rest: EditorLeftovers
    let discarded = Mutex<[String]>([])

    init(_ rest: EditorLeftovers) { self.rest = rest }

    var editor: ExternalEditorService {
      ExternalEditorService(
        edit: { _, _ in ExternalEditOutcome(problem: "not now") }, left: { _ in self.rest },
        discard: { path, text in self.discarded.withLock { $0.append("\(path): \(text)") } })
    }
  }

  /// Leaves the draft of a text that an external editor had open when its run ended.
  private func leave(typing text: String = "") async throws {
    let found = Mutex<[Draft]>([])
    let drafts = drafts
    let editor = ExternalEditorService { _, step in
      step(.given(path: "/tmp/larder-x/bob.txt"))
      let kept = try? await drafts.getAll(AllObjectsQuery()).get()
      found.withLock { $0 = kept ?? [] }
      return ExternalEditOutcome(problem: "ended")
    }
    let first = try await browser("1", editor)
    await first.press(text.isEmpty ? "<Down>E" : "<Down>e\(text)<Ctrl-X>").settle()
    let draft = try #require(found.withLock { $0 }.first)
    #expect(draft.outside == .init(path: "/tmp/larder-x/bob.txt", isTyped: !text.isEmpty))
    // Restores the draft as of the end of the run; later ones are deleted.
    for id in try await kept().map(\.id) { try await drafts.delete(id).get() }
    try await drafts.put(draft, forId: draft.id).get()
  }

  @Test func `Edited text is stored before its file is removed, and forgotten once written`()
    async throws
  {
    let found = Mutex<[Draft]>([])
    let drafts = drafts
    let editor = ExternalEditorService { _, step in
      step(.given(path: "/tmp/larder-x/bob.txt"))
      step(.taken("likes cake\n"))
      let kept = try? await drafts.getAll(AllObjectsQuery()).get()
      found.withLock { $0 = kept ?? [] }
      return ExternalEditOutcome(text: "likes cake\n")
    }
    let browser = try await browser("1", editor)
    await browser.press("<Down>E").settle().expect("saved bob")
    let draft = try #require(found.withLock { $0 }.first)
    #expect(draft.text == "likes cake" && draft.outside == nil)
    #expect(try await kept() == [])
  }

  @Test func `Text saved in the editor is offered, and its file removed once stored`()
    async throws
  {
    try await leave()
    let files = Files(.text("likes cake\n", isAll: true))
    let second = try await browser("2", files.editor)
    second.expect("unsaved text for bob").expect("Ctrl-E restores it")
    #expect(files.discarded.withLock { $0 } == [])
    await second.press("<Ctrl-E>").settle().expect("Edit bob (text)").expect("likes cake")
    #expect(files.discarded.withLock { $0 } == ["/tmp/larder-x/bob.txt: likes cake\n"])
    #expect(try await kept().map(\.outside) == [nil])
    await second.press("<Ctrl-S>").settle().expect("saved bob")
    #expect(try await kept() == [])
  }

  @Test func `An unchanged file is removed with its draft`() async throws {
    try await leave()
    let files = Files(.text("likes tea\n", isAll: true))
    try await browser("2", files.editor).expectNot("from an earlier session")
    #expect(files.discarded.withLock { $0 } == ["/tmp/larder-x/bob.txt: likes tea\n"])
    #expect(try await kept() == [])
  }

  @Test func `A missing file leaves the text typed before`() async throws {
    try await leave(typing: " and cake")
    let second = try await browser("2", Files(.gone).editor)
    await second.press("<Ctrl-E>").settle().expect("likes tea and cake")
  }

  @Test func `A missing file without typed text is forgotten`() async throws {
    try await leave()
    try await browser("2", Files(.gone).editor).expectNot("from an earlier session")
    #expect(try await kept() == [])
  }

  @Test(arguments: [EditorLeftovers.unreadable, .text("likes tea", isAll: false)])
  func `With further files the folder is named and nothing is removed`(
    rest: EditorLeftovers
  ) async throws {
    try await leave()
    let files = Files(rest)
    let second = try await browser("2", files.editor)
    second.expect("your editor's text for bob is in")
    await second.press("<Ctrl-E>").settle().expect("likes tea").expect("/tmp/larder-x")
    await second.press("<Esc><Esc>").settle()
    #expect(files.discarded.withLock { $0 } == [])
  }

  @Test func `The next run also names the leftovers of a failed editor`() async throws {
    let editor = ExternalEditorService { _, step in
      step(.given(path: "/tmp/larder-x/bob.txt"))
      return ExternalEditOutcome(problem: "it crashed", isLeft: true)
    }
    let first = try await browser("1", editor)
    await first.press("<Down>E").settle().expect("it crashed").expectNot("Edit bob")
    #expect(try await kept().map(\.outside?.path) == ["/tmp/larder-x/bob.txt"])
    let second = try await browser("2", Files(.text("likes tea", isAll: false)).editor)
    second.expect("your editor's text for bob is in")
  }

  @Test func `A draft with a file is restored unchanged`() async throws {
    try await leave()
    let draft = try #require(try await kept().first)
    let again = try JSONDecoder().decode(Draft.self, from: JSONEncoder().encode(draft))
    #expect(again.outside == draft.outside)
  }
}
