package import LarderModel

/// One line of a value as it is shown, in parts that a view gives their styles.
package struct ValueLine: Sendable, Equatable {
  /// What a part of a line is, which decides how it looks.
  package enum Role: Sendable, Equatable {
    /// Ordinary text.
    case plain
    /// Text of the value.
    case text
    /// A number.
    case number
    /// A boolean.
    case bool
    /// No value.
    case null
    /// Bytes.
    case data
    /// The name of a column or a member.
    case name
    /// What larder says about the value, as against what is in it.
    case note
  }

  /// What makes a part stand out.
  package enum Mark: Sendable, Equatable {
    /// A search has found it.
    case match
    /// It is the byte that is selected.
    case cursor
  }

  /// A part of a line in one role.
  package struct Part: Sendable, Equatable {
    package var text: String
    package var role: Role
    package var mark: Mark?
    /// The web address that it is of; nil where it is of none.
    package var link: String?

    package init(
      _ text: String, _ role: Role = .plain, mark: Mark? = nil, link: String? = nil
    ) {
      self.text = text
      self.role = role
      self.mark = mark
      self.link = link
    }
  }

  /// The parts from left to right.
  package var parts: [Part]
  /// The column of the record that the line belongs to.
  package var field: Int?
  /// The cells of a picture, in the place of parts.
  package var picture: [Picture.Cell] = []

  package init(_ parts: [Part], field: Int? = nil) {
    self.parts = parts
    self.field = field
  }

  /// Adds text, to the last part where that looks the same.
  mutating func append(_ text: String, _ role: Role, mark: Mark? = nil) {
    if let last = parts.indices.last, parts[last].role == role, parts[last].mark == mark {
      parts[last].text += text
    } else {
      parts.append(Part(text, role, mark: mark))
    }
  }

  /// The line without its roles.
  package var text: String { parts.map(\.text).joined() }
}

extension StoredType {
  /// The role of a scalar of this type.
  package var role: ValueLine.Role {
    switch self {
    case .null: .null
    case .bool: .bool
    case .integer, .real, .date: .number
    case .data: .data
    case .text, .url, .uuid: .text
    case .array, .dictionary, .record: .plain
    }
  }
}
