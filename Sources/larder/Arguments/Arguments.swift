import LarderFormats
import LarderBrowser
import LarderModel

/// A parsed command line: its options and positional arguments.
///
/// Options that the command line omits come from the environment, and then from the settings file.
struct Arguments: Sendable {
  /// The positional arguments, in order.
  private(set) var words: [String] = []
  private var values: [String: [String]] = [:]
  /// The names of environment variables that supplied options, by option name.
  private var variables: [String: String] = [:]
  /// The number of positional arguments before the `--` that ends the options; nil without one.
  private(set) var literalStart: Int?
  private let options: [OptionSpec]
  /// The settings file.
  private(set) var file = ConfigurationFile()
  /// Warnings about environment variables and settings that could not be applied, as sentences.
  private(set) var problems: [String] = []

  /// The stored values of a flag that is on or off.
  private static let (yes, no) = ("yes", "no")

  /// Parses arguments according to the options of a command; `--` ends the options.
  init(_ list: some Sequence<String>, options: [OptionSpec]) throws {
    self.options = options
    var iterator = list.makeIterator()
    var isOver = false
    while let word = iterator.next() {
      if isOver || !word.hasPrefix("-") || word == "-" || Self.isNumber(word, options) {
        words.append(word)
      } else if word == "--" {
        isOver = true
        literalStart = words.count
      } else {
        let name = String(word.prefix { $0 != "=" })
        guard let option = Self.option(name, in: options) else {
          throw Self.unknown(name, in: options)
        }
        let attached = name.count < word.count ? String(word.dropFirst(name.count + 1)) : nil
        try add(option, attached: attached) { iterator.next() }
      }
    }
  }

  /// Whether an option is given on the command line, in the environment or in the settings file.
  func has(_ option: OptionSpec) -> Bool {
    if let value = values[option.name]?.last { return option.value != nil || value == Self.yes }
    return switch option.name {
    case OptionSpec.readOnly.name: file.configuration.isReadOnly
    case OptionSpec.noJournal.name: !file.configuration.keepsJournal
    // An explicit location overrides the setting to resume.
    case OptionSpec.resume.name: file.configuration.resumes && words.isEmpty
    default: false
    }
  }

  /// Reads environment variables and the settings file, for options missing on the command line.
  mutating func readSettings(environment: [String: String]) throws {
    try readVariables(environment)
    file = try ConfigurationFile(self[.config], environment: environment)
    problems += file.problems
    if self[.delimiter] == nil, let delimiter = file.configuration.delimiter {
      values[OptionSpec.delimiter.name] = [delimiter]
    }
  }

  /// The value of an option; the last one if it is given more than once.
  subscript(option: OptionSpec) -> String? {
    values[option.name]?.last
  }

  /// Returns the duration given for an option, such as `10m` or `10 minutes`, which may follow `in`.
  ///
  /// Dates and words that the prompt for an expiry also takes, such as `now`, are refused.
  func duration(_ option: OptionSpec) throws -> Duration? {
    guard let text = self[option] else { return nil }
    let words = text.split(separator: " ")
    let isAfterIn = words.count > 1 && words[0].lowercased() == "in"
    let time = words.dropFirst(isAfterIn ? 1 : 0).joined(separator: " ")
    guard let duration = Duration(words: time) else {
      throw Failure.notDuration(text, of: place(of: option))
    }
    return duration
  }

  /// Returns the whole number given for an option.
  func count(_ option: OptionSpec) throws -> Int? {
    guard let text = self[option] else { return nil }
    guard let count = Int(text), count >= 0 else {
      throw Failure.notCount(text, of: place(of: option))
    }
    return count
  }

  /// Returns the option's name or that of the environment variable that set it, for messages.
  func place(of option: OptionSpec) -> String {
    variables[option.name] ?? option.name
  }

  /// The cause of read-only mode, as a sentence.
  var readOnlyReason: String {
    let option = OptionSpec.readOnly
    if let variable = variables[option.name] { return Messages.readOnly(byVariable: variable) }
    if values[option.name] != nil { return Messages.readOnly(byOption: option.name) }
    return file.readOnlyReason
  }

  /// Refuses to run a command that writes but has no `--dry-run` if `LARDER_DRY_RUN` is set.
  func checkDryRun(_ environment: [String: String]) throws {
    guard let variable = OptionSpec.dryRun.variable, let text = environment[variable],
      !text.isEmpty, !options.contains(where: { $0.name == OptionSpec.dryRun.name }),
      try Self.value(text, of: .dryRun, from: variable) == Self.yes, !has(.readOnly)
    else { return }
    throw Failure.noDryRun(variable)
  }

  private mutating func readVariables(_ environment: [String: String]) throws {
    for option in options where values[option.name] == nil {
      guard let variable = option.variable, let text = environment[variable], !text.isEmpty else {
        continue
      }
      values[option.name] = [try Self.value(text, of: option, from: variable)]
      variables[option.name] = variable
    }
    // A variable that larder does not read may be a misspelling.
    for name in environment.keys.sorted() where !Environment.isKnown(name) {
      guard name.hasPrefix("LARDER_") else { continue }
      let near = SpellingSuggestion.word(to: name, in: Environment.names)
      if let near { problems.append(Messages.unknownVariable(name, near: near)) }
    }
  }

  private mutating func add(
    _ option: OptionSpec, attached: String?, next: () -> String?
  ) throws {
    guard option.value != nil else {
      let value = try attached.map { try Self.value($0, of: option, from: option.name) }
      values[option.name, default: []].append(value ?? Self.yes)
      return
    }
    guard let value = attached ?? next() else {
      throw Failure.missingValue(option)
    }
    values[option.name, default: []].append(try Self.value(value, of: option, from: option.name))
  }

  /// Returns the value of an option in its stored form.
  private static func value(
    _ text: String, of option: OptionSpec, from name: String
  ) throws -> String {
    guard option.value != nil else {
      switch text.lowercased() {
      case "1", yes, "true", "on": return yes
      case "0", no, "false", "off": return no
      default: throw Failure.notFlag(text, of: name)
      }
    }
    if let choices = option.choices, !choices.contains(text) {
      throw Failure.notChoice(text, of: name, choices)
    }
    if option.name == OptionSpec.expiresZone.name, ExpiryZone(text) == nil {
      if text == "local", let problem = ExpiryZone.problem() { throw Failure.usage(problem) }
      throw Failure.notZone(text, of: name)
    }
    return text
  }

  /// Whether an argument is a negative number, such as the key -5, rather than an option.
  private static func isNumber(_ word: String, _ options: [OptionSpec]) -> Bool {
    word.dropFirst().first?.isNumber == true && option(word, in: options) == nil
  }

  private static func option(_ name: String, in options: [OptionSpec]) -> OptionSpec? {
    let short = ["-h": OptionSpec.help, "-q": .quiet]
    return short[name] ?? options.first { $0.name == name }
  }

  private static func unknown(_ name: String, in options: [OptionSpec]) -> Failure {
    name == "--as" ? .misplacedForm : .unknownOption(name, in: options.map(\.name))
  }
}
