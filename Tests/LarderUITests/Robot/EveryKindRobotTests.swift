import Foundation
import Harmony
import LarderJournal
import LarderModel
import LarderStores
import LarderUI
import TerminalUI
import TestKinds
import Testing

/// Every change of the browser, on every kind of store.
@Suite @MainActor struct EveryKindRobotTests {
  /// Keys that change a store, with the values and expiries after the change.
  struct Script: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let keys: String
    let after: [String: String]

    init(_ name: String, _ keys: String, _ after: [String: String]) {
      testDescription = name
      self.keys = keys
      self.after = after
    }

    static let all = [
      Script("edit", "e!<Ctrl-S>", ["a:1": "one!", "a:2": "two", "b": "three"]),
      Script(
        "add", "ac<Enter>new<Ctrl-S>", ["a:1": "one", "a:2": "two", "b": "three", "c": "new"]),
      Script("delete", "dy", ["a:2": "two", "b": "three"]),
      Script("rename", "r<Ctrl-U>c<Enter>", ["a:2": "two", "b": "three", "c": "one"]),
      Script("delete marked", "<Space><Space>dy", ["b": "three"]),
      Script("expire", "x2030-01-01T00:00:00Z<Enter>", ["a:1": "one 1893456000.0"]),
    ]
  }

  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  /// The texts of all entries, with their expiries if they have one.
  private func contents(_ store: Store) async throws -> [String: String] {
    let entries = try await store.source.getAll(AllObjectsQuery()).get()
    return Dictionary(
      uniqueKeysWithValues: entries.map { entry in
        let text = if case .text(let text)? = entry.value { text } else { "?" }
        let expiry = entry.expires.map { " \($0.timeIntervalSince1970)" } ?? ""
        return (entry.key.notation(.text), text + expiry)
      })
  }

  @Test(arguments: TestedKind.all, Script.all)
  func `A change is made, undone and redone`(_ kind: TestedKind, _ script: Script) async throws {
    let start = ["a:1": "one", "a:2": "two", "b": "three"]
    let path = try await kind.make(in: folder.path, start)
    let store = try await Stores.open(StoreLocation(path: path)).store(nil)
    if script.testDescription == "expire", store.separateExpiries == nil { return }
    let journal = Journal(path: folder.path + "/state/journal.db")
    let name = store.location.collection.map { "store#\($0)" } ?? "store"
    let open = try await Stores.open(
      StoreLocation(path: path, collection: store.location.collection), journal: journal)
    let browser = try Robot(
      [name], stores: .opening(open, folder), size: Size(width: 100, height: 16))
    await browser.settle()
    await browser.pressEach(script.keys)
    await browser.settle()
    let after =
      script.testDescription == "expire"
      ? start.merging(script.after) { $1 } : script.after
    #expect(try await contents(store) == after)
    await browser.press("u").settle()
    #expect(try await contents(store) == start)
    await browser.press("<Ctrl-R>").settle()
    #expect(try await contents(store) == after)
  }
}
