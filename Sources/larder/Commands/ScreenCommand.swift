import LarderBrowser
import LarderModel
import LarderUI
import TerminalUI

extension Subcommand {
  private static let size = OptionSpec(
    name: "--size", value: "WxH", help: "set the number of columns and rows", usual: "80x24",
    group: .output)
  private static let script = OptionSpec(
    name: "--keys", value: "KEYS", help: "press these keys before drawing: '/foo<Enter><Down>'",
    isPerCall: true)
  private static let styles = OptionSpec(
    name: "--styles", value: nil, help: "name the style of each part of the screen", group: .output)

  static let screen = Subcommand(
    name: "screen",
    usage: [
      .word("LOCATION…", .location), .optional(size), .optional(script), .optional(styles),
    ],
    summary: "render the browser as text, without a terminal", isWriting: true, opensBrowser: true,
    examples: [
      Example(
        "The screen after keys with names, which are those that larder keys lists:",
        "larder screen app.db --keys '/bob<Enter><Tab><Ctrl-D><PgDn><F5>'"),
      Example(
        "Filter by a column; <lt> is the character < itself:",
        "larder screen shop.db#orders --size 140x40 --keys '/total<lt>100<Enter>'"),
    ]
  ) { arguments, output in
    _ = try arguments.location()
    let terminal = try await InMemoryTerminal(size: size(arguments[size] ?? "80x24"))
    let keys: [Key]
    do {
      keys = try KeyScript.parse(arguments[script] ?? "")
    } catch {
      throw Failure.invalidKeys(error)
    }
    let screen = try await drawn(on: terminal, after: keys, arguments)
    let theme = screen.theme
    output.write(
      arguments.has(styles)
        ? screen.screen.snapshot { theme.roles(of: $0).first?.rawValue }
        : screen.screen.rows.joined(separator: "\n") + "\n")
    output.flush()
    if let failure = screen.failure { throw Failure(failure) }
    return .done
  }

  /// Presses the keys one at a time, waiting for the effect of each.
  @MainActor private static func drawn(
    on terminal: InMemoryTerminal, after keys: [Key], _ arguments: Arguments
  ) async throws -> (screen: Screen, theme: Theme, failure: StoreError?) {
    let session = BrowserSession(locations: arguments.words, arguments: arguments)
    let program = try session.program(on: terminal)
    program.start(opening: arguments.words)
    await program.settle()
    // Fails only if none of the locations can be opened.
    let failures = program.state.stores.items.map(\.summary.failure)
    var failure = failures.contains(nil) ? nil : failures.first ?? nil
    // A missing collection is reported as a message.
    if let message = program.state.message, message.kind == .error, program.state.keys == nil {
      failure = failure ?? .cannotOpen(message.text)
    }
    for key in keys where !program.state.isFinished {
      terminal.press(key)
      await program.settle()
    }
    return (terminal.screen ?? Screen(size: terminal.size), program.theme, failure)
  }

  private static func size(_ text: String) throws -> Size {
    let parts = text.split(separator: "x").compactMap { Int($0) }
    guard parts.count == 2, parts.allSatisfy({ (1...4096).contains($0) }) else {
      throw Failure.invalidSize(text)
    }
    return Size(width: parts[0], height: parts[1])
  }
}
