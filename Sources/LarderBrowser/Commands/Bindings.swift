/// The key bindings of commands: the defaults, and those that the user has chosen.
package struct Bindings: Sendable, Equatable {
  /// The default bindings.
  package static let standard = Bindings()

  private var chosen: [String: [String]] = [:]

  package init() {}

  /// Makes keys the only ones of a command, and removes them from other commands in the same
  /// places.
  ///
  /// - Returns: The commands that lost keys, with the lost keys.
  @discardableResult
  package mutating func choose(
    _ keys: [String], for command: Command
  ) -> [(command: Command, keys: [String])] {
    var shadowed: [(command: Command, keys: [String])] = []
    for other in Command.all where other.id != command.id {
      guard !other.places.isDisjoint(with: command.places) else { continue }
      let present = self.keys(of: other)
      let lost = present.filter(keys.contains)
      guard !lost.isEmpty else { continue }
      chosen[other.id] = present.filter { !keys.contains($0) }
      shadowed.append((other, lost))
    }
    chosen[command.id] = keys
    return shadowed
  }

  /// Returns the keys of a command, starting with the one to display.
  package func keys(of command: Command) -> [String] { chosen[command.id] ?? command.keys }

  /// Returns the keys of a command as text, and only the first and last of keys for numbers.
  package func text(of command: Command) -> String {
    let keys = keys(of: command)
    guard command.numbersKeys, keys.count > 2 else { return keys.joined(separator: " ") }
    return [keys.first, keys.last].compactMap { $0 }.joined(separator: " … ")
  }

  /// Returns the first key of a command, or its name after a colon if it has no key.
  package func call(_ id: String) -> String {
    Command.named(id).flatMap { keys(of: $0).first } ?? ":\(id)"
  }
}
