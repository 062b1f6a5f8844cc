extension Color {
  /// Reads a colour as theme files write it: `#rrggbb`, `#rgb`, `0` to `255`, `default`, or one of
  /// the sixteen names such as `red` and `bright-red`; nil for anything else.
  public init?(themeText text: String) {
    if text == "default" {
      self = .default
    } else if text.hasPrefix("#") {
      let digits = text.dropFirst().compactMap { $0.isASCII ? $0.hexDigitValue : nil }
      guard digits.count == text.count - 1, digits.count == 3 || digits.count == 6 else {
        return nil
      }
      let parts =
        digits.count == 3
        ? digits.map { $0 * 17 }
        : stride(from: 0, to: 6, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
      self = .rgb(UInt8(parts[0]), UInt8(parts[1]), UInt8(parts[2]))
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
