import LarderCore

extension StepConflict {
  /// The greatest length of a value on a line for people.
  private static let width = 80

  var key: EntryKey { found.key }

  /// One line for people.
  func text(_ style: KeyStyle) -> String {
    let (old, new) = differences
    return "\(key.notation(style)): expected \(Self.text(expected, old)), found "
      + Self.text(found, new)
  }

  /// One object, without what is not there.
  var json: String {
    var fields = ["\"key\":\(EntryJSON.key(key, .typed))"]
    if let value = expected.value { fields.append("\"expected\":\(JSONText.encode(value))") }
    if let value = found.value { fields.append("\"found\":\(JSONText.encode(value))") }
    return "{" + fields.joined(separator: ",") + "}"
  }

  /// The values, of rows only the columns that differ.
  private var differences: (StoredValue?, StoredValue?) {
    guard case .record(let old)? = expected.value, case .record(let new)? = found.value else {
      return (expected.value, found.value)
    }
    let others = Set(
      old.filter { found.value?.field($0.name) != $0.value }.map(\.name)
        + new.filter { expected.value?.field($0.name) != $0.value }.map(\.name))
    // Two spellings of one value differ in none.
    guard !others.isEmpty else { return (expected.value, found.value) }
    return (
      .record(old.filter { others.contains($0.name) }),
      .record(new.filter { others.contains($0.name) })
    )
  }

  /// A value on one line, as JSON, in which no control character stays what it is.
  private static func text(_ entry: Entry, _ value: StoredValue?) -> String {
    guard let value else { return entry.fingerprint == nil ? "nothing" : "what was renamed" }
    let text = JSONText.encode(value)
    return text.count > width ? text.prefix(width) + "…" : text
  }
}
