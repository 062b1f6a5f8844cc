/// The length of a part when a rectangle is split.
public enum Length: Hashable, Sendable {
  /// A number of cells, or the remaining cells if there are fewer.
  case fixed(Int)
  /// A share of the cells that fixed parts leave, proportional to its weight.
  case share(Int)

  /// One share of the cells that fixed parts leave.
  public static let rest = Length.share(1)
}

extension Rect {
  /// Splits the rectangle from top to bottom into one rectangle per length.
  ///
  /// If space is short, the first parts get their length and the last ones are empty. `spacing`
  /// rows remain free between neighbors.
  public func rows(_ lengths: Length..., spacing: Int = 0) -> [Rect] {
    rows(lengths, spacing: spacing)
  }

  /// Splits the rectangle from top to bottom into one rectangle per length in an array.
  public func rows(_ lengths: [Length], spacing: Int = 0) -> [Rect] {
    Self.split(height, lengths, spacing).map { part in
      Rect(x: x, y: y.saturatingAdding(part.start), width: width, height: part.length)
    }
  }

  /// Splits the rectangle from left to right into one rectangle per length.
  ///
  /// If space is short, the first parts get their length and the last ones are empty. `spacing`
  /// columns remain free between neighbors.
  public func columns(_ lengths: Length..., spacing: Int = 0) -> [Rect] {
    columns(lengths, spacing: spacing)
  }

  /// Splits the rectangle from left to right into one rectangle per length in an array.
  public func columns(_ lengths: [Length], spacing: Int = 0) -> [Rect] {
    Self.split(width, lengths, spacing).map { part in
      Rect(x: x.saturatingAdding(part.start), y: y, width: part.length, height: height)
    }
  }

  /// Distributes a number of cells among lengths.
  private static func split(
    _ total: Int, _ lengths: [Length], _ spacing: Int
  ) -> [(start: Int, length: Int)] {
    // Clamping to this limit prevents the products from overflowing.
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
