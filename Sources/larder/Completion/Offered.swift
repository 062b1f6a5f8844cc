/// A kind of completion for an argument.
enum Offered: Equatable, Sendable {
  /// No completion.
  case nothing
  /// A store, or a collection in a store.
  case location
  /// A key of the store on the command line.
  case key
  /// A key prefix in that store.
  case prefix
  /// A file or folder.
  case path
  /// A theme.
  case theme
  /// A command.
  case command
  /// One of a fixed set of words.
  case choices([String])
}

extension Subcommand {
  /// Returns the possible completions for an argument.
  ///
  /// - Parameter place: The index of the argument after the command.
  /// - Returns: The kinds of completion.
  func offered(at place: Int) -> [Offered] {
    let places = usage.compactMap(\.place)
    if places.indices.contains(place) { return places[place].offered }
    guard let last = places.last, last.isRepeated else { return [] }
    return last.offered
  }
}
