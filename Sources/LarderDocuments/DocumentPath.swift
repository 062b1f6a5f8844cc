package import LarderModel

extension EntryKey {
  /// The key of a value in a document: a member's name or number, and the parts of a path for one
  /// that lies deeper.
  ///
  /// A name that occurs again has the name, null and the number of its repetition as its parts; the
  /// first member with a name can be told by the number 0, which no key of a stored value has.
  package init(path: [DocumentStep]) {
    let parts = path.flatMap(\.parts)
    self = parts.count == 1 ? parts[0] : .composite(parts)
  }

  /// The same key, where it is a name that could be taken for a pointer as the one part of a path,
  /// which cannot: `(/usr)`.
  package var exactPath: EntryKey {
    guard case .text(let name) = self, name.utf8.first == UInt8(ascii: "/") else { return self }
    return .composite([self])
  }

  /// The path that a key of a document stands for; nil where it is not one.
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
  /// The same key without the number 0 of a name, as stored values have it.
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

  /// The name of a member that is the second with it, from its key such as `(name,null,1)`.
  package var nameOfSecond: EntryKey? {
    guard case .composite(let parts) = self, parts.count == 3, parts[1...] == [.null, .integer(1)]
    else { return nil }
    return parts[0]
  }

  /// The names in the path that do not say which of several members they mean.
  package var unnumberedNames: [UnnumberedName] {
    let parts = if case .composite(let parts) = self { parts } else { [self] }
    return parts.indices.compactMap { place in
      let after = parts[(place + 1)...]
      guard case .text(let name) = parts[place], after.first != .null else { return nil }
      return UnnumberedName(before: parts[..<place], name: name, after: after)
    }
  }
}

/// A name in the path of a key that does not say which of several members with it is meant.
package struct UnnumberedName {
  fileprivate let before: ArraySlice<EntryKey>
  fileprivate let name: String
  fileprivate let after: ArraySlice<EntryKey>

  /// The name in a sentence.
  package var spoken: String { EntryKey.text(name).spoken }

  /// The key of a member with the name.
  package func member(_ repetition: Int) -> EntryKey {
    .composite(before + [.text(name), .null, .integer(Int64(repetition))])
  }

  /// The keys that can be meant, as they are typed.
  package func keys(isTwice: Bool) -> String {
    let keys = (0..<2).map { repetition -> String in
      guard case .composite(let parts) = member(repetition) else { return spoken }
      return EntryKey.composite(parts + after).notation(.typed)
    }
    return isTwice ? keys.joined(separator: " and ") : keys.joined(separator: ", ") + " and so on"
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
