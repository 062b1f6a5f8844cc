import LarderModel
import LarderBrowser

/// A change of an entry, or a difference between two stores, as a line of output.
enum DifferenceLine {
  /// The maximum length of a value in a text line.
  private static let width = 200

  /// Returns a line of text, with the key in the notation that `get` accepts.
  static func text(_ difference: EntryDifference, _ style: KeyStyle) -> String {
    let start = "\(difference.change.rawValue) \(difference.key.notation(style)) "
    switch difference.change {
    case .added, .expired: return start + text(difference.value)
    case .changed: return start + text(difference.old) + " → " + text(difference.value)
    case .removed: return start + text(difference.old)
    }
  }

  /// Returns a value as single-line JSON, which escapes all control characters.
  private static func text(_ value: StoredValue?) -> String {
    guard let value else { return Messages.notShown }
    let text = JSONText.encode(value)
    return text.count > width ? text.prefix(width) + "…" : text
  }

  /// Returns a JSON object on one line.
  static func json(
    _ difference: EntryDifference, _ style: KeyStyle, forms: (old: String?, new: String?)? = nil
  ) -> String {
    var fields = [
      "\"change\":\"\(difference.change.rawValue)\"",
      "\"key\":\(EntryJSON.key(difference.key, style))",
    ]
    if let type = (difference.value ?? difference.old)?.type {
      fields.append("\"type\":\"\(type.rawValue)\"")
    }
    if let value = difference.value { fields.append("\"value\":\(JSONText.encode(value))") }
    if let old = difference.old { fields.append("\"old\":\(JSONText.encode(old))") }
    if let form = forms?.new { fields.append("\"form\":\(JSONText.quote(form))") }
    if let form = forms?.old { fields.append("\"oldForm\":\(JSONText.quote(form))") }
    return "{" + fields.joined(separator: ",") + "}"
  }
}
