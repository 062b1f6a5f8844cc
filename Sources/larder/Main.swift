import LarderFormats
import Foundation
import HarmonySQLite
import LarderModel
import LarderStores
import TerminalNcurses

/// The entry point: parses the command line and runs a command or the browser.
@main struct Larder {
  static func main() async {
    Output.openStandardDescriptors()
    // A umask that removes the owner's rights would lock larder out of its own journal.
    umask(umask(0) & 0o077)
    if let failure = ProcessLimits.failure {
      Output.complain(failure.message)
      exit(failure.code.rawValue)
    }
    // A closed pipe makes the next write fail, which ends the process quietly.
    signal(SIGPIPE, SIG_IGN)
    let code: ExitCode
    do {
      code = try await run(RawArguments.checked())
    } catch {
      let failure = Failure(error)
      Output.report(failure)
      code = failure.code
    }
    Pager.finish()
    exit(code.rawValue)
  }

  /// Runs a command or the browser.
  static func run(_ words: [String]) async throws -> ExitCode {
    let output = Output()
    if words.prefix(while: { $0 != "--" }).contains(OptionSpec.json.name) {
      Output.printErrorsAsJSON()
    }
    let environment = ProcessInfo.processInfo.environment
    if words.first == CompletionAnswer.word {
      return await CompletionAnswer.print(Array(words.dropFirst()), to: output)
    }
    if let (command, given) = Self.command(in: words) {
      // The help is text, but its errors can be JSON.
      let isHelp = command.name == Subcommand.help.name
      let rest = given.filter { !isHelp || $0 != OptionSpec.json.name }
      var arguments = try Arguments(rest, options: command.allOptions)
      if arguments.has(.help) { return help(command, arguments, environment, output) }
      try arguments.readSettings(environment: environment)
      if arguments.has(.json) { Output.printErrorsAsJSON() }
      for problem in arguments.problems { Output.complain(problem) }
      if command.isWriting { try arguments.checkDryRun(environment) }
      if command.isPaged { Pager.prepare(arguments, environment: environment) }
      return try await command.run(arguments, output)
    }
    var arguments = try await browserArguments(words)
    if arguments.has(.help) { return help(nil, arguments, environment, output) }
    if arguments.has(.version) {
      output.line("larder \(Version.number)")
      output.line(Version.libraries)
      output.flush()
      return .done
    }
    try arguments.readSettings(environment: environment)
    try arguments.checkDryRun(environment)
    if arguments.has(.resume), !arguments.words.isEmpty {
      throw Failure.resumeWithLocation
    }
    let locations =
      arguments.words.isEmpty && !arguments.has(.resume)
      ? await NearbyStores.stores() : arguments.words
    try await check(locations, options: arguments.openOptions)
    return try await BrowserSession(locations: locations, arguments: arguments).run()
  }

  /// Prints the help for a command or for the program.
  ///
  /// It works despite invalid settings, as it may be needed to correct them.
  private static func help(
    _ command: Subcommand?, _ arguments: Arguments, _ environment: [String: String],
    _ output: Output
  ) -> ExitCode {
    var arguments = arguments
    try? arguments.readSettings(environment: environment)
    Pager.prepare(arguments, environment: environment)
    return command.map { Help.print($0, to: output) } ?? Help.printAll(to: output)
  }

  /// Parses arguments for the browser.
  ///
  /// If the first argument looks like a misspelled command, that is the error to report, rather
  /// than an option that the browser does not have.
  private static func browserArguments(_ words: [String]) async throws -> Arguments {
    do {
      return try Arguments(words, options: OptionSpec.common + OptionSpec.browser)
    } catch {
      if let word = words.first, !word.hasPrefix("-") { try await check([word, ""]) }
      throw error
    }
  }

  /// Returns the command, which may follow common options, and the remaining arguments.
  static func command(in words: [String]) -> (Subcommand, rest: [String])? {
    var place = 0
    while place < words.count, words[place].hasPrefix("-"), words[place] != "--" {
      let option = OptionSpec.common.first { $0.name == words[place] }
      place += option?.value == nil ? 1 : 2
    }
    guard place < words.count,
      let command = Subcommand.all.first(where: { $0.name == words[place] })
    else { return nil }
    var rest = words
    rest.remove(at: place)
    return (command, rest)
  }

  /// Refuses a missing location before the terminal is touched.
  ///
  /// A first argument that does not look like a path was probably meant as a command.
  private static func check(
    _ locations: [String], options: OpenOptions = OpenOptions()
  ) async throws {
    guard let word = locations.first, !FileManager.default.fileExists(atPath: word) else { return }
    guard !word.isEmpty, !word.contains(where: { "/.:#".contains($0) }) else {
      guard locations.count == 1 else { return }
      var options = options
      options.isReadOnly = true
      do {
        _ = try await Stores.open(word, options: options)
      } catch {
        // The browser asks for a password.
        guard case .passwordRequired = StoreError(error), isatty(STDIN_FILENO) == 1 else {
          throw error
        }
      }
      return
    }
    throw Failure.unknownWord(word, in: Subcommand.all.map(\.name))
  }
}

/// The version of the program.
enum Version {
  static let number = "0.1.0"
  /// The versions of the libraries at run time, which can differ from those at build time.
  static var libraries: String {
    "SQLite \(SQLiteVersion.number), ncurses \(NcursesVersion.number), zlib \(ZlibVersion.number)"
  }
  /// The date of the manual, as ISO 8601.
  static let date = "2026-11-24"
}
