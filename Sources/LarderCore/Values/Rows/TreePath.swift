extension ValueTree {
  /// The way to what stands on a row, as programs write it: `users[0].name`; empty at the top.
  func pathText(at row: Int) -> String {
    var value = root
    var text = ""
    for place in path(at: row) {
      guard let member = value.member(place) else { break }
      if let name = member.name {
        text +=
          Self.isPlain(name) ? (text.isEmpty ? name : "." + name) : "[\(JSONText.quote(name))]"
      } else {
        text += "[\(place)]"
      }
      value = member.value
    }
    return text
  }

  /// The name or the number of what stands on a row; nil at the top.
  func nameText(at row: Int) -> String? {
    guard let place = path(at: row).last else { return nil }
    return rows.indices.contains(row) ? rows[row].name ?? String(place) : nil
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, !(0x30...0x39 ~= first.value) else { return false }
    return name.unicodeScalars.allSatisfy { scalar in
      scalar == "_" || scalar == "-" || scalar == "$" || scalar.properties.isAlphabetic
        || 0x30...0x39 ~= scalar.value
    }
  }
}
