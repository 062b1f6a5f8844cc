import LarderBrowser
import Foundation
import LarderModel
import LarderJournal
import LarderStores

/// A command of `larder`.
///
/// To add one, create a file in this folder and append it to ``all``, which the help is generated
/// from.
struct Subcommand: Sendable {
  /// The name, which is the first argument.
  let name: String
  /// The arguments and options, for parsing, completion and help.
  var usage: [Usage] = []
  /// A short description, as a clause.
  let summary: String
  /// Whether it prints lists that go through a pager on a terminal.
  var isPaged = false
  /// Whether it writes to a store and has no dry run.
  var isWriting = false
  /// Whether it shows the browser.
  var opensBrowser = false
  /// Examples for the help.
  var examples: [Example] = []
  /// The implementation.
  let run: @Sendable (Arguments, Output) async throws -> ExitCode

  /// Every command, in the order of the help.
  static let all: [Subcommand] = [
    .ls, .get, .put, .rm, .mv, .touch, .cp, .diff, .export, .import, .info,
    .stats,
    .doctor, .watch, .log, .undo, .redo, .screen,
    .demo,
    .kinds, .themes, .keys, .settings, .schema, .completions, .man, .help,
  ]

  /// A command line and its description.
  struct Example: Sendable {
    let meaning: String
    let line: String

    init(_ meaning: String, _ line: String) {
      self.meaning = meaning
      self.line = line
    }
  }

  /// The options of the command, without the common ones.
  var options: [OptionSpec] { usage.flatMap(\.options) }

  /// All options of the command; its own take precedence over common ones of the same name.
  var allOptions: [OptionSpec] {
    let own = options
    return own + OptionSpec.common.filter { common in !own.contains { $0.name == common.name } }
  }

  /// The options that can make a difference, which the help describes.
  var usefulOptions: [OptionSpec] {
    let opensStores =
      opensBrowser || usage.contains { $0.place?.offered.contains(.location) == true }
    let own = Set(options.map(\.name))
    return allOptions.filter { option in
      if own.contains(option.name) { return true }
      if option.name == OptionSpec.noJournal.name {
        return isWriting || own.contains(OptionSpec.dryRun.name)
      }
      if OptionSpec.ofBrowser.contains(where: { $0.name == option.name }) { return opensBrowser }
      return opensStores || !OptionSpec.ofStores.contains { $0.name == option.name }
    }
  }

  /// The usage line for the help.
  var line: String { (["larder", name] + usage.map(\.text)).joined(separator: " ") }

  /// The usage line without the options that are independent of the arguments.
  var wordLine: String {
    (["larder", name] + usage.filter { $0.place != nil }.map(\.text)).joined(separator: " ")
  }
}

extension Arguments {
  /// Returns the location: the first argument, or a later one.
  func location(at place: Int = 0) throws -> String {
    guard words.indices.contains(place) else {
      throw words.first.map(Failure.missingStore(after:)) ?? .missingStore
    }
    return words[place]
  }

  /// Returns the argument at an index, counting the location as 0.
  ///
  /// - Parameters:
  ///   - place: The index.
  ///   - name: The placeholder of the argument in the usage line.
  ///   - command: The name of the command.
  /// - Returns: The argument.
  /// - Throws: `Failure` if it is missing.
  func word(_ place: Int, named name: String, of command: String) throws -> String {
    guard words.count > place else {
      _ = try location()
      let usage = Subcommand.all.first { $0.name == command }?.wordLine ?? "larder \(command)"
      throw Failure.missingWord(name, usage: usage)
    }
    return words[place]
  }

  /// Refuses surplus arguments.
  ///
  /// - Parameters:
  ///   - count: The maximum number of arguments.
  ///   - isPrefix: Whether a surplus argument is probably meant as a prefix.
  /// - Throws: `Failure` if there are more.
  func expect(atMost count: Int, isPrefix: Bool = false) throws {
    guard words.count > count else { return }
    throw Failure.unexpectedWord(words[count], isPrefix: isPrefix)
  }

  /// The options for opening the location.
  var openOptions: OpenOptions {
    let isNone = self[.expiresColumn] == "none"
    var expiry = ExpiryChoice(column: isNone ? nil : self[.expiresColumn])
    expiry.isNone = isNone
    if let word = self[.expiresUnit] { expiry.setUnit(word) }
    if let word = self[.expiresZone] { expiry.zone = ExpiryZone(word) }
    var options = OpenOptions(
      isReadOnly: has(.readOnly), busyTimeout: Self.patience, expiry: expiry,
      expiryRules: file.configuration.expiryRules.map { rule in
        var rule = rule
        rule.paths = rule.paths.flatMap(ProtectedPaths.forms)
        return rule
      }, asksToUnlock: has(.unlock))
    options.lenses = file.configuration.lenses
    options.key = has(.raw) ? .raw : self[.key].map { .columns($0) } ?? .recognized
    return options
  }

  /// The time to wait for a busy store.
  ///
  /// It is five seconds, unless `LARDER_PATIENCE` sets another number, such as on a slow machine.
  private static var patience: Duration {
    let text = ProcessInfo.processInfo.environment[Environment.patience.name]
    let seconds = text.flatMap { Int($0) } ?? 5
    return .seconds(min(max(0, seconds), 86_400))
  }

  /// The journal; nil if changes are not recorded.
  var journal: Journal? {
    has(.noJournal) ? nil : Journal(environment: ProcessInfo.processInfo.environment)
  }

  /// Asks for confirmation on the terminal; without a terminal, `--yes` is required.
  ///
  /// - Throws: `Failure` unless the answer is yes.
  func confirm(_ question: String, refusal: String) throws {
    if has(.yes) { return }
    guard isatty(STDIN_FILENO) == 1 else {
      throw Failure.unconfirmed(question)
    }
    Output.ask(question)
    let answer = readLine(strippingNewline: true)?.lowercased()
    guard answer == "y" || answer == "yes" else { throw Failure(.refused, refusal) }
  }
}
