import TerminalUI

/// The way in which the keys on screen are shortened, so that keys that differ look different.
struct KeyCut {
  private let side: TextCut.Side
  /// The offset of the first character in which a key differs from others that would look the same.
  private let differences: [String: Int]

  /// Chooses the part to leave out.
  ///
  /// - Parameters:
  ///   - keys: The keys on screen, as they are displayed.
  ///   - width: The width for each.
  ///   - sides: The parts that can be left out, the preferred one first.
  init(of keys: [String], to width: Int, sides: [TextCut.Side]) {
    let long = Set(keys.lazy.filter { !TextWidth.fits($0, in: width) })
    var best: (side: TextCut.Side, groups: [String: [String]])?
    for side in sides where long.count > 1 {
      let groups = Dictionary(grouping: long) { TextCut.truncated($0, to: width, from: side) }
      if best.map({ groups.count > $0.groups.count }) ?? true { best = (side, groups) }
      if groups.count == long.count { break }
    }
    side = best?.side ?? sides.first ?? .middle
    var differences: [String: Int] = [:]
    for group in best?.groups.values.filter({ $0.count > 1 }) ?? [] {
      // Keys that are next to each other in order have the most in common.
      let sorted = group.sorted()
      for (key, next) in zip(sorted, sorted.dropFirst()) {
        let place = zip(key, next).prefix { $0 == $1 }.count
        differences[key] = max(differences[key] ?? 0, place)
        differences[next] = max(differences[next] ?? 0, place)
      }
    }
    self.differences = differences
  }

  /// Returns a key, shortened to a width.
  func text(_ key: String, to width: Int) -> String {
    guard width > 3, let place = differences[key], !TextWidth.fits(key, in: width) else {
      return TextCut.truncated(key, to: width, from: side)
    }
    let head = TextCut.prefix(key, width: max(0, width / 3))
    // A little of what the keys have in common leads to the difference.
    let start = max(head.count + 1, place - 2)
    let rest = key.dropFirst(start)
    guard !rest.isEmpty else { return TextCut.truncated(key, to: width, from: .start) }
    let room = width - TextWidth.of(head) - 1
    let end =
      TextWidth.fits(rest, in: room)
      ? String(TextCut.suffix(key.dropFirst(head.count), width: room))
      : TextCut.truncated(rest, to: room)
    return head + "…" + end
  }
}
