/// A column of a table, as far as a new row is given a value for it.
public struct NewColumn: Sendable, Hashable {
  /// The name of the column.
  public let name: String
  /// The type that it is declared with, such as `INTEGER`; empty for none.
  public let type: String
  /// What the column stores values as.
  package let form: TypedKeyColumn.Form
  /// Whether the column can be null.
  public let isNullable: Bool
  /// What a new row gets where it is given no value, in words; nil for null.
  public let defaultText: String?

  /// Describes a column.
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

  /// Whether a new row has to be given a value.
  public var isRequired: Bool { !isNullable && defaultText == nil }
}
