/// Numbers in the order of their last use, with every operation in constant time.
///
/// Each number is an index of an array that holds its neighbors. Numbers should therefore be small
/// and be reused once they are free.
@usableFromInline
struct RecencyList: Sendable {
  /// The neighbors of a number; -1 if there is none.
  @usableFromInline
  struct Links: Sendable {
    @usableFromInline var older = -1
    @usableFromInline var newer = -1

    @inlinable
    init() {}
  }

  @usableFromInline var links: [Links] = []
  @usableFromInline var first = -1
  @usableFromInline var last = -1

  @inlinable
  init() {}

  /// The least recently used number.
  @inlinable var oldest: Int? { first < 0 ? nil : first }

  /// Adds a number that is not in the list, as the most recently used one.
  @inlinable
  mutating func add(_ number: Int) {
    while links.count <= number { links.append(Links()) }
    append(number)
  }

  /// Marks a number in the list as the most recently used one.
  @inlinable
  @inline(__always)
  mutating func use(_ number: Int) {
    guard last != number else { return }
    move(number)
  }

  @inlinable
  @inline(never)
  mutating func move(_ number: Int) {
    // Checks only once whether the array is shared, not for each change.
    let newest = last
    var next = first
    do {
      var links = links.mutableSpan
      let gone = links[number]
      if gone.older < 0 { next = gone.newer } else { links[gone.older].newer = gone.newer }
      // A newer number exists, because this one is not the last.
      links[gone.newer].older = gone.older
      links[newest].newer = number
      links[number].older = newest
      links[number].newer = -1
    }
    first = next
    last = number
  }

  /// Removes a number that is in the list.
  @inlinable
  mutating func remove(_ number: Int) {
    let gone = links[number]
    if gone.older < 0 { first = gone.newer } else { links[gone.older].newer = gone.newer }
    if gone.newer < 0 { last = gone.older } else { links[gone.newer].older = gone.older }
  }

  @inlinable
  mutating func append(_ number: Int) {
    links[number].older = last
    links[number].newer = -1
    if last < 0 { first = number } else { links[last].newer = number }
    last = number
  }
}
