/// The help of the command line, from the tables that it is parsed by.
enum Help {
  /// Prints the help of one command.
  static func print(_ command: Subcommand, to output: Output) -> ExitCode {
    for line in wrapped(command.usage.map(\.text), after: "larder \(command.name)") {
      output.line(line)
    }
    output.line("")
    output.line(command.sentence)
    output.line("")
    for option in command.options { describe(option, to: output) }
    if !command.options.isEmpty { output.line("") }
    output.line("Options everywhere:")
    for option in command.allOptions.dropFirst(command.options.count) {
      describe(option, to: output)
    }
    for example in command.examples {
      output.line("")
      output.line(example.meaning)
      output.line("    \(example.line)")
    }
    output.flush()
    return .done
  }

  /// Prints the help of the program.
  static func printAll(to output: Output) -> ExitCode {
    output.line("larder [LOCATION…] [options]      opens the browser")
    output.line("")
    for command in Subcommand.all {
      for line in wrapped(command.usage.map(\.text), after: "larder \(command.name)") {
        output.line(line)
      }
      output.line("      \(command.summary)")
    }
    output.line("")
    output.line("A location is a path or a URL; #NAME picks a collection inside it.")
    output.line("A file that is called like a command is opened as ./NAME.")
    output.line("")
    for option in OptionSpec.common + OptionSpec.browser { output.line(line(option)) }
    output.line("")
    for line in wrapped(Environment.rule.split(separator: " "), after: "", indent: 0) {
      output.line(line)
    }
    output.line("")
    output.line("larder COMMAND --help says more. Exit codes: 0 done, 1 nothing found, or not the")
    output.line("same, 2 usage, 3 the store cannot be opened, read or written, or was not exported")
    output.line("whole, 4 conflict, 5 refused.")
    output.flush()
    return .done
  }

  /// An option with all that the table says of it.
  private static func describe(_ option: OptionSpec, to output: Output) {
    let remarks = [
      option.usual.map { "[default: \($0)]" }, option.variable.map { "[env: \($0)]" },
    ].compactMap(\.self)
    output.line(([line(option)] + remarks).joined(separator: " "))
  }

  private static func line(_ option: OptionSpec) -> String {
    let name = "  " + option.usage
    return name + String(repeating: " ", count: max(2, 26 - name.count)) + option.help
  }

  /// The maximum length of a line.
  private static let width = 96

  /// Parts in lines that fit most terminals; those after the first are indented.
  private static func wrapped(
    _ parts: [some StringProtocol], after start: String, indent: Int = 10
  ) -> [String] {
    var lines = [start]
    for part in parts {
      let last = lines[lines.count - 1]
      if last.count + 1 + part.count <= width {
        lines[lines.count - 1] = last.isEmpty ? String(part) : "\(last) \(part)"
      } else {
        lines.append(String(repeating: " ", count: indent) + part)
      }
    }
    return lines
  }
}

extension Subcommand {
  /// What it does, as a sentence.
  var sentence: String { summary.prefix(1).uppercased() + summary.dropFirst() + "." }
}
