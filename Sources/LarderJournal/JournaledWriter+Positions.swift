import Harmony
import LarderCore

/// An array in a document, or the members of one name in a dictionary: their keys are places,
/// which change where one before them is removed.
private struct PlaceList: Hashable {
  let parent: [DocumentStep]
  /// The name that the members share, nil in an array.
  let name: String?

  /// The list that a step of a path is in, and its place there.
  static func find(_ path: [DocumentStep], at depth: Int) -> (list: PlaceList, place: Int)? {
    guard path.indices.contains(depth) else { return nil }
    let parent = Array(path.prefix(depth))
    return switch path[depth] {
    case .index(let place): (PlaceList(parent: parent, name: nil), place)
    case .name(let name, let place): (PlaceList(parent: parent, name: name), place)
    }
  }

  static func find(_ key: EntryKey) -> (list: PlaceList, place: Int)? {
    key.documentPath.flatMap { find($0, at: $0.count - 1) }
  }

  func key(_ place: Int) -> EntryKey {
    EntryKey(path: parent + [name.map { .name($0, repetition: place) } ?? .index(place)])
  }

  /// The places in some lists at which each of several entries is, or inside which it lies.
  ///
  /// - Parameters:
  ///   - items: The entries.
  ///   - firsts: From which place on, of each list.
  /// - Returns: The entries of each list that has any, by their places among the items, in order.
  static func members(
    _ items: [JournalItem], in firsts: [PlaceList: Int]
  ) -> [PlaceList: [Int]] {
    var members: [PlaceList: [Int]] = [:]
    for (number, item) in items.enumerated() {
      guard let path = item.key.documentPath else { continue }
      for depth in path.indices {
        guard let (list, place) = find(path, at: depth), let first = firsts[list], place >= first
        else { continue }
        members[list, default: []].append(number)
      }
    }
    return members
  }
}

extension JournaledWriter {
  /// The entries of a step, with those that move to another place because one is removed.
  ///
  /// - Parameters:
  ///   - items: The entries that the step is asked to change.
  ///   - scan: Who is asked whether anybody still wants it.
  /// - Returns: All that the step changes.
  /// - Throws: What the store throws, and that the step could not be taken back.
  func withMoved(_ items: [JournalItem], _ scan: Scan?) async throws -> [JournalItem] {
    guard kind.keysArePaths else { return items }
    var removed: [PlaceList: Set<Int>] = [:]
    for item in items where item.after == nil {
      guard let (list, place) = PlaceList.find(item.key) else { continue }
      removed[list, default: []].insert(place)
    }
    let ends = try await ends(of: removed)
    let firsts = removed.compactMapValues { $0.min() }.filter { !ends.contains($0.key) }
    let members = PlaceList.members(items, in: firsts)
    var isReplaced = Array(repeating: false, count: items.count)
    var moved: [JournalItem] = []
    for (list, first) in firsts {
      let values = try await values(of: list, from: first, scan)
      // Nothing is behind what is removed.
      guard values.count > removed[list]?.count ?? 0 else { continue }
      let own = members[list] ?? []
      moved += try moving(own.map { items[$0] }, list, first, values)
      for number in own { isReplaced[number] = true }
    }
    return zip(items, isReplaced).compactMap { $1 ? nil : $0 } + moved
  }

  /// The lists of one name of which all is removed from some place to the end, as far as that can be
  /// told at once: most names are there a single time.
  private func ends(of removed: [PlaceList: Set<Int>]) async throws -> Set<PlaceList> {
    let lists = removed.compactMap { list, places -> (list: PlaceList, next: EntryKey)? in
      guard list.name != nil, let first = places.min(), let last = places.max(),
        last - first + 1 == places.count
      else { return nil }
      return (list, list.key(last + 1))
    }
    var ends: Set<PlaceList> = []
    try await source.forEachEntry(lists.map(\.next)) { place, entry in
      if entry == nil { ends.insert(lists[place].list) }
    }
    return ends
  }

