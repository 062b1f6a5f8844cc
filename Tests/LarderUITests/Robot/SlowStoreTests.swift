import LarderBrowser
import LarderModel
import Foundation
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Slow stores, whose replies arrive when the test releases them.
@Suite @MainActor struct SlowStoreTests {
  private let source = HeldSource([
    "alice": "one", "bob": "two", "carol": "three", "dave": "four",
  ])

  private func browser() async throws -> Robot {
    try await Robot(["slow"], stores: .held(source), size: Size(width: 60, height: 8)).settle()
  }

  @Test func `The first screen is drawn before the first page arrives`() async throws {
    source.hold()
    let browser = try Robot(["slow"], stores: .held(source))
    await source.waits(for: 1)
    await browser.draw().expect("Reading…")
    source.release()
    await browser.settle().expect("alice").expectNot("Reading…")
  }

  @Test func `The previous value stays until the selected one is read, unless that takes long`()
    async throws
  {
    let browser = try await browser()
    source.hold()
    browser.press("<Down>")
    await source.waits(for: 1)
    await browser.draw().expect(selected: .text("bob"))
    #expect(browser.valueText.contains("one"))
    browser.clock.advance(by: .seconds(1))
    await browser.draw()
    #expect(!browser.valueText.contains("one"))
    source.release()
    await browser.settle()
    #expect(browser.valueText.contains("two"))
    source.hold()
    browser.press("<Up>")
    await source.waits(for: 1)
    await browser.draw()
    #expect(browser.valueText.contains("two"))
    source.release()
    await browser.settle()
    #expect(browser.valueText.contains("one"))
  }

  @Test func keysTypedAheadOfAValueWaitForIt() async throws {
    let browser = try await browser()
    source.hold()
    browser.press("<Down>e!<Enter>")
    await source.waits(for: 1)
    #expect(browser.state.overlay == nil, "nothing is edited before it is read")
    source.release()
    await browser.settle().expect("saved bob")
    #expect(source.value("bob") == .text("two!"))
    #expect(source.value("alice") == .text("one"))
  }

  @Test func `The next keystroke cancels the count of a prefix`() async throws {
    let browser = try await browser()
    source.hold()
    browser.press("Da")
    await source.waits(for: 1)
    browser.press("l")
    await source.isCancelled(1)
    await source.waits(for: 1)
    #expect(source.waitingCount == 1)
    source.release()
    await browser.settle().expect("Enter asks to delete")
  }

  @Test func `Keys typed ahead of a filter apply to its results`() async throws {
    let browser = try await browser()
    source.hold()
    browser.press("/dave<Enter>dy")
    await source.waits(for: 1)
    #expect(browser.state.overlay == nil)
    source.release()
    await browser.settle().expect("deleted dave")
    #expect(source.value("alice") == .text("one"))
    #expect(source.value("dave") == nil)
  }

  @Test func `Keys typed ahead of a jump apply to its target`() async throws {
    let browser = try await browser()
    browser.press("Gdy")
    await browser.settle()
    #expect(source.value("dave") == nil)
    #expect(source.value("alice") == .text("one"))
  }

  @Test func `Esc drops keys typed ahead`() async throws {
    let browser = try await browser()
    source.hold()
    browser.press("<Down>dy<Esc>")
    await source.waits(for: 1)
    source.release()
    await browser.settle()
    #expect(browser.state.overlay == nil)
    #expect(source.value("bob") == .text("two"))
  }

  @Test func `Esc cancels a search in the source`() async throws {
    let browser = try await browser()
    source.hold()
    browser.press("/a<Enter>")
    await source.waits(for: 1)
    await browser.draw().expect("searching")
    browser.press("<Esc>")
    await source.isCancelled(1)
    #expect(source.waitingCount == 0)
    source.release()
    await browser.settle().expect("stopped after").expect("stopped")
    await browser.press("<Down>").settle().expect("alice").expect("carol").expectNot("bob")
  }

  @Test func `A new filter replaces the running search`() async throws {
    let browser = try await browser()
    source.hold()
    browser.press("/a")
    await source.waits(for: 1)
    browser.press("l")
    await source.isCancelled(1)
    source.release()
    await browser.settle().expect("alice").expectNot("carol")
  }

  @Test func `An obsolete read is cancelled`() async throws {
    let browser = try await browser()
    source.hold()
    browser.press("<Down>")
    await source.waits(for: 1)
    browser.press("<Down>")
    await source.isCancelled(1)
    source.release()
    await browser.settle().expect(selected: .text("carol"))
    #expect(browser.valueText.contains("three") && !browser.valueText.contains("two"))
  }

  @Test func quittingDoesNotWaitForReads() async throws {
    source.hold()
    let browser = try Robot(["slow"], stores: .held(source))
    await source.waits(for: 1)
    browser.press("q")
    #expect(browser.state.isFinished)
    source.release()
  }

