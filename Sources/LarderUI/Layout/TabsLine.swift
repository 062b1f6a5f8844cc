import LarderBrowser
package import TerminalUI

/// The positions of the tabs in the tab line, where the current tab is always visible.
package struct TabsLine: Sendable, Equatable {
  /// A tab on the line.
  struct Label: Sendable, Equatable {
    let number: Int
    let text: String
    let area: Rect
    let isShown: Bool
  }

  /// The whole line.
  let area: Rect
  /// The visible tabs.
  private(set) var labels: [Label] = []
  /// The arrow to the tabs before the visible ones, with the tab that it shows.
  private(set) var earlier: Label?
  /// The arrow to the tabs after the visible ones, with the tab that it shows.
  private(set) var later: Label?

  /// The maximum width of a name.
  private static let nameWidth = 30

  /// Lays out the tabs.
  init(_ titles: [TabTitle], in area: Rect) {
    self.area = area
    let texts = titles.map { Self.text(of: $0, room: area.width - 2) }
    let widths = texts.map { TextWidth.of($0) }
    let shown = titles.firstIndex(where: \.isShown) ?? 0
    // The cells of the arrows are reserved even if there are none.
    let room = max(0, area.width - 2)
    var first = 0
    while first < shown, widths[first...shown].reduce(0, +) > room { first += 1 }
    var x = area.x + 1
    var next = first
    while next < titles.count, x + widths[next] <= area.x + 1 + room || next <= shown {
      let width = min(widths[next], max(0, area.x + 1 + room - x))
      labels.append(
        Label(
          number: titles[next].number, text: texts[next],
          area: Rect(x: x, y: area.y, width: width, height: 1), isShown: next == shown))
      x += width
      next += 1
    }
    if first > 0 { earlier = sign("‹", at: area.x, to: first) }
    if next < titles.count { later = sign("›", at: area.maxX - 1, to: next + 1) }
  }

  private func sign(_ text: String, at x: Int, to number: Int) -> Label? {
    guard x >= area.x, x < area.maxX else { return nil }
    return Label(
      number: number, text: text, area: Rect(x: x, y: area.y, width: 1, height: 1), isShown: false)
  }

  /// Returns the number, the name and a sign for marked keys, with a space on each side.
  private static func text(of title: TabTitle, room: Int) -> String {
    let head = " \(title.number) "
    let tail = title.hasMarks ? " • " : " "
    let width = min(nameWidth, room - TextWidth.of(head) - TextWidth.of(tail))
    let name = TextCut.truncated(Sanitizer.display(title.name), to: max(0, width), from: .middle)
    return TextCut.truncated(head + name + tail, to: max(0, room))
  }

  /// Returns the number of the tab at a point, or `nil` if there is none.
  package func number(at point: Point) -> Int? {
    ([earlier, later].compactMap { $0 } + labels).first { $0.area.contains(point) }?.number
  }
}
