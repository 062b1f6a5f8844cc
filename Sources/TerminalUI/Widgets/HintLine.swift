/// A line of key hints, showing as many as fit.
public struct HintLine: Hashable, Sendable {
  /// A key and its effect.
  public struct Hint: Hashable, Sendable {
    /// The key, as shown to users.
    public var key: String
    /// The effect, in a word.
    public var label: String

    /// Creates a hint.
    public init(key: String, label: String) {
      self.key = key
      self.label = label
    }

    /// The width in cells, including the blank between key and label.
    var width: Int {
      let key = TextWidth.of(key)
      let label = TextWidth.of(label)
      return key + label + (key > 0 && label > 0 ? 1 : 0)
    }
  }

  /// The hints, the most important first.
  public var hints: [Hint]
  /// The number of blanks between two hints.
  public static let gap = 2

  /// The number of hints at the end that take precedence if not all fit.
  public var pinnedCount: Int

  /// Creates a line of hints.
  ///
  /// - Parameters:
  ///   - hints: The hints, the most important first.
  ///   - pinnedCount: The number of hints at the end that take precedence if not all fit.
  public init(_ hints: [Hint], pinnedCount: Int = 0) {
    self.hints = hints
    self.pinnedCount = pinnedCount
  }

  /// Returns the hints that fit into a width: the first ones, followed by the pinned ones, or the
  /// first ones alone if there is no room for all pinned ones.
  public func fitting(width: Int) -> [Hint] {
    let pinned = hints.suffix(max(0, pinnedCount))
    let others = Self.fitting(hints.dropLast(pinned.count), width - Self.width(of: pinned))
    guard width >= Self.width(of: pinned) - Self.gap else {
      return Array(Self.fitting(hints[...], width))
    }
    return Array(others) + Array(pinned)
  }

  /// Returns the number of cells that the hints that fit into a width occupy.
  public func width(in width: Int) -> Int {
    max(0, Self.width(of: fitting(width: width)[...]) - Self.gap)
  }

  private static func width(of hints: ArraySlice<Hint>) -> Int {
    hints.reduce(0) { $0 + $1.width + gap }
  }

  private static func fitting(_ hints: ArraySlice<Hint>, _ width: Int) -> ArraySlice<Hint> {
    var room = width
    var count = 0
    for hint in hints {
      room -= hint.width + (count == 0 ? 0 : gap)
      guard room >= 0 else { break }
      count += 1
    }
    return hints.prefix(count)
  }

  /// Returns the hint at a column, counted from the start of the line, or nil if there is none.
  public func hint(at column: Int, width: Int) -> Hint? {
    var x = 0
    for hint in fitting(width: width) {
      if x > 0 { x += Self.gap }
      if (x..<(x + hint.width)).contains(column) { return hint }
      x += hint.width
    }
    return nil
  }

  /// Draws the hints that fit completely, and returns their width in cells.
  @discardableResult
  public func draw(
    on screen: inout Screen, at point: Point, width: Int, keyStyle: Style, labelStyle: Style
  ) -> Int {
    let start = point.x.clamped(to: -Rect.limit...Rect.limit)
    var x = start
    for hint in fitting(width: width) {
      if x > start { x += Self.gap }
      x += screen.put(hint.key, at: Point(x: x, y: point.y), style: keyStyle)
      guard !hint.label.isEmpty else { continue }
      if !hint.key.isEmpty { x += 1 }
      x += screen.put(hint.label, at: Point(x: x, y: point.y), style: labelStyle)
    }
    return x - start
  }
}
