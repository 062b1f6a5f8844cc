import LarderModel

/// The history of submitted lines, by the purpose of the prompt and possibly by store.
package struct PromptHistory: Sendable, Equatable {
  private struct Place: Hashable {
    let purpose: ObjectIdentifier
    let store: StoreReference?
  }

  /// The lines of each purpose, newest last.
  private var lines: [Place: [String]] = [:]

  /// The maximum number of lines for each purpose.
  static let depth = 100

  package init() {}

  /// Returns the lines of a purpose, newest last.
  package func lines(of purpose: any PromptPurpose) -> [String] {
    lines[Self.place(of: purpose)] ?? []
  }

  private static func place(of purpose: any PromptPurpose) -> Place {
    Place(purpose: ObjectIdentifier(type(of: purpose).history), store: purpose.historyStore)
  }

  /// Adds a line as the newest; an equal earlier line is removed.
  mutating func remember(_ line: String, for purpose: any PromptPurpose) {
    guard !line.isEmpty else { return }
    var kept = lines(of: purpose).filter { !$0.hasBytes(of: line) }
    kept.append(line)
    lines[Self.place(of: purpose)] = kept.suffix(Self.depth)
  }
}
