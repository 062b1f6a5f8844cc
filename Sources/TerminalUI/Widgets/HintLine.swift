/// A line of keys and what they do, as many as there is room for.
public struct HintLine: Hashable, Sendable {
  /// A key and what it does.
  public struct Hint: Hashable, Sendable {
    /// The key as people write it.
    public var key: String
    /// What it does, in a word.
    public var label: String

    /// Makes a hint.
    public init(key: String, label: String) {
      self.key = key
      self.label = label
    }

    /// The cells it takes, with the blank between its parts.
    var width: Int {
      let key = TextWidth.of(key)
      let label = TextWidth.of(label)
      return key + label + (key > 0 && label > 0 ? 1 : 0)
    }
  }

  /// The hints, the most important first.
  public var hints: [Hint]
  /// The blanks between two hints.
  public static let gap = 2

  /// How many of the last hints stay where there is no room for all.
  public var pinnedCount: Int

  /// Makes a line.
  ///
  /// - Parameters:
  ///   - hints: The hints, the most important first.
  ///   - pinnedCount: How many of the last ones stay where there is no room for all.
  public init(_ hints: [Hint], pinnedCount: Int = 0) {
    self.hints = hints
    self.pinnedCount = pinnedCount
  }

  /// The hints that fit into so many cells: those from the first to one that does not, and behind them
  /// the pinned ones, where at least one other fits beside them.
  public func fitting(width: Int) -> [Hint] {
    let pinned = hints.suffix(max(0, pinnedCount))
    let others = Self.fitting(hints.dropLast(pinned.count), width - Self.width(of: pinned))
    guard !others.isEmpty else { return Array(Self.fitting(hints[...], width)) }
    return Array(others) + Array(pinned)
  }

  /// How many of so many cells the hints take that fit.
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

  /// The hint that is drawn at a column, counted from the first of the line.
  public func hint(at column: Int, width: Int) -> Hint? {
    var x = 0
    for hint in fitting(width: width) {
      if x > 0 { x += Self.gap }
      if (x..<(x + hint.width)).contains(column) { return hint }
      x += hint.width
    }
    return nil
  }

  /// Draws the hints that fit, each as a whole, and says how many cells they took.
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
