/// What follows a command: words and options, as the help shows them and the line is read.
indirect enum Usage: Sendable {
  /// A word that stands for another, such as `KEY`; several of them where it ends in `…`.
  case word(String, Offered = .nothing)
  /// An option.
  case option(OptionSpec)
  /// One of several things, or none of them.
  case optional([Usage])
  /// One of several things.
  case either([Usage])

  /// A store.
  static let location = Usage.word("LOCATION", .location)
  /// A key of the store that the line names.
  static let key = Usage.word("KEY", .key)

  /// An option that may be left out.
  static func optional(_ option: OptionSpec) -> Usage { .optional([.option(option)]) }

  /// A word that may be left out.
  static func optional(_ word: Usage) -> Usage { .optional([word]) }

  /// Options of which at most one is given.
  static func oneOf(_ options: OptionSpec...) -> Usage { .optional(options.map { .option($0) }) }

  /// The options in it, in order.
  var options: [OptionSpec] {
    switch self {
    case .word: []
    case .option(let option): [option]
    case .optional(let parts), .either(let parts): parts.flatMap(\.options)
    }
  }

  /// How the help writes it.
  var text: String {
    switch self {
    case .word(let name, _): name
    case .option(let option): Self.text(of: option)
    case .optional(let parts): "[" + Self.text(of: parts) + "]"
    case .either(let parts): "(" + Self.text(of: parts) + ")"
    }
  }

  /// What a word in its place can be completed to, and whether more such words may follow; nil for
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

  /// The maximum length of choices that are written out; the list of options names all.
  private static let width = 32

  private static func text(of option: OptionSpec) -> String {
    guard let choices = option.choices?.joined(separator: "|"), choices.count <= width else {
      return option.usage
    }
    return "\(option.name) \(choices)"
  }
}
