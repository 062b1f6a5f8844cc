/// The keys that call commands: those that the commands name, or others that a user has chosen.
package struct Bindings: Sendable, Equatable {
  /// The keys as the commands name them.
  package static let standard = Bindings()

  private var chosen: [String: [String]] = [:]

  package init() {}

  /// Makes keys the only ones of a command, and takes them from others that work in the same place.
  ///
  /// - Returns: The others that have lost keys, with these.
  @discardableResult
  package mutating func choose(
    _ keys: [String], for command: Command
  ) -> [(command: Command, keys: [String])] {
    var losers: [(command: Command, keys: [String])] = []
    for other in Command.all where other.id != command.id {
      guard !other.places.isDisjoint(with: command.places) else { continue }
      let present = self.keys(of: other)
      let lost = present.filter(keys.contains)
      guard !lost.isEmpty else { continue }
      chosen[other.id] = present.filter { !keys.contains($0) }
      losers.append((other, lost))
    }
    chosen[command.id] = keys
    return losers
  }

  /// The keys of a command, the one to be shown first.
  package func keys(of command: Command) -> [String] { chosen[command.id] ?? command.keys }

  /// The keys of a command in a line; of those that stand for numbers, the first and the last.
  package func text(of command: Command) -> String {
    let keys = keys(of: command)
    guard command.numbersKeys, keys.count > 2 else { return keys.joined(separator: " ") }
    return [keys.first, keys.last].compactMap { $0 }.joined(separator: " … ")
  }

  /// How to call a command: its first key, or its name where it has none.
  package func call(_ id: String) -> String {
    Command.named(id).flatMap { keys(of: $0).first } ?? ":\(id)"
  }
}
