import Harmony

/// A cache of element or member locations for recently used arrays and dictionaries, so that
/// reading all elements one by one does not search from the start each time.
///
/// Thread-safe. The locations in a list are stored from the second request for that list on.
final class ElementLocationCache<Places: Sendable>: Sendable {
  private struct Known: Sendable {
    /// The offset of the array or dictionary.
    let list: Int
    var places: Places?
  }

  /// The maximum number of lists, more than most paths lead through.
  private static var maximumCount: Int { 8 }
  /// The index below which searching from the start is cheap enough.
  private static var fewElements: Int { 16 }
  /// The most recently requested lists, the latest last.
  private let known = Locked<[Known]>([])

  /// Returns the locations in the list at an offset.
  ///
  /// - Parameters:
  ///   - list: The offset of the array or dictionary.
  ///   - index: The index of the requested element; nil for a member with a name, which may be
  ///     anywhere.
  ///   - find: Locates all elements or members.
  /// - Returns: The locations, or nil if the caller should search for the one element alone.
  func places(in list: Int, for index: Int? = nil, _ find: () -> Places?) -> Places? {
    if let index, index < Self.fewElements { return nil }
    let found = known.withLock { known -> Known? in
      if known.last?.list == list { return known.last }
      let place = known.firstIndex { $0.list == list }
      let found = place.map { known.remove(at: $0) }
      if known.count == Self.maximumCount { known.removeFirst() }
      known.append(found ?? Known(list: list))
      return found
    }
    guard let found else { return nil }
    if let places = found.places { return places }
    guard let places = find() else { return nil }
    known.withLock { known in
      guard let place = known.firstIndex(where: { $0.list == list }) else { return }
      known[place].places = places
    }
    return places
  }
}
