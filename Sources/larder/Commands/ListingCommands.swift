import Foundation
import LarderCore
import LarderStores
import TerminalUI

extension Subcommand {
  static let kinds = Subcommand(
    name: "kinds", usage: "", summary: "lists the kinds of store that are recognised"
  ) { arguments, output in
    try arguments.expect(atMost: 0)
    let width = 2 + (Stores.kinds.map(\.name.count).max() ?? 0)
    for kind in Stores.kinds {
      output.line(column(kind.name, width) + kind.recognisedBy)
      output.line(column("", width) + "keys: \(kind.keys)")
    }
    output.flush()
    return .done
  }

  static let themes = Subcommand(
    name: "themes", usage: "", summary: "lists the themes there are"
  ) { arguments, output in
    try arguments.expect(atMost: 0)
    for name in ThemeLoader.usual.available() {
      output.line(name)
    }
    output.flush()
    return .done
  }

  static let keys = Subcommand(
    name: "keys", usage: "", summary: "lists the keys of the browser"
  ) { arguments, output in
    try arguments.expect(atMost: 0)
    for (title, commands) in Command.groups {
      output.line(title)
      for command in commands {
        let keys = arguments.file.configuration.bindings.text(of: command)
        output.line("  " + column(keys, 18) + column(command.id, 16) + command.help)
      }
    }
    output.flush()
    return .done
  }

  static let settings = Subcommand(
    name: "settings", usage: "", summary: "lists what the file of settings can hold"
  ) { arguments, output in
    try arguments.expect(atMost: 0)
    for setting in ConfigurationSetting.all {
      output.line(column(setting.name, 12) + setting.help)
      output.line(column("", 12) + "\"\(setting.name)\": \(setting.example)")
    }
    output.flush()
    return .done
  }

  private static func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
