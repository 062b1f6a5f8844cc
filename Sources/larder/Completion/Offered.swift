import LarderCore

/// What a word of the command line can be completed to.
enum Offered: Equatable {
  /// Nothing that is known beforehand.
  case nothing
  /// A store, or a collection in one.
  case location
  /// A key of the store that the line names.
  case key
  /// What keys of that store begin with.
  case prefix
  /// A file or folder.
  case path
  /// A theme.
  case theme
  /// One of some words.
  case choices([String])

  /// What stands for a word in the usage of a command, such as `LOCATION`.
  init(word: String) {
    switch word {
    case "LOCATION": self = .location
    case "KEY", "OLD", "NEW": self = .key
    case "FILE", "DIR": self = .path
    default: self = .nothing
    }
  }

  /// The value of an option.
  init(valueOf option: OptionSpec) {
    if let choices = option.choices {
      self = .choices(choices)
    } else if option.name == OptionSpec.theme.name {
      self = .theme
    } else {
      switch option.value {
      case "P": self = .prefix
      case "F", "FILE": self = .path
      case "T": self = .choices(StoredType.allCases.map(\.rawValue))
      default: self = .nothing
      }
    }
  }
}

extension Subcommand {
  /// What the words after the command can be, read from its usage.
  ///
  /// - Parameter place: The number of words between the command and the one that is meant.
  /// - Returns: Each of what it can be.
  func offered(at place: Int) -> [Offered] {
    var places: [[Offered]] = []
    var isRepeated = false
    var isAlternative = false
    for part in usage.split(separator: " ") {
      let part = String(part.filter { !"[]()".contains($0) })
      if part.hasPrefix("-") { break }
      if part == "|" {
        isAlternative = true
        continue
      }
      isRepeated = part.hasSuffix("…")
      let words = part.split(separator: "|").map(String.init)
      let offered =
        words.count > 1
        ? Offered.choices(words) : Offered(word: isRepeated ? String(part.dropLast()) : part)
      if isAlternative, !places.isEmpty {
        places[places.count - 1].append(offered)
      } else {
        places.append([offered])
      }
      isAlternative = false
    }
    if places.indices.contains(place) { return places[place] }
    return isRepeated ? places.last ?? [] : []
  }
}
