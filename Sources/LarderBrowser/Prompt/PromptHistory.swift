import LarderModel

/// The lines that were taken in earlier prompts, to be had again in others for the same purpose.
package struct PromptHistory: Sendable, Equatable {
  /// The lines by the purposes that they were typed for.
  private var lines: [ObjectIdentifier: [String]] = [:]

  /// The maximum number of lines for a purpose that are kept.
  static let depth = 100

  package init() {}

  /// The lines that were typed for a purpose, the latest last.
  package func lines(of purpose: any PromptPurpose) -> [String] {
    lines[Self.id(of: purpose)] ?? []
  }

  private static func id(of purpose: any PromptPurpose) -> ObjectIdentifier {
    ObjectIdentifier(type(of: purpose).history)
  }

  /// Keeps a line as the latest; one that was taken before moves there.
  mutating func remember(_ line: String, for purpose: any PromptPurpose) {
    guard !line.isEmpty else { return }
    var kept = lines(of: purpose).filter { !$0.hasBytes(of: line) }
    kept.append(line)
    lines[Self.id(of: purpose)] = kept.suffix(Self.depth)
  }
}
