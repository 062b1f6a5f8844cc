import Testing

@testable import TerminalUI

@Suite struct ColorTests {
  @Test func `Displayable colors stay unchanged`() {
    #expect(ColorDepth.trueColor.reduce(.rgb(1, 2, 3)) == .rgb(1, 2, 3))
    #expect(ColorDepth.indexed256.reduce(.indexed(77)) == .indexed(77))
    #expect(ColorDepth.ansi16.reduce(.ansi(.brightRed)) == .ansi(.brightRed))
    for depth in ColorDepth.allCases { #expect(depth.reduce(.default) == .default) }
  }

  @Test func `Colors are reduced to the nearest`() {
    #expect(ColorDepth.indexed256.reduce(.rgb(255, 0, 0)) == .indexed(196))
    #expect(ColorDepth.indexed256.reduce(.rgb(128, 128, 128)) == .indexed(244))
    #expect(ColorDepth.indexed256.reduce(.rgb(0, 0, 0)) == .indexed(16))
    #expect(ColorDepth.indexed256.reduce(.rgb(255, 255, 255)) == .indexed(231))
    #expect(ColorDepth.ansi16.reduce(.rgb(250, 5, 5)) == .ansi(.brightRed))
    #expect(ColorDepth.ansi8.reduce(.ansi(.brightGreen)) == .ansi(.green))
    #expect(ColorDepth.monochrome.reduce(.rgb(9, 9, 9)) == .default)
  }

  @Test func `Every reduction is displayable and stable`() {
    for depth in ColorDepth.allCases {
      for index in UInt8.min...UInt8.max {
        let color = RGB(index: index)
        for source in [Color.indexed(index), .rgb(color.red, color.green, color.blue)] {
          let once = depth.reduce(source)
          #expect(depth.reduce(once) == once)
        }
      }
    }
  }

  @Test func tableOf256MapsOntoItself() {
    for index in UInt8(16)...255 {
      let color = RGB(index: index)
      let reduced = ColorDepth.indexed256.reduce(.rgb(color.red, color.green, color.blue))
      #expect(reduced.components == color)
    }
  }

  @Test func `Bright text is bold with eight colors`() {
    let style = Style(foreground: .ansi(.brightYellow))
    #expect(
      ColorDepth.ansi8.reduce(style)
        == Style(foreground: .ansi(.yellow), attributes: .bold))
    let grey = Style(foreground: .ansi(.brightBlack))
    #expect(ColorDepth.ansi8.reduce(grey) == Style(attributes: .dim))
  }

  @Test func `Text never gets the color of its background`() {
    let style = Style(foreground: .rgb(20, 20, 20), background: .rgb(0, 0, 0))
    for depth in [ColorDepth.ansi8, .ansi16] {
      let reduced = depth.reduce(style)
      #expect(reduced.foreground != reduced.background)
    }
  }

  @Test func `Theme colors are parsed`() {
    #expect(Color(themeText: "#f80") == .rgb(255, 136, 0))
    #expect(Color(themeText: "#ff8800") == .rgb(255, 136, 0))
    #expect(Color(themeText: "bright-red") == .ansi(.brightRed))
    #expect(Color(themeText: "208") == .indexed(208))
    for text in ["", "#", "#12", "#ggg", "256", "-1", "rouge", "#１２３"] {
      #expect(Color(themeText: text) == nil, "\(text)")
    }
  }

  @Test func `Contrast follows WCAG`() {
    let black = RGB(red: 0, green: 0, blue: 0)
    let white = RGB(red: 255, green: 255, blue: 255)
    let grey = RGB(red: 118, green: 118, blue: 118)
    #expect(abs(black.contrast(with: white) - 21) < 0.001)
    #expect(abs(grey.contrast(with: white) - 4.54) < 0.01)
    #expect(black.contrast(with: black) == 1)
  }

  @Test func `Styles are layered`() {
    let base = Style(foreground: .ansi(.red), background: .ansi(.blue), attributes: .bold)
    let over = Style(foreground: .ansi(.green), attributes: .underline)
    #expect(
      base.merging(over)
        == Style(
          foreground: .ansi(.green), background: .ansi(.blue), attributes: [.bold, .underline]))
    #expect(base.description == "red on blue, bold")
    #expect(Style.plain.description == "plain")
  }
}
