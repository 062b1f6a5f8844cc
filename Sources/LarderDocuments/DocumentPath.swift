package import LarderModel

extension EntryKey {
  /// Creates the key of a value in a document: the name or index of a top-level member, or a
  /// composite of the whole path for a deeper value.
  ///
  /// A repeated name is followed by null and its repetition. A key may also address the first
  /// member of a name with the repetition 0, but keys of stored values omit it.
  package init(path: [DocumentStep]) {
    let parts = path.flatMap(\.parts)
    self = parts.count == 1 ? parts[0] : .composite(parts)
  }

  /// The same key, wrapped in a composite if it is a name that looks like a JSON pointer, so that
  /// it cannot be mistaken for one: `(/usr)`.
  package var exactPath: EntryKey {
    guard case .text(let name) = self, name.utf8.first == UInt8(ascii: "/") else { return self }
    return .composite([self])
  }

  /// The path that the key addresses, or nil if it is not a valid path.
  package var documentPath: [DocumentStep]? {
    let parts = if case .composite(let parts) = self { parts } else { [self] }
    var path: [DocumentStep] = []
    var rest = parts[...]
    while let part = rest.popFirst() {
      switch part {
      case .text(let name):
        guard rest.first == .null else {
          path.append(.name(name))
          continue
        }
        guard case .integer(let number) = rest.dropFirst().first, number >= 0 else { return nil }
        rest = rest.dropFirst(2)
        path.append(.name(name, repetition: Int(number)))
      case .integer(let index): path.append(.index(Int(index)))
      default: return nil
      }
    }
    return path
  }
}

extension EntryKey {
  /// The same key without the repetitions of 0, as in the keys of stored values.
  package var withoutFirstNumbers: EntryKey {
    guard case .composite(let parts) = self else { return self }
    var kept: [EntryKey] = []
    var rest = parts[...]
    while let part = rest.popFirst() {
      kept.append(part)
      if case .text = part, rest.starts(with: [.null, .integer(0)]) { rest = rest.dropFirst(2) }
    }
    guard kept.count < parts.count else { return self }
    return kept.count == 1 ? kept[0].exactPath : .composite(kept)
  }

  /// The name in a key such as `(name,null,1)`, the second top-level member with that name; nil for
  /// other keys.
  package var nameOfSecond: EntryKey? {
    guard case .composite(let parts) = self, parts.count == 3, parts[1...] == [.null, .integer(1)]
    else { return nil }
    return parts[0]
  }

  /// The names in the path that have no explicit repetition.
  package var unnumberedNames: [UnnumberedName] {
    let parts = if case .composite(let parts) = self { parts } else { [self] }
    return parts.indices.compactMap { place in
      let after = parts[(place + 1)...]
      guard case .text(let name) = parts[place], after.first != .null else { return nil }
      return UnnumberedName(before: parts[..<place], name: name, after: after)
    }
  }
}

/// A name in the path of a key, without a repetition that selects one of several members.
package struct UnnumberedName {
  fileprivate let before: ArraySlice<EntryKey>
  fileprivate let name: String
  fileprivate let after: ArraySlice<EntryKey>

  /// The name as quoted in messages.
  package var spoken: String { EntryKey.text(name).spoken }

  /// Returns the key of a member with this name and a repetition.
  package func member(_ repetition: Int) -> EntryKey {
    .composite(before + [.text(name), .null, .integer(Int64(repetition))])
  }

  /// Returns the keys that may be meant, in the notation that users type.
  package func keys(isTwice: Bool) -> String {
    let keys = (0..<2).map { repetition -> String in
      guard case .composite(let parts) = member(repetition) else { return spoken }
      return EntryKey.composite(parts + after).notation(.typed)
    }
    return Messages.keys(keys, isAll: isTwice)
  }
}

extension DocumentStep {
  fileprivate var parts: [EntryKey] {
    switch self {
    case .name(let name, 0): [.text(name)]
    case .name(let name, let repetition): [.text(name), .null, .integer(Int64(repetition))]
    case .index(let index): [.integer(Int64(index))]
    }
  }
}
