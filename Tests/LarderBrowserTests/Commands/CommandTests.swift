import LarderBrowser
import Testing

/// Consistency of the list of commands.
@Suite struct CommandTests {
  @Test func `Every command has a unique name`() {
    let ids = Command.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    for command in Command.all {
      #expect(command.id == command.id.lowercased())
      #expect(!command.id.contains(" "))
      #expect(Command.named(command.id)?.id == command.id)
    }
  }

  @Test func `Every command has a short help text`() {
    for command in Command.all {
      #expect(!command.help.hasSuffix("."), "\(command.id)")
      #expect(command.help.count <= 105, "\(command.id)")
      #expect(command.help.first?.isUppercase == true, "\(command.id)")
      #expect(!command.title.isEmpty && !command.places.isEmpty)
      #expect(!command.keys.isEmpty || command.isInPalette, "\(command.id)")
    }
  }

  @Test func `No alias is the name of another command`() {
    for command in Command.all {
      for alias in command.aliases { #expect(Command.named(alias) == nil, "\(alias)") }
      #expect(Set(command.aliases).count == command.aliases.count, "\(command.id)")
    }
  }

  @Test func `Every command runs in any state without a trap`() {
    for command in Command.all {
      for var bench in [Bench(), .ready(), .ready(0..<0), .ready(isReadOnly: true)] {
        bench.command(command.id)
        bench.command(command.id, "x")
        bench.send(.cancel)
      }
      var empty = BrowserState()
      _ = empty.update(.command(command.id))
    }
    #expect(Command.all.filter(\.isInPalette).count > 20)
  }
}
