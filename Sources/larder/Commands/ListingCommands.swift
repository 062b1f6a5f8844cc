import Foundation
import LarderModel
import LarderBrowser
import LarderStores
import TerminalUI

extension Subcommand {
  static let help = Subcommand(
    name: "help", usage: [.optional(.word("COMMAND", .command))],
    summary: "show this help, or the help for a command", isPaged: true
  ) { arguments, output in
    try arguments.expect(atMost: 1)
    guard let name = arguments.words.first else { return Help.printAll(to: output) }
    guard let command = all.first(where: { $0.name == name }) else {
      throw Failure.unknownCommand(name, in: all.map(\.name))
    }
    return Help.print(command, to: output)
  }

  static let kinds = Subcommand(
    name: "kinds", summary: "list the supported kinds of store", isPaged: true
  ) { arguments, output in
    try arguments.expect(atMost: 0)
    let width = 2 + (Stores.kinds.map(\.name.count).max() ?? 0)
    for kind in Stores.kinds {
      output.line(kind.name.padded(to: width) + kind.recognizedBy)
      output.line("".padded(to: width) + "keys: \(kind.keys)")
    }
    output.flush()
    return .done
  }

  static let themes = Subcommand(
    name: "themes", summary: "list the themes", isPaged: true
  ) { arguments, output in
    try arguments.expect(atMost: 0)
    for name in ThemeLoader.usual.available() {
      output.line(name)
    }
    output.flush()
    return .done
  }

  static let keys = Subcommand(
    name: "keys", summary: "list the key bindings of the browser", isPaged: true
  ) { arguments, output in
    try arguments.expect(atMost: 0)
    for (title, commands) in Command.groups {
      output.line(title)
      for command in commands {
        let keys = arguments.file.configuration.bindings.text(of: command)
        output.line("  " + keys.padded(to: 18) + command.id.padded(to: 16) + command.help)
      }
    }
    output.flush()
    return .done
  }

  static let settings = Subcommand(
    name: "settings", summary: "describe the settings file", isPaged: true
  ) { arguments, output in
    try arguments.expect(atMost: 0)
    for setting in ConfigurationSetting.all {
      output.line(setting.name.padded(to: 12) + setting.help)
      output.line("".padded(to: 12) + "\"\(setting.name)\": \(setting.example)")
    }
    output.flush()
    return .done
  }
}
