/// How much of a rectangle one part gets when it is split.
public enum Length: Hashable, Sendable {
  /// This many cells, or what is left if that is less.
  case fixed(Int)
  /// A share of what the fixed parts leave, in proportion to the weights of the other shares.
  case share(Int)

  /// One share of what the fixed parts leave.
  public static let rest = Length.share(1)
}

extension Rect {
  /// Splits the rectangle from top to bottom, giving one rectangle for each length.
  ///
  /// Where room is short, the first parts get theirs and the last ones are empty. Between
  /// neighbours, `spacing` rows stay free.
  public func rows(_ lengths: Length..., spacing: Int = 0) -> [Rect] {
    rows(lengths, spacing: spacing)
  }

  /// Splits the rectangle from top to bottom, giving one rectangle for each length of a list.
  public func rows(_ lengths: [Length], spacing: Int = 0) -> [Rect] {
    Self.split(height, lengths, spacing).map { part in
      Rect(x: x, y: y.saturatingAdding(part.start), width: width, height: part.length)
    }
  }

  /// Splits the rectangle from left to right, giving one rectangle for each length.
  ///
  /// Where room is short, the first parts get theirs and the last ones are empty. Between
  /// neighbours, `spacing` columns stay free.
  public func columns(_ lengths: Length..., spacing: Int = 0) -> [Rect] {
    columns(lengths, spacing: spacing)
  }

  /// Splits the rectangle from left to right, giving one rectangle for each length of a list.
  public func columns(_ lengths: [Length], spacing: Int = 0) -> [Rect] {
    Self.split(width, lengths, spacing).map { part in
      Rect(x: x.saturatingAdding(part.start), y: y, width: part.length, height: height)
    }
  }

  /// Divides a number of cells among lengths.
  private static func split(
    _ total: Int, _ lengths: [Length], _ spacing: Int
  ) -> [(start: Int, length: Int)] {
    // No side and no weight needs to be larger, and their products cannot overflow.
    let limit = 1 << 24
    let total = min(total, limit)
    let spacing = spacing.clamped(to: 0...limit)
    let gaps = max(0, lengths.count - 1).multipliedReportingOverflow(by: spacing)
    var room = max(0, total - (gaps.overflow ? total : min(gaps.partialValue, total)))
    var weights = 0
    for case .share(let weight) in lengths { weights += weight.clamped(to: 0...limit) }
    var granted: [Int] = []
    for length in lengths {
      guard case .fixed(let wanted) = length else {
        granted.append(0)
        continue
      }
      let cells = wanted.clamped(to: 0...room)
      granted.append(cells)
      room -= cells
    }
    for (index, length) in lengths.enumerated() {
      guard case .share(let share) = length, weights > 0 else { continue }
      let weight = share.clamped(to: 0...limit)
      let cells = room * weight / weights
      granted[index] = cells
      room -= cells
      weights -= weight
    }
    var start = 0
    return granted.map { length in
      let part = (start: min(start, total), length: min(length, max(0, total - start)))
      start += length + spacing
      return part
    }
  }
}