  /// The elements of a list from a place on, as a step leaves them.
  ///
  /// - Parameters:
  ///   - items: What the step is asked to change there.
  ///   - list: The list.
  ///   - first: The place.
  ///   - values: What is there.
  /// - Returns: An entry of the step for each of these.
  /// - Throws: That the step could not be taken back.
  private func moving(
    _ items: [JournalItem], _ list: PlaceList, _ first: Int, _ values: [Element]
  ) throws(StoreError) -> [JournalItem] {
    var after = values.map { Optional($0) }
    for item in items {
      guard let found = PlaceList.find(item.key), found.list == list, item.before != nil,
        after.indices.contains(found.place - first)
      else {
        throw .failed(
          "\(item.key.spoken) cannot be changed in one step with the removal of what is before it, "
            + "as this could not be undone; nothing was written")
      }
      after[found.place - first] = item.after.map {
        Element(value: $0, form: item.afterForm, print: item.afterPrint, isKnown: false)
      }
    }
    let kept = after.compactMap { $0 }
    return values.enumerated().map { offset, value in
      let next = kept.indices.contains(offset) ? kept[offset] : nil
      return JournalItem(
        key: list.key(first + offset), before: value.value, after: next?.value, isShifted: true,
        beforeForm: value.form, afterForm: next?.form, beforePrint: value.print,
        afterPrint: next?.print, known: next?.isKnown == false ? .before : .both)
    }
  }

  /// One of several values with places, and how it is kept.
  private struct Element {
    let value: StoredValue
    let form: String?
    /// Its fingerprint, where that is not the value's.
    let print: Fingerprint?
    /// Whether that is known: of what is about to be written it is not.
    let isKnown: Bool

    init(value: StoredValue, form: String?, print: Fingerprint?, isKnown: Bool = true) {
      (self.value, self.form, self.print, self.isKnown) = (value, form, print, isKnown)
    }

    init?(_ entry: Entry) {
      guard let value = entry.value else { return nil }
      self.init(value: value, form: entry.form, print: entry.ownFingerprint)
    }
  }

  /// The values of a list from a place on.
  private func values(
    of list: PlaceList, from first: Int, _ scan: Scan?
  ) async throws -> [Element] {
    if list.name == nil {
      if list.parent.isEmpty {
        let all = try await source.getAll(AllObjectsQuery()).getCancelling()
        return all.dropFirst(first).compactMap { Element($0) }
      }
      guard let parent = try await source.entry(EntryKey(path: list.parent)),
        case .array(let values)? = parent.value
      else { return [] }
      let forms = DocumentForm.parts(of: parent.form)
      guard parent.ownFingerprint != nil else {
        return values.enumerated().dropFirst(first).map { place, value in
          Element(value: value, form: forms[String(place)], print: nil)
        }
      }
      // One of them at least is not spelled, or kept, as a new one would be.
      var elements: [Element] = []
      let keys = values.indices.dropFirst(first).map { list.key($0) }
      try await source.forEachEntry(keys) { _, entry in
        try scan?.reportWaiting()
        if let element = entry.flatMap({ Element($0) }) { elements.append(element) }
      }
      return elements
    }
    var values: [Element] = []
    while let entry = try await source.entry(list.key(first + values.count)),
      let element = Element(entry)
    {
      try scan?.reportWaiting()
      values.append(element)
    }
    return values
  }

  /// Refuses a step whose keys name other entries now, since a later one has moved them.
  func checkPositions(of step: JournalTable.Step) async throws {
    guard kind.keysArePaths else { return }
    // From which place on each step has moved the elements of each list: both may be very many.
    var moved: [PlaceList: [Int64: Int]] = [:]
    for (number, key) in try await journal.shifted(after: step, at: location) {
      guard let (list, place) = PlaceList.find(key) else { continue }
      moved[list, default: [:]][number] = min(moved[list]?[number] ?? .max, place)
    }
    guard !moved.isEmpty else { return }
    var last: (number: Int64, key: EntryKey)?
    for item in step.items {
      guard let number = Self.lastStep(in: moved, of: item), number > last?.number ?? .min else {
        continue
      }
      last = (number, item.key)
    }
    guard let last else { return }
    throw StoreError.changedSince(
      "\(last.key.spoken) was moved by step \(last.number), which has to be undone before step "
        + "\(step.record.step.number); nothing was changed")
  }

  /// The last step that has moved an entry, or something that it lies inside.
  private static func lastStep(
    in moved: [PlaceList: [Int64: Int]], of item: JournalItem
  ) -> Int64? {
    var last: Int64?
    for path in [item.key, item.newKey].compactMap({ $0?.documentPath }) {
      for depth in path.indices {
        guard let (list, place) = PlaceList.find(path, at: depth), let steps = moved[list] else {
          continue
        }
        for (number, first) in steps where first <= place { last = max(last ?? number, number) }
      }
    }
    return last
  }
}
