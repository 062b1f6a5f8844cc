import LarderBrowser
import Foundation
import LarderUI
import Testing

@testable import TerminalUI

/// Every view, at every size and in every theme.
@Suite @MainActor struct EveryViewTests {
  private static let sizes = [
    (80, 24), (140, 40), (40, 10), (20, 6), (1, 1), (200, 60),
  ]
  /// Every theme, loaded once for the thousands of screens drawn.
  private static let themes = Result {
    try ThemeLoader().available().sorted().map { ($0, try ThemeLoader().load($0).theme) }
  }
  /// Every theme, fitted to each color depth.
  private static let fitted = Result {
    try themes.get().flatMap { name, theme in
      ColorDepth.allCases.map { (name, $0, theme.fitted(to: $0)) }
    }
  }

  @Test func namesOfViewsAreUnique() {
    #expect(Set(SampleView.all.map(\.name)).count == SampleView.all.count)
  }

  @Test(arguments: SampleView.all)
  func `The view matches its snapshot at six sizes and in every theme`(_ view: SampleView)
    async throws
  {
    let browser = try await view.open()
    for sight in view.sights { browser.expect(sight) }
    var text = ""
    for (width, height) in Self.sizes {
      await browser.resize(width, height).settle()
      text += "\(width)×\(height)\n" + Self.text(of: browser.screen)
    }
    await browser.resize(40, 10).settle()
    let plain = browser.screen
    for (name, theme) in try Self.themes.get() {
      let screen = Self.render(browser, theme, .trueColor)
      #expect(screen.rows == plain.rows, "\(name)")
      text += name == "larder-dark" ? "\(name)\n" + Self.styles(of: screen) : ""
      text += "\(name): \(Self.looks(of: screen))\n"
    }
    try Snapshot.expect(text, is: "views/\(view.name)")
  }

  @Test(arguments: SampleView.all)
  func `The view is readable in every theme`(_ view: SampleView) async throws {
    let browser = try await view.open(Size(width: 100, height: 30))
    for (name, depth, theme) in try Self.fitted.get() {
      let screen = Self.render(browser, theme, depth)
      for (style, at) in Self.textStyles(of: screen, depth) {
        let place = "\(name), \(depth), \(at): \(style.description)"
        try #require(
          style.foreground == .default || style.foreground != style.background, "\(place)")
        // The user defines what the sixteen ANSI colors look like.
        guard depth >= .indexed256, let text = style.foreground.components,
          let ground = style.background.components
        else { continue }
        try #require(text.contrast(with: ground) >= 3, "\(place)")
      }
    }
  }

  /// Returns the styles of the text on a screen at a color depth, each with a position.
  private static func textStyles(of screen: Screen, _ depth: ColorDepth) -> [Style: String] {
    var shown: [Style: String] = [:]
    var last: Style?
    // Reads the packed cells for speed: all screens together have some ten million.
    for (place, packed) in screen.cells.enumerated() where packed.style != last {
      guard packed.content > 0x20, shown[packed.style] == nil else { continue }
      let (y, x) = place.quotientAndRemainder(dividingBy: screen.size.width)
      guard let cell = screen[Point(x: x, y: y)], isText(cell) else { continue }
      last = cell.style
      shown[cell.style] = "“\(cell.text)” at \(x), \(y)"
    }
    return Dictionary(shown.map { (depth.reduce($0), $1) }) { first, _ in first }
  }

  @Test(arguments: SampleView.all)
  func noSizeTraps(_ view: SampleView) async throws {
    let browser = try await view.open()
    for width in 0...24 {
      for height in 0...9 {
        let size = Size(width: width, height: height)
        let screen = Self.render(browser, browser.program.theme, .trueColor, size)
        #expect(screen.size == size)
        if let cursor = screen.cursor, width > 0, height > 0 {
          #expect(screen.bounds.contains(cursor), "\(size)")
        }
      }
    }
  }

  private static func render(
    _ browser: Robot, _ theme: Theme, _ depth: ColorDepth, _ size: Size? = nil
  ) -> Screen {
    let size = size ?? browser.terminal.size
    let layout = BrowserLayout(browser.state, size: size)
    return BrowserView(
      state: browser.state, layout: layout,
      rows: ValueRows(browser.state.value, width: layout.valueWidth), theme: theme, depth: depth
    ).render(size)
  }

  /// Whether a cell shows text, not a blank, a line or part of a picture.
  private static func isText(_ cell: Cell) -> Bool {
    guard let scalar = cell.text.unicodeScalars.first, scalar != " " else { return false }
    return !(0x2500...0x259F).contains(scalar.value)
  }

  /// Returns the rows without trailing blanks, and without blank rows at the end.
  private static func text(of screen: Screen) -> String {
    var rows = screen.rows.map { row in
      // Times of changes in the journal depend on the run.
      String(row.reversed().drop { $0 == " " }.reversed())
        .replacing(/before 20[0-9T:-]+Z?/, with: "before TIME")
        .replacing(/(20[0-9]{2}-)?[0-9]{2}-[0-9]{2} [0-9:]{5,8}/, with: "TIME")
    }
    while rows.last?.isEmpty == true { rows.removeLast() }
    let cursor = screen.cursor.map { ["cursor \($0.x), \($0.y)"] } ?? []
    return (rows.map { "|\($0)" } + cursor).map { $0 + "\n" }.joined()
  }

  /// Returns the styles of a screen's text, one line for each row.
  private static func styles(of screen: Screen) -> String {
    let rows = Dictionary(grouping: screen.styleRuns, by: \.row).sorted { $0.key < $1.key }
    return rows.map { row, runs in
      let texts = runs.map { "\($0.columns.lowerBound)–\($0.columns.upperBound - 1) \($0.style)" }
      return "\(row): \(texts.joined(separator: "; "))\n"
    }.joined()
  }

  /// Returns the number of cells in each style.
  private static func looks(of screen: Screen) -> String {
    var counts: [String: Int] = [:]
    for run in screen.styleRuns { counts["\(run.style)", default: 0] += run.columns.count }
    return counts.sorted { $0.key < $1.key }.map { "\($0.key) ×\($0.value)" }
      .joined(separator: "; ")
  }
}
