import LarderCore

/// The words of a command line, sorted into options and others.
struct Arguments: Sendable {
  /// The words that are not options, in order.
  private(set) var words: [String] = []
  private var values: [String: [String]] = [:]
  /// What was set for good, in a file.
  private(set) var file = ConfigurationFile()

  /// Sorts words by the options that a command takes; `--` ends the options.
  init(_ list: some Sequence<String>, options: [OptionSpec]) throws {
    var iterator = list.makeIterator()
    var isOver = false
    while let word = iterator.next() {
      if isOver || !word.hasPrefix("-") || word == "-" || Self.isNumber(word, options) {
        words.append(word)
      } else if word == "--" {
        isOver = true
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

  /// Whether an option was given, or set for good.
  func has(_ option: OptionSpec) -> Bool {
    switch option.name {
    case OptionSpec.readOnly.name where file.configuration.isReadOnly: true
    case OptionSpec.noJournal.name where !file.configuration.keepsJournal: true
    // Who names a location wants that.
    case OptionSpec.resume.name where file.configuration.resumes && words.isEmpty: true
    default: values[option.name] != nil
    }
  }

  /// Reads what was set for good, which applies where the command line says nothing.
  mutating func readConfiguration(environment: [String: String]) throws {
    file = try ConfigurationFile(self[.config], environment: environment)
    if self[.delimiter] == nil, let delimiter = file.configuration.delimiter {
      values[OptionSpec.delimiter.name] = [delimiter]
    }
  }

  /// The value of an option; the last one where it was given more than once.
  subscript(option: OptionSpec) -> String? {
    values[option.name]?.last
  }

  /// The duration that an option names.
  func duration(_ option: OptionSpec) throws -> Duration? {
    guard let text = self[option] else { return nil }
    guard let duration = Duration(shortText: text) else {
      throw Failure.usage(
        "\(option.name) takes a duration such as 30s, 10m, 2h or 7d, not “\(text)”")
    }
    return duration
  }

  /// The whole number that an option names.
  func count(_ option: OptionSpec) throws -> Int? {
    guard let text = self[option] else { return nil }
    guard let count = Int(text), count >= 0 else {
      throw Failure.usage("\(option.name) takes a whole number, not “\(text)”")
    }
    return count
  }

  private mutating func add(
    _ option: OptionSpec, attached: String?, next: () -> String?
  ) throws {
    guard let placeholder = option.value else {
      guard attached == nil else { throw Failure.usage("\(option.name) takes no value") }
      values[option.name, default: []].append("")
      return
    }
    guard let value = attached ?? next() else {
      throw Failure.usage("\(option.name) needs a value: \(option.name) \(placeholder)")
    }
    if let choices = option.choices, !choices.contains(value) {
      throw Failure.usage(
        "\(option.name) is \(choices.joined(separator: ", ")); “\(value)” is none of them")
    }
    values[option.name, default: []].append(value)
  }

  /// Whether a word is a negative number rather than an option, as the key -5 is.
  private static func isNumber(_ word: String, _ options: [OptionSpec]) -> Bool {
    word.dropFirst().first?.isNumber == true && option(word, in: options) == nil
  }

  private static func option(_ name: String, in options: [OptionSpec]) -> OptionSpec? {
    let short = ["-h": OptionSpec.help, "-q": .quiet]
    return short[name] ?? options.first { $0.name == name }
  }

  private static func unknown(_ name: String, in options: [OptionSpec]) -> Failure {
    let near = Nearest.word(to: name, in: options.map(\.name))
    let advice = near.map { "did you mean \($0)?" } ?? "larder --help lists the options"
    return .usage("there is no option \(name) here; \(advice)")
  }
}

/// The word that a mistyped one was probably meant to be.
enum Nearest {
  static func word(to typed: String, in words: [String]) -> String? {
    let scored = words.map { ($0, distance($0, typed)) }.min { $0.1 < $1.1 }
    guard let (word, distance) = scored, distance <= max(1, typed.count / 3) else { return nil }
    return word
  }

  /// How many letters have to be changed, added, left out or exchanged with their neighbour.
  private static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var rows = [Array(0...right.count)]
    for (line, letter) in left.enumerated() {
      var row = [line + 1]
      for (column, other) in right.enumerated() {
        var least = min(rows[line][column] + (letter == other ? 0 : 1), row[column] + 1)
        least = min(least, rows[line][column + 1] + 1)
        if line > 0, column > 0, letter == right[column - 1], left[line - 1] == other {
          least = min(least, rows[line - 1][column - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
