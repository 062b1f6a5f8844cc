import LarderBrowser
import Foundation
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Images in the value pane.
@Suite @MainActor struct PictureRobotTests {
  /// A BMP of 2 × 2 pixels: red and green above, blue and white below.
  private static let image =
    "424d460000000000000036000000280000000200000002000000010018000000000010000000"
    + "00000000000000000000000000000000" + "ff0000ffffff0000" + "0000ff00ff000000"

  /// Renders the browser for a terminal of a color depth.
  private func screen(_ browser: Robot, _ depth: ColorDepth) -> Screen {
    BrowserView(
      state: browser.state, layout: browser.program.layout,
      rows: ValueRows(browser.state.value, width: browser.program.layout.valueWidth),
      theme: browser.program.theme, depth: depth
    ).render(browser.terminal.size)
  }

  private func browser(_ keys: String = "", of image: String = image) async throws -> Robot {
    try await browser(keys, value: "x'\(image)'")
  }

  private func browser(_ keys: String = "", value: String) async throws -> Robot {
    let folder = try await TestFolder.sample()
    try await folder.database("INSERT INTO settings VALUES ('image', \(value))")
    let robot = try await Robot(
      ["app.db#settings"], stores: .sqlite(folder), size: Size(width: 110, height: 24)
    ).settle()
    return await robot.pressEach("<Ctrl-G>image<Enter>" + keys)
  }

  @Test func anImageIsDrawnInHalfBlocks() async throws {
    let browser = try await browser()
    browser.expect("BMP, 2 × 2 pixels").expect("▀▀")
    let place = try #require(
      browser.screen.rows.enumerated().first { $0.element.contains("▀▀") })
    let text = place.element
    let x = TextWidth.of(text[..<(text.firstRange(of: "▀")?.lowerBound ?? text.startIndex)])
    let cell = browser.screen[Point(x: x, y: place.offset)]
    #expect(cell?.style.foreground == .rgb(255, 0, 0))
    #expect(cell?.style.background == .rgb(0, 0, 255))
    await browser.pressEach("f").expect("42 4d").pressEach("ff").expect("▀▀")
    for (width, height) in [(20, 6), (40, 10), (1, 1), (200, 50)] {
      await browser.resize(width, height).settle()
      #expect(browser.screen.size == Size(width: width, height: height))
    }
  }

  @Test(
    arguments: [
      (
        "base64",
        "'Qk1GAAAAAAAAADYAAAAoAAAAAgAAAAIAAAABABgAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAA/wAA////AAAA"
          + "AP8A/wAAAA=='"
      ),
      (
        "base64",
        "'data:image/bmp;base64,Qk1GAAAAAAAAADYAAAAoAAAAAgAAAAIAAAABABgAAAAAABAAAAAAAAAAAAAAAAAA"
          + "AAAAAAAA/wAA////AAAAAP8A/wAAAA=='"
      ),
      (
        "gzip",
        "x'1f8b080000000000020373f2756380003320d600622628666490008b0b306082ff40f4ff3f8405a200b27d"
          + "744546000000'"
      ),
    ])
  func anImageInsideAValueIsDrawn(_ format: String, _ value: String) async throws {
    let browser = try await browser(value: value)
    browser.expect("\(format): 70 bytes from").expect("BMP, 2 × 2 pixels").expect("▀▀")
    // The text or the bytes are among the formats, too.
    await browser.pressEach("f").expectNot("▀▀")
    for _ in 0..<3 where browser.state.value?.format != format { await browser.pressEach("f") }
    browser.expect("▀▀")
  }

  @Test func `A large Base64 image is drawn once it is read`() async throws {
    // A BMP of 128 × 64 pixels, white above and black below.
    var bytes = Array("BM".utf8) + [0x36, 0x60, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0]
    bytes += [128, 0, 0, 0, 64, 0, 0, 0, 1, 0, 24, 0] + [UInt8](repeating: 0, count: 24)
    bytes += [UInt8](repeating: 0, count: 12_288) + [UInt8](repeating: 255, count: 12_288)
    let browser = try await browser(value: "'\(Data(bytes).base64EncodedString())'")
    browser.expect("base64: 24,630 bytes from 32,840").expect("BMP, 128 × 64 pixels")
      .expectNot("decoding")
    let white = browser.screen.styleRuns.contains { $0.style.background == .rgb(255, 255, 255) }
    #expect(white, "\(browser.report)")
  }

  @Test(arguments: [ColorDepth.ansi8, .ansi16, .indexed256])
  func `Pixels are not adjusted for contrast like text`(_ depth: ColorDepth) async throws {
    let browser = try await browser()
    let screen = self.screen(browser, depth)
    for y in 0..<screen.size.height {
      for x in 0..<screen.size.width {
        guard let cell = screen[Point(x: x, y: y)], cell.text == "▀" else { continue }
        // The style needs no further adjustment for contrast.
        #expect(cell.style == depth.reduce(cell.style))
        #expect(cell.style.foreground != cell.style.background)
      }
    }
    #expect(screen.rows.contains { $0.contains("▀") })
  }

  @Test(arguments: [ColorDepth.ansi8, .ansi16, .indexed256, .trueColor])
  func `Pixels that look alike become one cell`(_ depth: ColorDepth) async throws {
    // Two pixels of nearly the same red, one above the other.
    let browser = try await browser(
      of: "424d3e0000000000000036000000280000000100000002000000010018000000000008000000"
        + "00000000000000000000000000000000" + "0001c900" + "0000c800")
    let screen = screen(browser, depth)
    #expect(screen.rows.contains { $0.contains("▀") } == (depth == .trueColor))
    let red = depth.reduce(depth == .trueColor ? .rgb(201, 1, 0) : .rgb(200, 0, 0))
    #expect(screen.styleRuns.contains { $0.style.background == red }, "\(screen.snapshot())")
  }

  @Test func `Without colors, characters show the brightness`() async throws {
    let browser = try await browser()
    let screen = self.screen(browser, .monochrome)
    #expect(!screen.rows.contains { $0.contains("▀") })
    #expect(screen.rows.contains { $0.contains(":#") }, "\(screen)")
  }
}
