import Foundation
package import LarderModel

/// A row of a value tree.
package struct TreeRow: Sendable, Equatable {
  /// The kind of content on the row.
  package enum Kind: Sendable, Equatable {
    /// The opening bracket of an expanded value.
    case opening
    /// The closing bracket of an expanded value.
    case closing
    /// A collapsed value.
    case folded
    /// A value without members.
    case leaf
    /// A rendered fragment of a value that is too long for one row.
    case piece(ValueLine)
    /// A note about members that are not shown.
    case note(String)
  }

  package let kind: Kind
  package let value: StoredValue
  /// The name of the member, or nil for array elements and the root.
  package let name: String?
  /// The index among the members of the parent.
  package let place: Int
  /// The row of the parent value; fragments and closing brackets have the same parent as their
  /// value.
  package let parent: Int?
  package let depth: Int
  /// Whether the value is the last member of its parent.
  package let isLast: Bool
  /// Whether an earlier member has the same name.
  package var isRepeated = false
}

extension TreeRow {
  /// The rendered row.
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
      if let note { parts.append(.init("  " + note, .note)) }
      return ValueLine(parts + repetition)
    }
  }

  /// The note on the value, such as the date that a number most likely denotes.
  private var note: String? {
    guard !isIdentifier, let note = ValueNote.text(of: value) else { return nil }
    // JWTs have this name for their expiry.
    guard name == "exp", case .integer(let number) = value,
      let expiry = Epoch.date(of: number), expiry < Date()
    else { return note }
    return "\(note), expired"
  }

  /// The note about a duplicate name.
  private var repetition: [ValueLine.Part] {
    isRepeated ? [.init("  " + Messages.duplicateName, .note)] : []
  }

  /// The maximum level of indentation, which leaves room for the text.
  private static let deepestIndent = 16

  private var indent: String { String(repeating: "  ", count: min(depth, Self.deepestIndent)) }

  /// Whether the value is the digits of an identifier by its name, rather than of a timestamp.
  private var isIdentifier: Bool {
    guard case .text(let text) = value, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let name = name?.lowercased()
    else { return false }
    return name == "sub" || name == "id" || name.hasSuffix("_id")
  }

  private var head: [ValueLine.Part] {
    let indent = ValueLine.Part(indent)
    return name.map { [indent, .init(JSONText.quote($0), .name), .init(": ")] } ?? [indent]
  }

  private var brackets: (open: String, close: String) {
    if case .array = value { ("[", "]") } else { ("{", "}") }
  }

  /// The number of members with its unit.
  private var count: String {
    let count = value.memberCount ?? 0
    return if case .array = value {
      "\(Thousands.text(count)) \(count == 1 ? "element" : "elements")"
    } else {
      "\(Thousands.text(count)) \(count == 1 ? "member" : "members")"
    }
  }

  /// The maximum number of bytes shown in base 64; larger data is summarized.
  private static let maximumData = 1_024

  /// Returns a value without members as JSON, truncated if it is very large.
  package static func text(of value: StoredValue) -> String {
    switch value {
    case .text(let text) where text.utf8.count > ValueFormat.maximumText:
      let head = String(decoding: text.utf8.textPrefix(ValueFormat.maximumText), as: UTF8.self)
      let left = text.utf8.count - head.utf8.count
      return JSONText.quote(head) + Messages.notShown(left, of: text.utf8.count, "bytes")
    case .data(let bytes) where bytes.count > maximumData,
      .malformedText(let bytes) where bytes.count > maximumData:
      return ValueFormat.summary(of: .data(bytes)).text
    default: return JSONText.encode(value)
    }
  }

  /// Whether the row is certain to fit the width, estimated without rendering it.
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
  /// The number of members, or nil for types without members.
  package var memberCount: Int? {
    switch self {
    case .array(let values): values.count
    case .dictionary(let fields), .record(let fields): fields.count
    default: nil
    }
  }

  /// Returns the member at an index, or nil if there is none.
  package func member(_ place: Int) -> (name: String?, value: StoredValue)? {
    switch self {
    case .array(let values): values.indices.contains(place) ? (nil, values[place]) : nil
    case .dictionary(let fields), .record(let fields):
      fields.indices.contains(place) ? (fields[place].name, fields[place].value) : nil
    default: nil
    }
  }
}
