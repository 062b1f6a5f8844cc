/// A scrollbar that shows which part of a list is visible.
public struct Scrollbar: Hashable, Sendable {
  /// The number of rows of the list.
  public var total: Int
  /// The first visible row.
  public var offset: Int
  /// The number of visible rows.
  public var visible: Int

  /// Creates a scrollbar.
  public init(total: Int, offset: Int, visible: Int) {
    self.total = total
    self.offset = offset
    self.visible = visible
  }

  /// Returns the cells of a track that the thumb covers, or nil if the whole list is visible.
  ///
  /// If the track is long enough, the thumb touches an end only if the list is scrolled to that
  /// end.
  public func thumb(length: Int) -> Range<Int>? {
    guard length > 0, total > visible, visible > 0 else { return nil }
    let hidden = Double(total) - Double(visible)
    let share = Double(length) * Double(visible) / Double(total)
    let size = Int(share.rounded()).clamped(to: 1...max(1, length - 1))
    let room = length - size
    let fraction = min(1, max(0, Double(offset) / hidden))
    var start = Int((fraction * Double(room)).rounded())
    if room >= 2, fraction > 0, fraction < 1 { start = start.clamped(to: 1...room - 1) }
    return start..<start + size
  }

  /// Draws the thumb over the right column of a rectangle, which may already have a border.
  public func draw(on screen: inout Screen, in rect: Rect, style: Style) {
    guard rect.width > 0, let thumb = thumb(length: rect.height) else { return }
    screen.verticalLine(
      at: Point(x: rect.maxX - 1, y: rect.y + thumb.lowerBound), length: thumb.count,
      style: style, character: "┃")
  }
}
