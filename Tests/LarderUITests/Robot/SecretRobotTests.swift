import Foundation
import Harmony
import LarderModel
import LarderBrowser
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// A store of secrets, each shown on screen only on request.
@Suite @MainActor struct SecretRobotTests {
  private let source = HeldSource(["login": "correct horse", "token": "battery staple"])

  private func browser(
    _ more: StoreCapabilities = [], drafts: DraftStorage? = nil, holding source: HeldSource? = nil
  ) async throws -> Robot {
    let source = source ?? self.source
    let store = Store(
      kind: StoreKind(name: "vault", recognizedBy: "", collections: "", keys: ""),
      location: StoreLocation(path: "slow"),
      capabilities: more.union([.writable, .creates, .ordered, .hidesValues]), keyStyle: .text,
      source: AnyDataSource(source))
    return try await Robot(
      ["slow"], stores: .wrapping(store, source), size: Size(width: 100, height: 14), drafts: drafts
    ).settle()
  }

  @Test func aSecretIsShownForHalfAMinute() async throws {
    let browser = try await browser()
    browser.expect("hidden").expect("text · 13 B").expectNot("horse")
    await browser.press("S").settle().expect("correct horse")
    await browser.wait(.seconds(29)).expect("correct horse")
    browser.clock.advance(by: .seconds(2))
    await turnWhile { browser.state.value?.isConcealed != true }
    await browser.settle().expect("hidden").expectNot("horse")
  }

  @Test func `The list hides every secret, even one that is shown`() async throws {
    let browser = try await browser()
    browser.expectNot("VALUE").expectNot("horse").expectNot("battery")
    await browser.press("S").settle().expect("correct horse")
    #expect(browser.screen.rows.filter { $0.contains("horse") }.count == 1)
    #expect(browser.state.keys?.rows.isEmpty == true)
  }

  @Test func `A secret is hidden by the same key and by moving`() async throws {
    let browser = try await browser()
    await browser.press("S").settle().expect("correct horse")
    await browser.press("S").settle().expectNot("correct horse").expect("hidden")
    await browser.press("S").settle().press("<Down>").settle()
    browser.expectNot("horse").expectNot("battery")
    await browser.press("<Up>").settle().expectNot("horse")
    #expect(browser.state.value?.entry.value?.value == nil)
  }

  @Test func `Space does not replace a secret by one of its members`() async throws {
    let source = HeldSource(["login": #"{"isOn":true,"token":"horse"}"#])
    let browser = try await browser(holding: source)
    await browser.press("S").settle().expect("isOn").pressEach("<Enter><Down><Down><Space>")
    #expect(browser.state.overlay == nil)
    let entry = try await source.get(EntryQuery(.text("login"))).get()
    #expect(entry.value == .text(#"{"isOn":true,"token":"horse"}"#))
  }

  @Test func `A copied secret is cleared from the clipboard`() async throws {
    let browser = try await browser()
    await browser.press("y").settle().expect("45 seconds").expectNot("horse")
    #expect(browser.terminal.copies == ["correct horse"])
    browser.clock.advance(by: .seconds(46))
    await turnWhile { browser.terminal.copies.count == 1 }
    #expect(browser.terminal.copies == ["correct horse", ""])
  }

  @Test func `Text copied afterwards stays in the clipboard`() async throws {
    let browser = try await browser()
    await browser.press("y").settle().press("K").settle()
    #expect(browser.terminal.copies == ["correct horse", "login"])
    await browser.press("q").settle()
    #expect(browser.terminal.copies == ["correct horse", "login"])
  }

  @Test(arguments: ["K", "<Down>y"])
  func `A refused copy still clears the secret later`(keys: String) async throws {
    let browser = try await browser()
    await browser.press("y").settle()
    browser.terminal.refusesCopies = true
    await browser.press(keys).settle()
    browser.clock.advance(by: .seconds(46))
    await turnWhile { browser.terminal.copies.count == 1 }
    #expect(browser.terminal.copies == ["correct horse", ""])
  }

  @Test func `A copied secret is cleared from the clipboard on quitting`() async throws {
    let browser = try await browser()
    await browser.press("y").settle().press("q").settle()
    #expect(browser.terminal.copies == ["correct horse", ""])
  }

  @Test func `A new secret is typed without showing the old one`() async throws {
    let browser = try await browser()
    await browser.press("e").settle().expectNot("horse").expect("cannot be undone")
    await browser.press("<Enter>").settle()
    #expect(source.value("login") == .text("correct horse"))
    await browser.press("e").settle().press("new<Enter>").settle()
    #expect(source.value("login") == .text("new"))
    browser.expect("saved login").expectNot("new ").expect("hidden")
  }

  @Test func `The question says that a deletion cannot be undone`() async throws {
    let browser = try await browser()
    await browser.press("d").settle().expect("cannot be undone").expectNot("horse")
    await browser.press("y").settle()
    #expect(source.value("login") == nil)
  }

  @Test func `Typed secrets are not stored as drafts`() async throws {
    let folder = try TestFolder()
    let browser = try await browser(
      drafts: .inState(environment: ["XDG_STATE_HOME": folder.path + "/state"]))
    await browser.press("e").settle().press("typed secret").settle()
    await browser.wait(.seconds(5))
    let files = FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []
    #expect(files.allSatisfy { !"\($0)".hasPrefix("state/") })
  }

  @Test func `Secrets are not compared, exported or passed to other programs`() async throws {
    let browser = try await browser()
    for command in [":compare token<Enter>", ":copy-as json<Enter>", "E"] {
      await browser.press(command).settle().expect("secrets").expectNot("horse")
    }
    #expect(browser.terminal.copies == [])
  }
}
