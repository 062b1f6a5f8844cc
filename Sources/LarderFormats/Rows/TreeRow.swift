package import LarderModel

/// A row of a tree of values.
package struct TreeRow: Sendable, Equatable {
  /// What stands on the row.
  package enum Kind: Sendable, Equatable {
    /// The opening bracket of a value whose members follow.
    case opening
    /// The closing bracket.
    case closing
    /// A value whose members are not shown.
    case folded
    /// A value without members.
    case leaf
    /// Part of a value that does not fit on one row, ready to be shown.
    case piece(ValueLine)
    /// What is said in place of the rest.
    case note(String)
  }

  package let kind: Kind
  package let value: StoredValue
  /// The name of the member; nil for elements and for the whole.
  package let name: String?
  /// The place among the members of the value around.
  package let place: Int
  /// The row of the value around; for pieces and closing brackets, that of the one that theirs is in.
  package let parent: Int?
  package let depth: Int
  /// Whether a member follows.
  package let isLast: Bool
  /// Whether a member before it has the same name.
  package var isRepeated = false
}

extension TreeRow {
  /// The row as it is shown.
  package var line: ValueLine {
    let comma = isLast ? "" : ","
    switch kind {
    case .piece(let line): return line
    case .note(let text): return ValueLine([.init(indent), .init(text, .note)])
    case .closing: return ValueLine([.init(indent + brackets.close + comma)])
    case .opening: return ValueLine(head + [.init(brackets.open)] + repetition)
    case .folded:
      return ValueLine(
        head + [.init("\(brackets.open)…\(brackets.close)\(comma)"), .init("  \(count)", .note)]
          + repetition)
    case .leaf:
      guard value.memberCount == nil else {
        return ValueLine(head + [.init(brackets.open + brackets.close + comma)] + repetition)
      }
      var parts = head + [.init(Self.text(of: value), value.type.role), .init(comma)]
      if let note = ValueNote.text(of: value) { parts.append(.init("  " + note, .note)) }
      return ValueLine(parts + repetition)
    }
  }

  /// What is said of a name that several members have.
  private var repetition: [ValueLine.Part] {
    isRepeated ? [.init("  the same name again", .note)] : []
  }

  /// The level from which on rows are no further to the right: their text has to have room.
  private static let deepestIndent = 16

  private var indent: String { String(repeating: "  ", count: min(depth, Self.deepestIndent)) }

  private var head: [ValueLine.Part] {
    let indent = ValueLine.Part(indent)
    return name.map { [indent, .init(JSONText.quote($0), .name), .init(": ")] } ?? [indent]
  }

  private var brackets: (open: String, close: String) {
    if case .array = value { ("[", "]") } else { ("{", "}") }
  }

  /// How many members there are, in words.
  private var count: String {
    let count = value.memberCount ?? 0
    return if case .array = value {
      "\(count) \(count == 1 ? "element" : "elements")"
    } else {
      "\(count) \(count == 1 ? "member" : "members")"
    }
  }

  /// The maximum number of bytes that are shown in base 64 and not counted.
  private static let maximumData = 1_024

  /// A value without members as JSON, cut where it is very large.
  package static func text(of value: StoredValue) -> String {
    switch value {
    case .text(let text) where text.utf8.count > ValueFormat.maximumText:
      let head = String(decoding: text.utf8.textPrefix(ValueFormat.maximumText), as: UTF8.self)
      let left = text.utf8.count - head.utf8.count
      return "\(JSONText.quote(head))… \(left) of \(text.utf8.count) bytes are not shown"
    case .data(let bytes) where bytes.count > maximumData,
      .malformedText(let bytes) where bytes.count > maximumData:
      return ValueFormat.summary(of: .data(bytes)).text
    default: return JSONText.encode(value)
    }
  }

  /// Whether the row certainly fits into so many columns, found without making it.
  package func surelyFits(_ width: Int) -> Bool {
    var room = width - depth * 2 - 40 - (isRepeated ? 24 : 0)
    if let name { room -= name.utf8.count * 6 }
    switch value {
    case .text(let text), .url(let text): room -= text.utf8.count * 6
    case .malformedText(let bytes), .data(let bytes): room -= bytes.count * 2
    case .number(let digits): room -= digits.utf8.count
    default: break
    }
    return room >= 0
  }
}

extension StoredValue {
  /// How many members the value has; nil where it is of a type that has none.
  package var memberCount: Int? {
    switch self {
    case .array(let values): values.count
    case .dictionary(let fields), .record(let fields): fields.count
    default: nil
    }
  }

  /// A member by its place; nil where there is none.
  package func member(_ place: Int) -> (name: String?, value: StoredValue)? {
    switch self {
    case .array(let values): values.indices.contains(place) ? (nil, values[place]) : nil
    case .dictionary(let fields), .record(let fields):
      fields.indices.contains(place) ? (fields[place].name, fields[place].value) : nil
    default: nil
    }
  }
}
