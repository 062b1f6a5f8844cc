import CNcurses
import TerminalUI

/// Maps styles to ncurses attributes and color pairs.
///
/// ncurses has no strikethrough, so such text is dim.
@MainActor struct NcursesStyles {
  /// Two ncurses color numbers; -1 is the terminal's default.
  private struct Pair: Hashable {
    var foreground: Int32
    var background: Int32
  }

  private let depth: ColorDepth
  private let numbering: ColorNumbering
  /// Whether the terminal's default colors are available.
  private let hasDefaultColors: Bool
  private let largestPair: Int32
  private let isLinuxConsole: Bool
  private var pairs: [Pair: Int32] = [:]
  private var cache: [Style: (attributes: attr_t, pair: Int32)] = [:]

  /// Creates the mapping for the terminal that ncurses has just initialized, and starts colors.
  init(
    depth: ColorDepth, numbering: ColorNumbering, pairLimit: Int32 = 4096,
    isLinuxConsole: Bool = false
  ) {
    self.numbering = numbering
    self.isLinuxConsole = isLinuxConsole
    guard depth > .monochrome, start_color() != ERR else {
      self.depth = .monochrome
      hasDefaultColors = true
      largestPair = 0
      return
    }
    self.depth = depth
    hasDefaultColors = use_default_colors() != ERR
    largestPair = min(cn_color_pairs() - 1, pairLimit)
  }

  /// Returns the attributes and the color pair for a style.
  ///
  /// Uses the default pair if no other is free: see ``makeRoom(for:)``.
  mutating func values(for style: Style) -> (attributes: attr_t, pair: Int32) {
    if let known = cache[style] { return known }
    var reduced = depth.reduce(style)
    if isLinuxConsole { reduced.attributes = LinuxConsole.drawable(reduced.attributes) }
    let values = (Self.attributes(reduced.attributes), pair(for: reduced))
    cache[style] = values
    return values
  }

  /// Ensures that new styles get color pairs, and returns false if all pairs had to be released.
  mutating func makeRoom(for styles: Set<Style>) -> Bool {
    let unknown = styles.count { cache[$0] == nil }
    guard pairs.count + unknown > Int(largestPair), !pairs.isEmpty else { return true }
    pairs = [:]
    cache = [:]
    return false
  }

  private mutating func pair(for style: Style) -> Int32 {
    guard depth > .monochrome else { return 0 }
    let pair = Pair(
      foreground: number(of: style.foreground, orElse: 7),
      background: number(of: style.background, orElse: 0))
    if pair == Pair(foreground: -1, background: -1) { return 0 }
    if let known = pairs[pair] { return known }
    guard pairs.count < Int(largestPair) else { return 0 }
    let number = Int32(pairs.count + 1)
    guard init_extended_pair(number, pair.foreground, pair.background) != ERR else { return 0 }
    pairs[pair] = number
    return number
  }

  /// Returns the number of a color that the terminal can show.
  private func number(of color: Color, orElse fallback: Int32) -> Int32 {
    switch color {
    case .default: return hasDefaultColors ? -1 : fallback
    case .ansi(let named) where numbering != .amounts || named.rawValue < 8:
      return Int32(named.rawValue)
    case .indexed(let index) where numbering != .amounts: return Int32(index)
    default:
      guard let parts = color.components else { return fallback }
      let number = Int32(parts.red) << 16 | Int32(parts.green) << 8 | Int32(parts.blue)
      // With this numbering, the first eight numbers are the named colors.
      return numbering == .amounts ? max(8, number) : TerminfoEntry.directFlag | number
    }
  }

  /// Returns the ncurses bits of the attributes.
  private static func attributes(_ attributes: Attributes) -> attr_t {
    var result: attr_t = 0
    if attributes.contains(.bold) { result |= cn_a_bold() }
    if attributes.contains(.dim) || attributes.contains(.strikethrough) { result |= cn_a_dim() }
    if attributes.contains(.italic) { result |= cn_a_italic() }
    if attributes.contains(.underline) { result |= cn_a_underline() }
    if attributes.contains(.reverse) { result |= cn_a_reverse() }
    return result
  }
}
