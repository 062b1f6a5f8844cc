/// What a word of the command line can be completed to.
enum Offered: Equatable, Sendable {
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
  /// A command.
  case command
  /// One of some words.
  case choices([String])
}

extension Subcommand {
  /// What the words after the command can be.
  ///
  /// - Parameter place: The number of words between the command and the one that is meant.
  /// - Returns: Each of what it can be.
  func offered(at place: Int) -> [Offered] {
    let places = usage.compactMap(\.place)
    if places.indices.contains(place) { return places[place].offered }
    guard let last = places.last, last.isRepeated else { return [] }
    return last.offered
  }
}
