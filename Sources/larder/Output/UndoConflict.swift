import LarderModel

extension UndoConflict {
  /// The maximum length of a value in a text line.
  private static let width = 80

  /// Returns a line of text.
  func text(_ style: KeyStyle) -> String {
    let (old, new) = differences
    let suffix = knownPrint.flatMap { _ in found.fingerprint.map(Messages.foundFingerprint) }
    return Messages.conflict(
      key.notation(style),
      expected: knownPrint.map(Messages.expectedFingerprint) ?? Self.text(old),
      found: Self.text(new) + (suffix ?? ""))
  }

  /// A JSON object, without unknown fields.
  var json: String {
    var fields = ["\"key\":\(EntryJSON.key(key, .typed))"]
    if let value = expected.value { fields.append("\"expected\":\(JSONText.encode(value))") }
    if let value = found.value { fields.append("\"found\":\(JSONText.encode(value))") }
    if let print = knownPrint { fields.append("\"expectedFingerprint\":\"\(print)\"") }
    if knownPrint != nil, let print = found.fingerprint {
      fields.append("\"foundFingerprint\":\"\(print)\"")
    }
    return "{" + fields.joined(separator: ",") + "}"
  }

  /// The expected fingerprint, if the journal does not have the value itself.
  private var knownPrint: Fingerprint? { expected.value == nil ? expected.fingerprint : nil }

  /// The expected and current values; for rows, only the columns that differ.
  private var differences: (StoredValue?, StoredValue?) {
    guard case .record(let old)? = expected.value, case .record(let new)? = found.value else {
      return (expected.value, found.value)
    }
    let others = Set(
      old.filter { found.value?.field($0.name) != $0.value }.map(\.name)
        + new.filter { expected.value?.field($0.name) != $0.value }.map(\.name))
    // Different spellings of the same values differ in no column.
    guard !others.isEmpty else { return (expected.value, found.value) }
    return (
      .record(old.filter { others.contains($0.name) }),
      .record(new.filter { others.contains($0.name) })
    )
  }

  /// Returns a value as single-line JSON, which escapes all control characters.
  private static func text(_ value: StoredValue?) -> String {
    guard let value else { return "nothing" }
    let text = JSONText.encode(value)
    return text.count > width ? text.prefix(width) + "…" : text
  }
}
