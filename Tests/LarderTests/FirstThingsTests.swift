import Foundation
import Testing

/// The first actions of a new user, run on the samples in a terminal and compared with a page.
@Suite(.serialized) struct FirstThingsTests {
  /// An action, and how to recognize its result.
  struct Thing: Sendable, CustomTestStringConvertible {
    /// The name of the block on the page.
    let name: String
    /// The keys as tmux names them; text after `-l` is typed literally.
    let keys: [[String]]
    /// Texts that appear on the screen only at the end.
    let sights: [String]

    var testDescription: String { name }
  }

  private static let page = ReadmeBlock.page("LarderUI/LarderUI.docc/FirstThings.md")

  static let things = [
    Thing(name: "look", keys: [["j"], ["j"]], sights: ["\"name\": \"Ada\""]),
    Thing(name: "find", keys: [["/"], ["-l", "ui"]], sights: ["1 of 2 entries", "│ 13"]),
    Thing(
      name: "find in values", keys: [["/"], ["-l", "/ada"]],
      sights: ["1 of 1 entry  values that contain “ada”", "\"name\": \"Ada\""]),
    Thing(
      name: "edit", keys: [["G"], ["e"], ["C-u"], ["-l", "nord"], ["Enter"]],
      sights: ["saved ui.theme"]),
    Thing(
      name: "add",
      keys: [["a"], ["-l", "ui.zoom"], ["Enter"], ["C-t"], ["-l", "1x"]],
      sights: ["ui.zoom (integer)"]),
    Thing(name: "delete", keys: [["G"], ["d"]], sights: ["Delete ui.theme"]),
    Thing(
      name: "undo", keys: [["G"], ["d"], ["y"], ["u"]],
      sights: ["undone: the deletion of ui.theme", "larder-dark"]),
    Thing(name: "tree", keys: [["T"], ["G"], ["Enter"]], sights: ["▾ ui."]),
    Thing(
      name: "sort", keys: [["s"], ["-l", "size"], ["Enter"], ["g"]],
      sights: ["▾SIZE", "\"name\""]),
    Thing(name: "palette", keys: [[":"], ["-l", "mark"]], sights: [":mark"]),
  ]

  @Test(arguments: things)
  func `the page shows what a new user sees`(_ thing: Thing) throws {
    let scratch = try Scratch()
    _ = try Shell.larder("demo", scratch.path)
    let tmux = try Tmux(
      "cd '\(scratch.path)'; XDG_STATE_HOME='\(scratch.path)/state' '\(Shell.larder)' "
        + "'app.db#settings'", columns: 92, rows: 9)
    #expect(try tmux.wait(for: "1 of 7 entries"))
    for keys in thing.keys { try tmux.send(keys) }
    // The screen may be incomplete when the texts appear, so recording waits until it is stable.
    var last = ""
    var repetitions = 0
    let seen = try tmux.wait { screen in
      guard thing.sights.allSatisfy(screen.contains) else { return false }
      guard ReadmeBlock.isRecording else {
        return try ReadmeBlock.shows(thing.name, screen, in: Self.page)
      }
      repetitions = screen == last ? repetitions + 1 : 0
      last = screen
      return repetitions > 50
    }
    try ReadmeBlock.check(thing.name, is: try seen ?? tmux.screen, in: Self.page)
  }
}
