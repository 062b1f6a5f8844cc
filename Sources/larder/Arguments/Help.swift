/// The help of the command line, from the tables that it is parsed by.
enum Help {
  /// Prints the help of one command.
  static func print(_ command: Subcommand, to output: Output) -> ExitCode {
    output.line("larder \(command.name) \(command.usage)".trimmed)
    output.line("")
    output.line("\(command.name) \(command.summary).")
    output.line("")
    for option in command.allOptions { output.line(line(option)) }
    output.flush()
    return .done
  }

  /// Prints the help of the program.
  static func printAll(to output: Output) -> ExitCode {
    output.line("larder [LOCATION…] [options]      opens the browser")
    output.line("")
    for command in Subcommand.all {
      output.line("larder \(command.name) \(command.usage)".trimmed)
      output.line("      \(command.summary)")
    }
    output.line("")
    output.line("A location is a path or a URL; #NAME picks a collection inside it.")
    output.line("A file that is called like a command is opened as ./NAME.")
    output.line("")
    for option in OptionSpec.common + [.resume] { output.line(line(option)) }
    output.line("")
    output.line("larder COMMAND --help says more. Exit codes: 0 done, 1 nothing found, 2 usage,")
    output.line(
      "3 the store cannot be opened, read or written, or was not exported whole, 4 conflict,")
    output.line("5 refused.")
    output.flush()
    return .done
  }

  private static func line(_ option: OptionSpec) -> String {
    let name = "  " + option.name + (option.value.map { " \($0)" } ?? "")
    return name + String(repeating: " ", count: max(2, 26 - name.count)) + option.help
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
