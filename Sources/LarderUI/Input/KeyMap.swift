package import LarderCore
package import TerminalUI

/// Which command each key calls, by where it is pressed.
package struct KeyMap: Sendable {
  private var commands: [Command.Place: [Key: String]] = [:]

  /// The keys that the commands name.
  package static let standard = KeyMap(Command.all)

  /// A map of the keys that commands name, or that were chosen in their place.
  package init(_ list: [Command], _ bindings: Bindings = .standard) {
    for command in list {
      for place in command.places {
        for key in bindings.keys(of: command).compactMap({ Key($0) }) {
          commands[place, default: [:]][key] = command.id
        }
      }
    }
  }

  /// The command that a key calls, or nil for none.
  package func command(for key: Key, in place: Command.Place) -> String? {
    commands[place]?[key]
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
    case .prompt, .editor, nil:
      switch focus {
      case .stores: .stores
      case .keys: .keys
      case .value: .value
      }
    }
  }
}
