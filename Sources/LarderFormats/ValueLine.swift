package import LarderModel

/// A line of a displayed value, in parts that a view styles by their roles.
package struct ValueLine: Sendable, Equatable {
  /// The role of a part, which determines its style.
  package enum Role: Sendable, Equatable {
    /// Ordinary text.
    case plain
    /// Text of the value.
    case text
    /// A number.
    case number
    /// A boolean.
    case bool
    /// Null.
    case null
    /// Bytes.
    case data
    /// The name of a column or a member.
    case name
    /// A note by larder that is not part of the value.
    case note
  }

  /// The highlighting of a part.
  package enum Mark: Sendable, Equatable {
    /// A search match.
    case match
    /// The selected byte.
    case cursor
  }

  /// A part of a line in one role.
  package struct Part: Sendable, Equatable {
    package var text: String
    package var role: Role
    package var mark: Mark?
    /// The web address that the part links to, if any.
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
  /// The index of the record's column that the line shows.
  package var field: Int?
  /// The cells of a picture, which replace the parts.
  package var picture: [Picture.Cell] = []

  package init(_ parts: [Part], field: Int? = nil) {
    self.parts = parts
    self.field = field
  }

  /// Appends text, merging it with the last part if role and mark are equal.
  mutating func append(_ text: String, _ role: Role, mark: Mark? = nil) {
    if let last = parts.indices.last, parts[last].role == role, parts[last].mark == mark {
      parts[last].text += text
    } else {
      parts.append(Part(text, role, mark: mark))
    }
  }

  /// The plain text of the line.
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
