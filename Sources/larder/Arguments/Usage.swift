/// The arguments and options that follow a command, for the help and for parsing.
indirect enum Usage: Sendable {
  /// A placeholder for an argument, such as `KEY`; a trailing `…` allows several arguments.
  case word(String, Offered = .nothing)
  /// An option.
  case option(OptionSpec)
  /// At most one of several alternatives.
  case optional([Usage])
  /// Exactly one of several alternatives.
  case either([Usage])

  /// The location of a store.
  static let location = Usage.word("LOCATION", .location)
  /// A key of the store on the command line.
  static let key = Usage.word("KEY", .key)

  /// Returns an optional option.
  static func optional(_ option: OptionSpec) -> Usage { .optional([.option(option)]) }

  /// Returns an optional argument.
  static func optional(_ word: Usage) -> Usage { .optional([word]) }

  /// Returns options that exclude each other, all of them optional.
  static func oneOf(_ options: OptionSpec...) -> Usage { .optional(options.map { .option($0) }) }

  /// All options, in order.
  var options: [OptionSpec] {
    switch self {
    case .word: []
    case .option(let option): [option]
    case .optional(let parts), .either(let parts): parts.flatMap(\.options)
    }
  }

  /// The notation in the help.
  var text: String {
    switch self {
    case .word(let name, _): name
    case .option(let option): Self.text(of: option)
    case .optional(let parts): "[" + Self.text(of: parts) + "]"
    case .either(let parts): "(" + Self.text(of: parts) + ")"
    }
  }

  /// The completions for an argument in this place, and whether it can be repeated; nil for
  /// options.
  var place: (offered: [Offered], isRepeated: Bool)? {
    switch self {
    case .word(let name, let offered): return ([offered], name.hasSuffix("…"))
    case .option: return nil
    case .optional(let parts), .either(let parts):
      let places = parts.compactMap(\.place)
      guard !places.isEmpty else { return nil }
      return (places.flatMap(\.offered), places.contains(where: \.isRepeated))
    }
  }

  private static func text(of parts: [Usage]) -> String {
    parts.map(\.text).joined(separator: " | ")
  }

  /// The maximum length of choices in the usage; longer ones only appear in the list of options.
  private static let width = 32

  private static func text(of option: OptionSpec) -> String {
    guard let choices = option.choices?.joined(separator: "|"), choices.count <= width else {
      return option.usage
    }
    return "\(option.name) \(choices)"
  }
}
