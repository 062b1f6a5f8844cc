import LarderModel

/// The history of submitted lines, by the purpose of the prompt.
package struct PromptHistory: Sendable, Equatable {
  /// The lines by the type of the purpose, newest last.
  private var lines: [ObjectIdentifier: [String]] = [:]

  /// The maximum number of lines for each purpose.
  static let depth = 100

  package init() {}

  /// Returns the lines of a purpose, newest last.
  package func lines(of purpose: any PromptPurpose) -> [String] {
    lines[Self.id(of: purpose)] ?? []
  }

  private static func id(of purpose: any PromptPurpose) -> ObjectIdentifier {
    ObjectIdentifier(type(of: purpose).history)
  }

  /// Adds a line as the newest; an equal earlier line is removed.
  mutating func remember(_ line: String, for purpose: any PromptPurpose) {
    guard !line.isEmpty else { return }
    var kept = lines(of: purpose).filter { !$0.hasBytes(of: line) }
    kept.append(line)
    lines[Self.id(of: purpose)] = kept.suffix(Self.depth)
  }
}
