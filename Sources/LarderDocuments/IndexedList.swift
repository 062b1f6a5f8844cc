package import Harmony
package import LarderModel

/// An array in a document, or the dictionary members that share a name: removing an item shifts the
/// indices, and so the keys, of those after it.
package struct IndexedList: Hashable, Sendable {
  package let parent: [DocumentStep]
  /// The name that the members share; nil for an array.
  package let name: String?

  /// Returns the list that contains the step of a path at a depth, and the index in that list.
  package static func find(_ path: [DocumentStep], at depth: Int) -> (
    list: IndexedList, place: Int
  )? {
    guard path.indices.contains(depth) else { return nil }
    let parent = Array(path.prefix(depth))
    return switch path[depth] {
    case .index(let place): (IndexedList(parent: parent, name: nil), place)
    case .name(let name, let place): (IndexedList(parent: parent, name: name), place)
    }
  }

  /// Returns the list that contains an entry, and its index there; nil if it is in no list.
  package static func find(_ key: EntryKey) -> (list: IndexedList, place: Int)? {
    key.documentPath.flatMap { find($0, at: $0.count - 1) }
  }

  /// Returns the key of the entry at an index.
  package func key(_ place: Int) -> EntryKey {
    EntryKey(path: parent + [name.map { .name($0, repetition: place) } ?? .index(place)])
  }

  /// Returns a key with one path prefix replaced by another.
  ///
  /// - Parameters:
  ///   - start: The prefix to replace.
  ///   - other: The new prefix.
  ///   - key: The key.
  /// - Returns: The new key, or `key` itself if it does not start with `start`.
  package static func replacing(
    _ start: EntryKey, with other: EntryKey, in key: EntryKey
  ) -> EntryKey {
    guard let path = key.documentPath, let old = start.documentPath, let new = other.documentPath,
      path.starts(with: old)
    else { return key }
    return EntryKey(path: new + path.dropFirst(old.count))
  }

  /// Groups entries by the lists that contain them, directly or at any depth.
  ///
  /// - Parameters:
  ///   - keys: The keys of the entries.
  ///   - firsts: The lists, each with the first index to include.
  /// - Returns: The positions in `keys` of the entries in each list, in order; lists without
  ///   entries are omitted.
  package static func members(
    _ keys: [EntryKey], in firsts: [IndexedList: Int]
  ) -> [IndexedList: [Int]] {
    var members: [IndexedList: [Int]] = [:]
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

// MARK: - Reading

extension IndexedList {
  /// Returns the lists of same-named children whose elements are removed up to the end, which one
  /// lookup can tell.
  ///
  /// Most names occur only once.
  ///
  /// - Parameters:
  ///   - removed: The lists, with the indices of the elements to remove.
  ///   - source: The source of the document.
  /// - Returns: The lists without an element after the removed ones.
  /// - Throws: Errors of reading.
  package static func ends(
    _ removed: [IndexedList: Set<Int>], in source: AnyDataSource<Entry>
  ) async throws -> Set<IndexedList> {
    let lists = removed.compactMap { list, places -> (list: IndexedList, next: EntryKey)? in
      guard list.name != nil, let first = places.min(), let last = places.max(),
        last - first + 1 == places.count
      else { return nil }
      return (list, list.key(last + 1))
    }
    var ends: Set<IndexedList> = []
    try await source.forEachEntry(lists.map(\.next)) { place, entry in
      if entry == nil { ends.insert(lists[place].list) }
    }
    return ends
  }

  /// Returns the elements, starting at an index.
  ///
  /// - Parameters:
  ///   - source: The source of the document.
  ///   - first: The first index.
  ///   - onElement: Called before each element that is read on its own; it can stop the reading by
  ///     throwing.
  /// - Returns: The elements with their values and storage forms.
  /// - Throws: Errors of reading and of `onElement`.
  package func elements(
    in source: AnyDataSource<Entry>, from first: Int, onElement: () throws -> Void
  ) async throws -> [Entry] {
    if name == nil {
      if parent.isEmpty {
        let all = try await source.getAll(AllObjectsQuery()).getCancelling()
        return Array(all.dropFirst(first))
      }
      guard let holder = try await source.entry(EntryKey(path: parent)),
        case .array(let values)? = holder.value
      else { return [] }
      // If the array has its own fingerprint, some elements have a special spelling or form, so they
      // are read one by one below.
      if holder.ownFingerprint == nil {
        let forms = DocumentForm.parts(of: holder.form)
        return values.enumerated().dropFirst(first).map { place, value in
          Entry(key: key(place), value: value, form: forms[String(place)])
        }
      }
    }
    var elements: [Entry] = []
    while let element = try await source.entry(key(first + elements.count)), element.value != nil {
      try onElement()
      elements.append(element)
    }
    return elements
  }
}
