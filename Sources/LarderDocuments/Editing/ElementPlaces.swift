import Harmony

/// Where the elements of the arrays, or the members of the dictionaries, are of which some were asked
/// for lately: whoever reads all of them one after the other would else look for each from the
/// beginning.
///
/// May be used from any thread. Nothing is kept of a list until it is asked about again.
final class ElementPlaces<Places: Sendable>: Sendable {
  private struct Known: Sendable {
    /// Where the array, or the dictionary, begins.
    let list: Int
    var places: Places?
  }

  /// More than a path usually leads through.
  private static var maximumCount: Int { 8 }
  /// Up to which element nothing is gained.
  private static var fewElements: Int { 16 }
  /// Those that were asked about last, the latest at the end.
  private let known = Locked<[Known]>([])

  /// The places in the list that begins somewhere.
  ///
  /// - Parameters:
  ///   - list: Where the array, or the dictionary, begins.
  ///   - index: The number of the element that is looked for; nil for a member with a name, which may
  ///     be anywhere.
  ///   - find: Finds all elements, or members.
  /// - Returns: The places; nil where one is looked for by itself.
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