  @Test func `An editor cannot be closed while it writes`() async throws {
    let browser = try await browser()
    browser.press("e!")
    source.hold()
    browser.press("<Enter>")
    await source.waits(for: 1)
    browser.press("x<Esc>")
    await browser.draw().expect("still writing alice").expect("writing…")
    source.release()
    await browser.settle().expect("saved alice")
    #expect(source.value("alice") == .text("one!"))
  }

  @Test func `Quitting waits for a running write`() async throws {
    let browser = try await browser()
    let program = browser.program
    let ended = Task { await program.run(opening: []) }
    await Task.yield()
    await browser.settle()
    browser.press("e!")
    source.hold()
    browser.press("<Enter>")
    await source.waits(for: 1)
    browser.terminal.send(.closed(.hangUp))
    source.release()
    await ended.value
    #expect(source.value("alice") == .text("one!"))
    #expect(program.closeReason == .hangUp)
  }

  @Test func `Esc stops sorting and the list stays unchanged`() async throws {
    let browser = try await browser()
    await browser.press("jj").settle()
    source.hold()
    browser.press(":sort size<Enter>")
    await source.waits(for: 1)
    await browser.draw().expect("sorting 0, Esc stops").expect("alice")
    browser.press("<Esc>")
    await source.isCancelled(1)
    await browser.draw().expect("stopped: the list is still sorted by key")
    source.release()
    await browser.settle().expect(selected: .text("carol")).expectNot("size")
    #expect(browser.state.keys?.order == .key)
  }

  @Test func `Esc after two sort commands reports the order shown`() async throws {
    let browser = try await browser()
    source.hold()
    browser.press(":sort size<Enter>")
    await source.waits(for: 1)
    browser.press(":sort size up<Enter>")
    await source.isCancelled(1)
    await source.waits(for: 1)
    browser.press("<Esc>")
    await source.isCancelled(2)
    await browser.draw().expect("stopped: the list is still sorted by key")
    source.release()
    await browser.settle()
    #expect(browser.state.keys?.order == .key)
  }

  @Test func `Esc while filtering a sorted list shows no stale entries`() async throws {
    let browser = try await browser()
    await browser.pressEach(":sort size<Enter>").expect("carol")
    source.hold()
    browser.press("/dave<Enter>")
    await source.waits(for: 1)
    browser.press("<Esc>")
    await source.isCancelled(1)
    await browser.draw().expectNot("carol").expect("Stopped after")
    #expect(browser.state.keys?.window.entries.isEmpty == true)
    source.release()
    await browser.settle()
  }

  @Test func quittingWaitsForAnExport() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/out.jsonl"
    let browser = try await Robot(["slow"], stores: .held(source), files: .private).settle()
    await browser.pressEach("A").expect("marked 4 entries")
    let program = browser.program
    let ended = Task { await program.run(opening: []) }
    await Task.yield()
    await browser.settle()
    source.hold()
    browser.press(":export \(path)<Enter>")
    await source.waits(for: 1)
    browser.press("q")
    source.release()
    await ended.value
    #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 4)
  }

  @Test func `A command typed ahead of marks applies to all of them`() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/out.jsonl"
    let browser = try await Robot(["slow"], stores: .held(source), files: .private).settle()
    source.hold()
    browser.press("A:export \(path)<Enter>")
    await source.waits(for: 1)
    source.release()
    await browser.settle().expect("exported 4 entries")
    #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 4)
  }

  @Test func `Esc stops an export before its file is created`() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/out.jsonl"
    let browser = try await Robot(["slow"], stores: .held(source), files: .private).settle()
    await browser.pressEach("A")
    source.hold()
    browser.press(":export \(path)<Enter>")
    await source.waits(for: 1)
    browser.press("<Esc>")
    await browser.draw()
    source.release()
    await browser.settle().expect("stopped: nothing was exported")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `Cancelled ranking lists the matches in key order`() async throws {
    let browser = try await browser()
    source.hold()
    browser.press("/~a<Enter>")
    await source.waits(for: 1)
    await browser.draw().expect("searching 0, Esc stops")
    browser.press("<Esc>")
    await source.isCancelled(1)
    source.release()
    await browser.settle().expect("in key order").expectNot("best first")
    #expect(browser.state.keys?.filterText == "~a")
  }

  @Test func `Esc stops marking all keys`() async throws {
    let browser = try await browser()
    source.hold()
    browser.press("Ad")
    await source.waits(for: 1)
    await browser.draw().expect("marking…, Esc stops")
    #expect(browser.state.overlay == nil, "what is to be deleted is not known yet")
    browser.press("<Esc>")
    await source.isCancelled(1)
    source.release()
    await browser.settle().expect("no more entries were marked").expectNot("marked,")
    #expect(browser.state.keys?.marked.isEmpty == true)
  }
}
