/// A stretch of the keys of a source, in ascending order.
///
/// Keys are compared by the bytes of their UTF-8, which is the order of their Unicode scalars;
/// the same in every locale, and that of SQLite's `BINARY`. Keys that only look alike, such as the
/// two spellings of `é`, are different keys.
public struct KeyRange: Hashable, Sendable {
  /// The first key that can be in the range; nil if there is no bound.
  public let lowerBound: String?

  /// The first key that can no longer be in the range; nil if there is no bound.
  public let upperBound: String?

  /// All keys.
  public static let all = KeyRange()

  /// Creates the range of the keys from one on, up to and without another.
  ///
  /// - Parameters:
  ///   - lowerBound: The first key that can be in the range; nil for no bound.
  ///   - upperBound: The first key that can no longer be in the range; nil for no bound.
  public init(from lowerBound: String? = nil, upTo upperBound: String? = nil) {
    self.lowerBound = lowerBound
    self.upperBound = upperBound
  }

  /// Creates the range of the keys that begin with a text.
  ///
  /// - Parameter prefix: The text, every character of which counts, also a dot at its end.
  public init(prefix: String) {
    self.init(from: prefix, upTo: Self.successor(ofKeysWith: prefix))
  }

  /// Whether a key is in the range.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether it is not below the lower bound, and below the upper one.
  public func contains(_ key: String) -> Bool {
    if let lowerBound, key.isOrderedBefore(lowerBound) { return false }
    if let upperBound, !key.isOrderedBefore(upperBound) { return false }
    return true
  }

  /// The smallest text above all texts with a prefix; nil if nothing is above them.
  private static func successor(ofKeysWith prefix: String) -> String? {
    var scalars = prefix.unicodeScalars
    while let last = scalars.popLast() {
      // Surrogates, which are no scalars, lie behind U+D7FF.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      scalars.append(scalar)
      return String(scalars)
    }
    return nil
  }
}

extension String {
  /// Whether this text is before another in the order of their UTF-8.
  package func isOrderedBefore(_ other: String) -> Bool {
    withBytes { left in other.withBytes { left.lexicographicallyPrecedes($0) } }
  }
}

extension [String] {
  /// These texts in the ascending order of their UTF-8.
  @usableFromInline
  func inOrderOfBytes() -> [String] {
    sorted { $0.isOrderedBefore($1) }
  }
}
