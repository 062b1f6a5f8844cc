import LarderBrowser
import LarderUI
import TerminalUI
import Testing

/// The keys bound to commands.
@Suite struct KeyMapTests {
  @Test func `Every key of a command is valid`() {
    for command in Command.all {
      for key in command.keys {
        #expect(Key(key)?.description == key, "\(key) of \(command.id)")
      }
    }
  }

  @Test(arguments: Command.Place.allCases)
  func `No key runs two commands in one place`(_ place: Command.Place) {
    var owners: [Key: String] = [:]
    for command in Command.all where command.places.contains(place) {
      for key in command.keys.compactMap({ Key($0) }) {
        #expect(owners[key] == nil, "\(key) calls \(owners[key] ?? "") and \(command.id)")
        owners[key] = command.id
      }
    }
    for (key, id) in owners { #expect(KeyMap.standard.command(for: key, in: place) == id) }
  }

  @Test func `Esc is not bound to a command`() {
    for place in Command.Place.allCases {
      #expect(KeyMap.standard.command(for: .escape, in: place) == nil)
    }
  }

  @Test func `The help lists every command with its keys`() {
    for command in Command.all {
      let lines = HelpText.sections(HelpModel(context: "filter")).joined()
      let line = lines.first { $0.text == command.help }
      let keys = Bindings.standard.text(of: command)
      // A command without keys is listed by its name.
      #expect(line?.keys == (keys.isEmpty ? ":\(command.id)" : keys), "\(command.id)")
    }
  }

  @Test func `The nth key of a numbered command passes n`() throws {
    let state = BrowserState()
    for number in 1...9 {
      let key = try #require(Key("Alt-\(number)"))
      let action = InputMap.action(for: key, in: state)
      #expect(call(of: action) == ["tab", String(number)])
    }
    #expect(Command.named("tab").map(Bindings.standard.text) == "Alt-1 … Alt-9")
    var bindings = Bindings.standard
    bindings.choose(["F2", "F3"], for: try #require(Command.named("tab")))
    let map = KeyMap(Command.all, bindings)
    let chosen = InputMap.action(for: .function(3), in: state, keyMap: map)
    #expect(call(of: chosen) == ["tab", "2"])
    #expect(InputMap.action(for: .alt("3"), in: state, keyMap: map) == nil)
  }

  /// Returns the id and argument of the command that an action runs, or `nil` for other actions.
  private func call(of action: BrowserAction?) -> [String]? {
    if case .command(let id, let argument)? = action { [id, argument] } else { nil }
  }

  @Test func `In a text field every letter is text`() {
    var state = BrowserState()
    _ = state.update(.command("palette"))
    for command in Command.all {
      for key in command.keys.compactMap({ Key($0) }) {
        guard let letter = key.text else { continue }
        guard case .edit(let edit)? = InputMap.action(for: key, in: state) else {
          Issue.record("\(key) of \(command.id) is not text")
          continue
        }
        #expect(edit == .insert(String(letter)))
      }
    }
  }
}
