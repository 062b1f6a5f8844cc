/// Which entries of a store to list.
public struct EntryFilter: Sendable, Hashable {
  /// How the text is looked for.
  public enum Pattern: Sendable, Hashable {
    /// The text occurs; letters of either case match unless the text holds a capital.
    case text(String)
    /// The regular expression matches somewhere.
    case regex(String)

    /// Whether both look for the same bytes in the same way.
    public static func == (left: Self, right: Self) -> Bool {
      switch (left, right) {
      case (.text(let left), .text(let right)), (.regex(let left), .regex(let right)):
        left.hasBytes(of: right)
      default: false
      }
    }

    /// Feeds the bytes that are looked for to the hasher.
    public func hash(into hasher: inout Hasher) {
      switch self {
      case .text(let text), .regex(let text): hasher.combine(Array(text.utf8))
      }
    }
  }

  /// Where the pattern is looked for.
  public enum Field: Sendable, Hashable {
    /// In the text of the key.
    case keys
    /// In the text of the value.
    case values
  }

  /// What to look for.
  public var pattern: Pattern
  /// Where to look.
  public var field: Field

  /// Creates a filter.
  public init(_ pattern: Pattern, in field: Field = .keys) {
    self.pattern = pattern
    self.field = field
  }
}
