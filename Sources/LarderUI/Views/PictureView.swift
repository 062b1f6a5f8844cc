import LarderFormats
import TerminalUI

extension BrowserView {
  /// Draws a row of an image with two pixels in each cell, as the foreground and background of a
  /// half block.
  func draw(_ cells: [Picture.Cell], in row: Rect, _ screen: inout Screen) {
    let base = theme[.text]
    let runs = cells.map { cell in
      depth == .monochrome ? TextRun(shade(of: cell), style: base) : run(of: cell, on: base)
    }
    screen.put(runs, at: Point(x: row.x + 1, y: row.y), maxWidth: row.width - 1)
  }

  private func run(of cell: Picture.Cell, on base: Style) -> TextRun {
    // Compare reduced colors: if both are equal on the terminal, a half block would be invisible
    // text.
    let (top, bottom) = (
      color(of: cell.top).map(depth.reduce), color(of: cell.bottom).map(depth.reduce)
    )
    return switch (top, bottom) {
    case (nil, nil): TextRun(" ", style: base)
    case (let top?, nil): TextRun("▀", style: Style(foreground: top, background: base.background))
    case (nil, let bottom?):
      TextRun("▄", style: Style(foreground: bottom, background: base.background))
    case (let top?, let bottom?):
      top == bottom
        ? TextRun(" ", style: Style(foreground: base.foreground, background: top))
        : TextRun("▀", style: Style(foreground: top, background: bottom))
    }
  }

  /// Returns the color of a pixel over the background, or `nil` if it shows the background.
  private func color(of pixel: Picture.Pixel) -> Color? {
    guard pixel.alpha > 0 else { return nil }
    guard pixel.alpha < 255, let ground = theme[.text].background.components else {
      // The color of the default background is not known.
      return pixel.alpha >= 128 ? .rgb(pixel.red, pixel.green, pixel.blue) : nil
    }
    func over(_ amount: UInt8, _ below: UInt8) -> UInt8 {
      let alpha = Int(pixel.alpha)
      return UInt8(clamping: (Int(amount) * alpha + Int(below) * (255 - alpha) + 127) / 255)
    }
    return .rgb(
      over(pixel.red, ground.red), over(pixel.green, ground.green), over(pixel.blue, ground.blue))
  }

  /// The characters from dark to bright.
  private static let shades = Array(" .:-=+*#%@").map { String($0) }

  /// Returns a character with the brightness of both pixels, for terminals without colors.
  private func shade(of cell: Picture.Cell) -> String {
    func light(_ pixel: Picture.Pixel) -> Int {
      (Int(pixel.red) * 30 + Int(pixel.green) * 59 + Int(pixel.blue) * 11) * Int(pixel.alpha)
        / (100 * 255)
    }
    let mean = (light(cell.top) + light(cell.bottom)) / 2
    return Self.shades[max(0, min(mean * Self.shades.count / 256, Self.shades.count - 1))]
  }
}
