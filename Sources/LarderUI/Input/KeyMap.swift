package import LarderBrowser
package import TerminalUI

/// Which command each key calls, by where it is pressed.
package struct KeyMap: Sendable {
  private var commands: [Command.Place: [Key: String]] = [:]
  private var numbers: [Command.Place: [Key: Int]] = [:]

  /// The keys that the commands name.
  package static let standard = KeyMap(Command.all)

  /// A map of the keys that commands name, or that were chosen in their place.
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

  /// The command that a key calls, or nil for none.
  package func command(for key: Key, in place: Command.Place) -> String? {
    commands[place]?[key]
  }

  /// What follows the name of that command, where the key stands for a number.
  func argument(for key: Key, in place: Command.Place) -> String {
    numbers[place]?[key].map(String.init) ?? ""
  }

  /// The command that a key calls in another pane, or nil for none.
  func commandElsewhere(for key: Key) -> String? {
    [.keys, .value, .stores].lazy.compactMap { commands[$0]?[key] }.first
  }
}

extension BrowserState {
  /// Where keys are commands now.
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
    case .prompt, .editor, .newRow, nil:
      switch focus {
      case .stores: .stores
      case .keys: .keys
      case .value: .value
      }
    }
  }
}
