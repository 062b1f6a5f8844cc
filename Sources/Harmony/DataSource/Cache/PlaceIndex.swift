/// A hash table that maps keys to the indices of their entries.
///
/// It uses open addressing. A cell holds half of a hash and an index, so that eight cells share a
/// cache line and an entry is compared only if the halves agree. The hashes have to be keyed with
/// secrets, so that no one can choose keys that collide.
@usableFromInline
package struct PlaceIndex: Sendable {
  @usableFromInline
  struct Cell: Sendable {
    @usableFromInline let tag: UInt32
    /// One more than the index; zero if the cell is free.
    @usableFromInline let number: UInt32

    @inlinable static var free: Cell { Cell(tag: 0, number: 0) }

    @inlinable var isFree: Bool { number == 0 }

    @inlinable var place: Int { Int(number) &- 1 }

    @inlinable
    init(tag: UInt32, number: UInt32) {
      self.tag = tag
      self.number = number
    }
  }

  /// The maximum number of entries.
  @inlinable package static var limit: Int { Int(Int32.max) }

  /// The cells: empty, or a power of two in number and at least half of them free.
  @usableFromInline var cells: [Cell] = []
  @usableFromInline package var count = 0

  @inlinable
  package init() {}

  @inlinable var mask: Int { cells.count &- 1 }

  @inlinable
  static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 32) }

  /// Returns the index of an entry.
  ///
  /// - Parameters:
  ///   - hash: The hash of the entry's key.
  ///   - isWanted: Returns whether the entry at an index is the wanted one.
  /// - Returns: The index; nil if there is no such entry.
  @inlinable
  @inline(__always)
  package func place(_ hash: UInt64, where isWanted: (Int) -> Bool) -> Int? {
    guard !cells.isEmpty else { return nil }
    let tag = Self.tag(hash)
    var position = Int(truncatingIfNeeded: tag) & mask
    while true {
      let cell = cells[position]
      if cell.isFree { return nil }
      if cell.tag == tag, isWanted(cell.place) { return cell.place }
      position = (position &+ 1) & mask
    }
  }

  /// Adds an index that is not in the table.
  ///
  /// - Parameters:
  ///   - place: The index, below the limit.
  ///   - hash: The hash of the entry's key.
  @inlinable
  package mutating func add(_ place: Int, _ hash: UInt64) {
    if (count + 1) * 2 > cells.count { grow() }
    count += 1
    put(Cell(tag: Self.tag(hash), number: UInt32(truncatingIfNeeded: place &+ 1)))
  }

  /// Removes an index; does nothing if it is not in the table.
  ///
  /// - Parameters:
  ///   - place: The index.
  ///   - hash: The hash that it was added with.
  @inlinable
  package mutating func remove(_ place: Int, _ hash: UInt64) {
    var hole = Int(truncatingIfNeeded: Self.tag(hash)) & mask
    guard !cells.isEmpty else { return }
    while cells[hole].place != place {
      if cells[hole].isFree { return }
      hole = (hole &+ 1) & mask
    }
    count -= 1
    // Moves the following cells up to fill the hole, but none to before its home cell.
    var next = (hole &+ 1) & mask
    while !cells[next].isFree {
      let home = Int(truncatingIfNeeded: cells[next].tag) & mask
      if (next &- home) & mask >= (next &- hole) & mask {
        cells[hole] = cells[next]
        hole = next
      }
      next = (next &+ 1) & mask
    }
    cells[hole] = .free
  }

  @inlinable
  mutating func put(_ cell: Cell) {
    var position = Int(truncatingIfNeeded: cell.tag) & mask
    while !cells[position].isFree { position = (position &+ 1) & mask }
    cells[position] = cell
  }

  @inlinable
  mutating func grow() {
    let old = cells
    cells = Array(repeating: .free, count: max(8, old.count * 2))
    for cell in old where !cell.isFree { put(cell) }
  }
}
