package import LarderBrowser
package import TerminalUI

/// The commands that keys call in each part of the screen.
package struct KeyMap: Sendable {
  private var commands: [Command.Place: [Key: String]] = [:]
  private var numbers: [Command.Place: [Key: Int]] = [:]

  /// The map of the default keys.
  package static let standard = KeyMap(Command.all)

  /// Creates a map of the default keys, or of those that the user has chosen.
  package init(_ list: [Command], _ bindings: Bindings = .standard) {
    for command in list {
      for place in command.places {
        for (index, name) in bindings.keys(of: command).enumerated() {
          guard let key = Key(name) else { continue }
          commands[place, default: [:]][key] = command.id
          if command.numbersKeys { numbers[place, default: [:]][key] = index + 1 }
        }
      }
    }
  }

  /// Returns the id of the command that a key calls, or `nil` if there is none.
  package func command(for key: Key, in place: Command.Place) -> String? {
    commands[place]?[key]
  }

  /// Returns the argument of that command if its keys select numbers, or else an empty string.
  func argument(for key: Key, in place: Command.Place) -> String {
    numbers[place]?[key].map(String.init) ?? ""
  }

  /// Returns the id of the command that a key calls in any pane, or `nil` if there is none.
  func commandElsewhere(for key: Key) -> String? {
    [.keys, .value, .stores].lazy.compactMap { commands[$0]?[key] }.first
  }
}

extension BrowserState {
  /// The part of the screen that determines the commands of keys.
  package var place: Command.Place {
    switch overlay {
    case .help, .messages: .help
    case .confirm: .confirm
    case .conflict: .conflict
    case .comparison: .comparison
    case .overview: .overview
    case .details: .details
    case .history: .history
    case .differences: .differences
    case .changes: .changes
    case .findings: .findings
    case .prompt, .editor, .newRow, nil:
      switch focus {
      case .stores: .stores
      case .keys: .keys
      case .value: .value
      }
    }
  }
}
