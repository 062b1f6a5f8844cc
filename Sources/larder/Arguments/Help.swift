/// The help, generated from the tables that the command line is parsed with.
enum Help {
  /// Prints the help for one command.
  static func print(_ command: Subcommand, to output: Output) -> ExitCode {
    for line in wrapped(command.usage.map(\.text), after: "larder \(command.name)", indent: 10) {
      output.line(line)
    }
    output.line("")
    output.line(command.sentence)
    for group in OptionSpec.Group.allCases {
      let options = command.usefulOptions.filter { $0.group == group }
      if options.isEmpty { continue }
      output.line("")
      output.line("\(group.rawValue):")
      for option in options { describe(option, to: output) }
    }
    for example in command.examples {
      output.line("")
      output.line(example.meaning)
      output.line("    \(example.line)")
    }
    output.flush()
    return .done
  }

  /// Prints the help for the program.
  static func printAll(to output: Output) -> ExitCode {
    output.line(Messages.browserLine)
    output.line(Messages.commandLine)
    output.line("")
    for command in Subcommand.all { output.line(row(command.name, command.summary, width: 15)) }
    output.line("")
    Messages.locationLines.forEach(output.line)
    output.line("")
    output.line(Messages.commonOptions)
    for group in OptionSpec.Group.allCases {
      let options = (OptionSpec.common + OptionSpec.browser).filter { $0.group == group }
      if options.isEmpty { continue }
      let name = row(group.rawValue, "", width: 11)
      for line in wrapped(options.map(\.usage), after: name, indent: 11) { output.line(line) }
    }
    output.line("")
    Messages.exitCodeLines.forEach(output.line)
    output.flush()
    return .done
  }

  /// Prints an option, its default and its environment variable.
  private static func describe(_ option: OptionSpec, to output: Output) {
    let notes = [
      option.usual.map { "[default: \($0)]" }, option.variable.map { "[env: \($0)]" },
    ].compactMap(\.self)
    let words = ([option.help] + notes).joined(separator: " ").split(separator: " ")
    for line in wrapped(words, after: row(option.usage, "", width: column), indent: column) {
      output.line(line)
    }
  }

  /// The column in which descriptions of options begin.
  private static let column = 26

  /// A name and what it does, in two columns.
  private static func row(_ name: String, _ text: String, width: Int) -> String {
    let name = "  " + name
    return name + String(repeating: " ", count: max(2, width - name.count)) + text
  }

  /// The maximum length of a line.
  private static let width = 80

  /// Joins parts in lines that fit most terminals; those after the first are indented.
  private static func wrapped(
    _ parts: [some StringProtocol], after start: String, indent: Int
  ) -> [String] {
    var lines = [start]
    for part in parts {
      let last = lines[lines.count - 1]
      let space = last.isEmpty || last.hasSuffix(" ") ? "" : " "
      if last.count + space.count + part.count <= width {
        lines[lines.count - 1] = last + space + part
      } else {
        lines.append(String(repeating: " ", count: indent) + part)
      }
    }
    return lines
  }
}

extension Subcommand {
  /// The summary, as a sentence.
  var sentence: String { summary.prefix(1).uppercased() + summary.dropFirst() + "." }
}
