import Harmony
import LarderFormats
import LarderModel
import LarderOperations

// The sentences about the command line, the environment, the settings and the process. Each starts
// in lower case and has no final full stop.

// MARK: Commands and locations

extension Failure {
  static let resumeWithLocation = usage(
    "--resume reopens the last session and takes no location; omit one")
  static let missingStore = usage(
    "missing store; give a file, a folder or a URL such as memory:")

  static func missingStore(after first: String) -> Self {
    usage("missing second store; give another one after \(first)")
  }

  static func unknownWord(_ word: String, in commands: [String]) -> Self {
    let near = SpellingSuggestion.word(to: word, in: commands)
    let advice = near.map { "did you mean larder \($0)?" } ?? Messages.listsCommands
    return usage("there is no file and no command “\(word)”; \(advice)")
  }

  static func unknownCommand(_ name: String, in commands: [String]) -> Self {
    let advice = SpellingSuggestion.advice(
      for: name, in: commands, otherwise: Messages.listsCommands)
    return usage("there is no command “\(name)”; \(advice)")
  }

  static func missingWord(_ name: String, usage line: String) -> Self {
    usage("missing \(name); usage: \(line)")
  }

  static func unexpectedWord(_ word: String, isPrefix: Bool) -> Self {
    usage(
      "unexpected argument “\(word)”; "
        + (isPrefix
          ? "use --prefix to list the keys with a prefix"
          : "quote keys and values that contain spaces"))
  }

  static func unconfirmed(_ question: String) -> Self {
    usage("\(question) There is no terminal to answer on; pass --yes to confirm")
  }
}

// MARK: Options

extension Failure {
  static func unknownOption(_ name: String, in options: [String]) -> Self {
    let advice = SpellingSuggestion.advice(
      for: name, in: options,
      otherwise: "--help lists the options. Put -- before a key that starts with a dash")
    return usage("unknown option \(name); \(advice)")
  }

  /// `--as` is given to a command other than `get`.
  static let misplacedForm = usage(
    "unknown option --as; only larder get has it. Exports are always JSON Lines, and Realm files are "
      + "read-only")

  static func together(_ one: OptionSpec, _ other: OptionSpec) -> Self {
    usage("\(one.name) and \(other.name) cannot be used together")
  }

  static func missingValue(_ option: OptionSpec) -> Self {
    usage("\(option.name) needs a value: \(option.usage)")
  }

  static func notDuration(_ text: String, of place: String) -> Self {
    usage(
      "\(place) takes a duration such as 30s, 10m, 2h or 7d, not “\(text)”"
        + Duration.hint(for: text))
  }

  static func notCount(_ text: String, of place: String) -> Self {
    usage("\(place) takes a whole number, not “\(text)”")
  }

  static func notFlag(_ text: String, of place: String) -> Self {
    usage("\(place) takes yes or no, not “\(text)”")
  }

  static func notChoice(_ text: String, of place: String, _ choices: [String]) -> Self {
    usage(
      "\(place) takes \(choices.joined(separator: ", ")); “\(text)” is not one of them"
        + SpellingSuggestion.question(for: text, in: choices))
  }

  static func notZone(_ text: String, of place: String) -> Self {
    usage("\(place) takes \(ExpiryZone.forms); “\(text)” is not a known time zone")
  }

  /// Returns the failure for an empty prefix, with the verb for the change of all entries.
  static func empty(_ name: String, which change: String) -> Self {
    usage(
      "\(name) is empty, which would \(change) all entries; nothing was done. If its value is a shell "
        + "variable, check that it is set")
  }

  static let emptyNewKey = usage(
    "the new key is empty; nothing was renamed. Type '\"\"' for the empty key. If it is a shell "
      + "variable, check that it is set")

  static func noDryRun(_ variable: String) -> Self {
    usage(
      "\(variable) is set, but this command has no dry run; nothing was done. Unset it, or add "
        + OptionSpec.readOnly.name)
  }

  static func pathNotUTF8(_ shown: String) -> Self {
    usage(
      "the path “\(shown)” is not UTF-8; nothing was done. Rename the file, or open it through a "
        + "symbolic link")
  }

  static func wordNotUTF8(_ shown: String, digits: String) -> Self {
    usage(
      "the argument “\(shown)” is not UTF-8; nothing was done. Write a key with these bytes as "
        + "\"t'\(digits)'\", and pass a value with --stdin or --file")
  }
}

// MARK: The environment and the settings

extension Failure {
  static func unreadableSettings(_ path: String) -> Self {
    usage("--config: \(path) cannot be read; give an existing file")
  }
}

extension ConfigurationFile.Unreadable {
  static let tooLarge = Self("it is too large")
  static let notRegular = Self(Messages.notRegularFile)
}

enum Messages {
  static let listsCommands = "larder --help lists the commands"
  static let listsThemes = "larder themes lists them"
  static let notRegularFile = "it is not a regular file"

  static func unknownVariable(_ name: String, near: String) -> String {
    "larder has no variable \(name); did you mean \(near)?"
  }

  static func readOnly(byVariable name: String) -> String { "\(name) is set in the environment" }

  static func readOnly(byOption name: String) -> String { "larder was started with \(name)" }

  static func readOnly(bySettings path: String, line: Int) -> String {
    "\"read-only\" is set in \(path), line \(line)"
  }

  static func readOnly(byUnreadable path: String) -> String {
    "\(path) may set \"read-only\", but is unreadable or invalid; larder doctor explains why"
  }

  static func unreadable(_ path: String, _ reason: any Error) -> String {
    "\(path) is not applied, so nothing is written: \(reason)"
  }

  static func untrusted(_ path: String, _ refusal: TrustedPath.Refusal) -> String {
    "\(path) is not applied, except for \"read-only\" and \"protected\": \(refusal)"
  }
}

// MARK: The process

extension Failure {
  static func noFileLimit(_ reason: String) -> Self {
    Failure(
      .store,
      "the limit on open files is too low: \(reason). Raise it with ulimit -n 256")
  }

  static func noMemory(_ reason: String) -> Self {
    Failure(
      .store,
      "there is too little memory: \(reason). Raise the limit with ulimit -v, or close programs")
  }

  static let noPipe = Failure(.store, "the system has no pipe left; close other programs")
}

extension Messages {
  static let closed = "it is closed"

  static func unwritableOutput(_ reason: String, isChanged: Bool) -> String {
    "cannot write to standard output: \(reason)"
      + (isChanged ? "; the change itself was made" : "")
  }

  static func noPager(_ command: String) -> String {
    "there is no program “\(command)”; choose a pager with --pager or PAGER"
  }

  static func unrunnablePager(_ command: String) -> String {
    "the pager “\(command)” cannot be run; --no-pager runs without one"
  }

  static func interrupted(_ outcome: String) -> String { "interrupted; \(outcome)" }

  /// Returns a clause such as `2 entries were exported`.
  static func processed(_ count: Int, _ verb: String) -> String {
    "\(Thousands.text(count)) \(count == 1 ? "entry was" : "entries were") \(verb)"
  }
}
