extension Color {
  /// Parses a color in a theme file: `#rrggbb`, `#rgb`, `0` to `255`, `default`, or one of the
  /// sixteen names such as `red` and `bright-red`; returns nil for anything else.
  public init?(themeText text: String) {
    if text == "default" {
      self = .default
    } else if text.hasPrefix("#") {
      let digits: [Int] = text.dropFirst().compactMap { $0.isASCII ? $0.hexDigitValue : nil }
      guard digits.count == text.count - 1, digits.count == 3 || digits.count == 6 else {
        return nil
      }
      let (step, other) = digits.count == 3 ? (1, 0) : (2, 1)
      let parts = (0..<3).map { (part: Int) -> UInt8 in
        UInt8(digits[part * step] << 4 | digits[part * step + other])
      }
      self = .rgb(parts[0], parts[1], parts[2])
    } else if let index = UInt8(text) {
      self = .indexed(index)
    } else {
      let name = text.lowercased().filter { $0 != "-" && $0 != "_" }
      guard let color = ANSIColor.allCases.first(where: { "\($0)".lowercased() == name }) else {
        return nil
      }
      self = .ansi(color)
    }
  }
}
