/// Shows which part of a long list is on the screen.
public struct Scrollbar: Hashable, Sendable {
  /// The number of rows of the whole list.
  public var total: Int
  /// The first row that is shown.
  public var offset: Int
  /// The number of rows that are shown.
  public var visible: Int

  /// Makes a bar for a list.
  public init(total: Int, offset: Int, visible: Int) {
    self.total = total
    self.offset = offset
    self.visible = visible
  }

  /// Which cells of a track the thumb covers; nil if the whole list is shown.
  ///
  /// The thumb is at an end only if the list is, wherever the track has room to tell.
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

  /// Draws the thumb over the right column of a rectangle, where a border may be already.
  public func draw(on screen: inout Screen, in rect: Rect, style: Style) {
    guard rect.width > 0, let thumb = thumb(length: rect.height) else { return }
    screen.verticalLine(
      at: Point(x: rect.maxX - 1, y: rect.y + thumb.lowerBound), length: thumb.count,
      style: style, character: "┃")
  }
}
