import LarderBrowser
import Foundation
import LarderModel
import LarderJournal
import LarderStores

/// Something that `larder` does without the browser, or the browser itself.
///
/// A new one is a file in this folder and one word in ``all``; the help reads the list.
struct Subcommand: Sendable {
  /// The first word.
  let name: String
  /// The words and options after it, from which the line is read, completed and described.
  var usage: [Usage] = []
  /// What it does, in a clause.
  let summary: String
  /// Whether it prints lists that are shown a screen at a time on a terminal.
  var isPaged = false
  /// Whether it changes what a store holds.
  var isWriting = false
  /// What it is used for, each with a line that does it.
  var examples: [Example] = []
  /// Does it.
  let run: @Sendable (Arguments, Output) async throws -> ExitCode

  /// Every command, in the order of the help.
  static let all: [Subcommand] = [
    .ls, .get, .put, .rm, .mv, .touch, .cp, .diff, .export, .import, .info,
    .stats,
    .doctor, .watch, .log, .undo, .redo, .screen,
    .demo,
    .kinds, .themes, .keys, .settings, .schema, .completions, .man, .help,
  ]

  /// A line to type, and what it does.
  struct Example: Sendable {
    let meaning: String
    let line: String

    init(_ meaning: String, _ line: String) {
      self.meaning = meaning
      self.line = line
    }
  }

  /// The options it takes beside the common ones.
  var options: [OptionSpec] { usage.flatMap(\.options) }

  /// The options that the command takes; of two of a name its own.
  var allOptions: [OptionSpec] {
    let own = options
    return own + OptionSpec.common.filter { common in !own.contains { $0.name == common.name } }
  }

  /// The command and what follows it, as the help writes it.
  var line: String { (["larder", name] + usage.map(\.text)).joined(separator: " ") }
}

extension Arguments {
  /// The location, which is the first word, or one after it.
  func location(at place: Int = 0) throws -> String {
    guard words.indices.contains(place) else {
      throw Failure.usage(
        words.isEmpty
          ? "name a store: a file, a folder or a URL such as memory:"
          : "name another store after \(words[0])")
    }
    return words[place]
  }

  /// The word after the location.
  func word(_ place: Int, named name: String) throws -> String {
    guard words.count > place else {
      _ = try location()
      throw Failure.usage("\(name) is missing")
    }
    return words[place]
  }

  /// Refuses words that the command has no use for.
  func expect(atMost count: Int) throws {
    guard words.count > count else { return }
    throw Failure.usage(
      "“\(words[count])” is one word too many; quote keys and values that hold spaces")
  }

  /// How the location is to be opened.
  var openOptions: OpenOptions {
    let isNone = self[.expiresColumn] == "none"
    var expiry = ExpiryChoice(column: isNone ? nil : self[.expiresColumn])
    expiry.isNone = isNone
    if let word = self[.expiresUnit] { expiry.setUnit(word) }
    if let word = self[.expiresZone] { expiry.zone = ExpiryZone(word) }
    return OpenOptions(
      isReadOnly: has(.readOnly), busyTimeout: Self.patience, expiry: expiry,
      expiryRules: file.configuration.expiryRules.map { rule in
        var rule = rule
        rule.paths = rule.paths.flatMap(ProtectedPaths.forms)
        return rule
      }, asksToUnlock: has(.unlock))
  }

  /// How long a store is waited for that is busy: five seconds unless `LARDER_PATIENCE` says how
  /// many, as on a machine with much else to do.
  private static var patience: Duration {
    let text = ProcessInfo.processInfo.environment[Environment.patience.name]
    let seconds = text.flatMap { Int($0) } ?? 5
    return .seconds(min(max(0, seconds), 86_400))
  }

  /// Where changes are recorded; nil for nowhere.
  var journal: Journal? {
    has(.noJournal) ? nil : Journal(environment: ProcessInfo.processInfo.environment)
  }

  /// Asks on the terminal; without one, the answer has to be on the command line.
  ///
  /// - Throws: A refusal unless the answer is yes.
  func confirm(_ question: String, refusal: String) throws {
    if has(.yes) { return }
    guard isatty(STDIN_FILENO) == 1 else {
      throw Failure.usage("\(question) Pass --yes, as there is no terminal to ask on")
    }
    Output.ask(question)
    let answer = readLine(strippingNewline: true)?.lowercased()
    guard answer == "y" || answer == "yes" else { throw Failure(.refused, refusal) }
  }
}
