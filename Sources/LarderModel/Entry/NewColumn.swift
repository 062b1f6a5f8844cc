/// A column of a table that can be given a value in a new row.
public struct NewColumn: Sendable, Hashable {
  /// The name of the column.
  public let name: String
  /// The declared type, such as `INTEGER`; empty if there is none.
  public let type: String
  /// The type affinity of the column.
  package let form: TypedKeyColumn.Form
  /// Whether the column can be null.
  public let isNullable: Bool
  /// The text of the default value for a new row; nil for null.
  public let defaultText: String?

  /// Creates a column.
  package init(
    name: String, type: String, form: TypedKeyColumn.Form = .any, isNullable: Bool = true,
    defaultText: String? = nil
  ) {
    self.name = name
    self.type = type
    self.form = form
    self.isNullable = isNullable
    self.defaultText = defaultText
  }

  /// Whether a new row requires a value for the column.
  public var isRequired: Bool { !isNullable && defaultText == nil }
}
