import LarderModel
package import LarderDocuments

extension ValueTree {
  /// Returns the key path of a row's value in programming notation, such as `users[0].name`, or an
  /// empty string at the root.
  package func pathText(at row: Int) -> String {
    root.steps(path(at: row)).pathText
  }

  /// Returns the name or index of a row's value, or nil at the root.
  package func nameText(at row: Int) -> String? {
    guard let place = path(at: row).last else { return nil }
    return rows.indices.contains(row) ? rows[row].name ?? String(place) : nil
  }
}

extension [DocumentStep] {
  /// The key path in programming notation, such as `users[0].name`.
  package var pathText: String {
    var text = ""
    for step in self {
      switch step {
      case .name(let name, _) where Self.isPlain(name): text += text.isEmpty ? name : "." + name
      case .name(let name, _): text += "[\(JSONText.quote(name))]"
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, !(0x30...0x39 ~= first.value) else { return false }
    return name.unicodeScalars.allSatisfy { scalar in
      scalar == "_" || scalar == "-" || scalar == "$" || scalar.properties.isAlphabetic
        || 0x30...0x39 ~= scalar.value
    }
  }
}

extension StoredValue {
  /// Converts member indices to a key path.
  package func steps(_ places: [Int]) -> [DocumentStep] {
    var value = self
    var steps: [DocumentStep] = []
    for place in places {
      guard let member = value.member(place) else { break }
      if let name = member.name, case .dictionary(let fields) = value {
        let repetition = fields[..<place].count { $0.name.hasBytes(of: name) }
        steps.append(.name(name, repetition: repetition))
      } else {
        steps.append(member.name.map { .name($0) } ?? .index(place))
      }
      value = member.value
    }
    return steps
  }
}
