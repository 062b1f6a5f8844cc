package import LarderModel

/// An array in a document, or the members of one name in a dictionary: their keys are places,
/// which change where one before them is removed.
package struct PlaceList: Hashable, Sendable {
  package let parent: [DocumentStep]
  /// The name that the members share, nil in an array.
  package let name: String?

  /// The list that a step of a path is in, and its place there.
  package static func find(_ path: [DocumentStep], at depth: Int) -> (list: PlaceList, place: Int)?
  {
    guard path.indices.contains(depth) else { return nil }
    let parent = Array(path.prefix(depth))
    return switch path[depth] {
    case .index(let place): (PlaceList(parent: parent, name: nil), place)
    case .name(let name, let place): (PlaceList(parent: parent, name: name), place)
    }
  }

  /// The list that an entry is in, and its place there; nil where it is in none.
  package static func find(_ key: EntryKey) -> (list: PlaceList, place: Int)? {
    key.documentPath.flatMap { find($0, at: $0.count - 1) }
  }

  /// The key of the entry at a place.
  package func key(_ place: Int) -> EntryKey {
    EntryKey(path: parent + [name.map { .name($0, repetition: place) } ?? .index(place)])
  }

  /// A key with another beginning of its path.
  ///
  /// - Parameters:
  ///   - start: The beginning.
  ///   - other: What it has in its place.
  ///   - key: The key, which begins with `start`.
  /// - Returns: The key; as it is where it begins otherwise.
  package static func replacing(
    _ start: EntryKey, with other: EntryKey, in key: EntryKey
  ) -> EntryKey {
    guard let path = key.documentPath, let old = start.documentPath, let new = other.documentPath,
      path.starts(with: old)
    else { return key }
    return EntryKey(path: new + path.dropFirst(old.count))
  }

  /// The places in some lists at which each of several entries is, or inside which it lies.
  ///
  /// - Parameters:
  ///   - keys: The keys of the entries.
  ///   - firsts: From which place on, of each list.
  /// - Returns: The entries of each list that has any, by their places among the keys, in order.
  package static func members(
    _ keys: [EntryKey], in firsts: [PlaceList: Int]
  ) -> [PlaceList: [Int]] {
    var members: [PlaceList: [Int]] = [:]
    for (number, key) in keys.enumerated() {
      guard let path = key.documentPath else { continue }
      for depth in path.indices {
        guard let (list, place) = find(path, at: depth), let first = firsts[list], place >= first
        else { continue }
        members[list, default: []].append(number)
      }
    }
    return members
  }
}
