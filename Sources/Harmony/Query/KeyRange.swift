/// A range of keys of a source.
///
/// Keys are compared by the bytes of their UTF-8, which is the order of their Unicode scalars, the
/// same in every locale, and the order of SQLite's `BINARY` collation. Keys that only look alike,
/// such as the two spellings of `é`, are different keys.
public struct KeyRange: Hashable, Sendable {
  /// The lower bound, inclusive; nil if there is none.
  public let lowerBound: String?

  /// The upper bound, exclusive; nil if there is none.
  public let upperBound: String?

  /// All keys.
  public static let all = KeyRange()

  /// Creates a range from a lower bound up to but not including an upper bound.
  ///
  /// - Parameters:
  ///   - lowerBound: The lower bound, inclusive; nil for none.
  ///   - upperBound: The upper bound, exclusive; nil for none.
  public init(from lowerBound: String? = nil, upTo upperBound: String? = nil) {
    self.lowerBound = lowerBound
    self.upperBound = upperBound
  }

  /// Creates the range of the keys with a prefix.
  ///
  /// - Parameter prefix: The prefix, in which every character counts, including a trailing dot.
  public init(prefix: String) {
    self.init(from: prefix, upTo: Self.successor(ofKeysWith: prefix))
  }

  /// Returns whether a key is in the range.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether it is not below the lower bound, and below the upper one.
  public func contains(_ key: String) -> Bool {
    if let lowerBound, key.isOrderedBefore(lowerBound) { return false }
    if let upperBound, !key.isOrderedBefore(upperBound) { return false }
    return true
  }

  /// Returns the smallest string after all strings with a prefix; nil if there is none.
  private static func successor(ofKeysWith prefix: String) -> String? {
    var scalars = prefix.unicodeScalars
    while let last = scalars.popLast() {
      // Surrogates, which are not scalars, follow U+D7FF.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      scalars.append(scalar)
      return String(scalars)
    }
    return nil
  }
}

extension String {
  /// Whether this string comes before another in the order of their UTF-8.
  package func isOrderedBefore(_ other: String) -> Bool {
    withBytes { left in other.withBytes { left.lexicographicallyPrecedes($0) } }
  }
}

extension [String] {
  /// Returns these strings in ascending order of their UTF-8.
  @usableFromInline
  func inOrderOfBytes() -> [String] {
    sorted { $0.isOrderedBefore($1) }
  }
}
