import LarderFormats
import LarderModel

/// A line in the form for a new row: a column and its typed value.
package struct NewRowLine: Sendable, Equatable {
  /// The kind of value that a column gets.
  package enum Content: Sendable, Equatable {
    /// No value: the store applies its default.
    case nothing
    case null
    case text
  }

  /// The role of a line.
  private enum Purpose: Sendable, Equatable {
    case key(TypedKeyColumn, KeyStyle)
    case value
    case expiry
  }

  private let purpose: Purpose
  /// The name of the column.
  let column: String
  /// The label of the line.
  package let name: String
  /// The note after the line: the type of the column.
  package var note: String {
    chosenType.map { Messages.chosenType($0.rawValue) } ?? declaredType
  }
  private let declaredType: String
  /// Whether the row cannot be written without this column.
  package let isRequired: Bool
  /// The default value as displayed.
  private let defaultText: String
  /// Whether the column can be null.
  package let isNullable: Bool
  /// The types that the value can have.
  private let types: [StoredType]
  /// The type that the text is parsed as, or `nil` to guess it from the text.
  private var type: StoredType?
  /// The type chosen by the user, which overrides ``type``.
  private var chosenType: StoredType?
  /// The kind of value that the column gets.
  package private(set) var content = Content.nothing
  /// The typed text.
  package private(set) var buffer = TextBuffer()
  /// The reason that the text is not valid, or `nil`.
  package var problem: String?

  /// Creates a line for a key column, which may be left empty if the store can choose the key.
  init(key: TypedKeyColumn, isChosen: Bool, _ style: KeyStyle) {
    purpose = .key(key, style)
    column = key.name
    name = key.name
    declaredType = key.type
    isRequired = !isChosen
    defaultText = isChosen ? Messages.nextNumber : ""
    isNullable = false
    types = []
  }

  /// Creates a line for a column whose text has the given type.
  init(_ column: NewColumn, type: StoredType?, _ kind: StoreKind) {
    purpose = .value
    self.column = column.name
    name = column.name
    declaredType = column.type
    isRequired = column.isRequired
    defaultText = column.defaultText ?? (column.isNullable ? "NULL" : "")
    isNullable = column.isNullable
    types = kind.types.filter { $0 != .null }
    self.type = type
  }

  /// Creates a line for the expiry of the row.
  init(expiry column: NewColumn) {
    purpose = .expiry
    self.column = column.name
    name = "expires"
    declaredType = column.name
    isRequired = column.isRequired
    defaultText = column.defaultText ?? (column.isNullable ? "never" : "")
    isNullable = column.isNullable
    types = []
  }

  /// Whether the column is part of the key.
  var isOfKey: Bool { if case .key = purpose { true } else { false } }

  /// Whether something was typed.
  var isGiven: Bool { content != .nothing }

  /// Whether the type of the text can be changed.
  package var canChangeType: Bool { !types.isEmpty }

  /// The text displayed while nothing is typed.
  package var placeholder: String {
    switch content {
    case .nothing: defaultText
    case .null: "NULL"
    case .text: Messages.emptyText
    }
  }

  /// The help displayed while the line has focus.
  package var help: String? {
    guard purpose == .expiry else { return nil }
    return expiry?.spoken ?? ExpiryText.forms
  }

  /// Applies an edit; deleting in an empty line clears the column.
  mutating func apply(_ edit: TextEdit) {
    let wasEmpty = buffer.count == 0
    buffer.apply(edit)
    if buffer.count > 0 {
      content = .text
    } else if !wasEmpty {
      content = (chosenType ?? type) == .text ? .text : .nothing
    } else if edit.isDeletion {
      content = .nothing
    }
    check()
  }

  /// Sets the column to null, or clears it if it was null.
  mutating func setNull() {
    buffer = TextBuffer()
    content = content == .null ? .nothing : .null
    check()
  }

  /// The text as a draft stores it: with its type, where one was chosen.
  var draft: StoredValue {
    let text = StoredValue.text(buffer.text)
    guard let chosenType else { return text }
    return .dictionary([.init("text", text), .init("type", .text(chosenType.rawValue))])
  }

  /// Restores what a draft has stored.
  mutating func resume(_ draft: StoredValue) {
    switch draft {
    case .null: setNull()
    case .text(let text):
      apply(.insert(text))
      content = .text
      check()
    case .dictionary(let parts):
      for part in parts {
        guard case .text(let text) = part.value else { continue }
        if part.name == "type" {
          chosenType = StoredType(rawValue: text).flatMap { types.contains($0) ? $0 : nil }
        }
        if part.name == "text" { resume(part.value) }
      }
      check()
    default: break
    }
  }

  /// Reads the text as the next type.
  mutating func changeType() {
    let place = (chosenType ?? type).flatMap(types.firstIndex).map { $0 + 1 } ?? 0
    chosenType = types.isEmpty ? nil : types[place % types.count]
    check()
  }

  /// Validates the text and, if `isWhole` is true, that a required column is not empty.
  mutating func check(isWhole: Bool = false) {
    problem = nil
    if isWhole, isRequired, content == .nothing {
      problem = Messages.required(column)
      return
    }
    do {
      _ = try key()
      _ = try field()
    } catch {
      problem = error.description
    }
  }

  /// Returns the key component, or `nil` if nothing was typed or the column is not part of the key.
  func key() throws(ValueText.Failure) -> EntryKey? {
    guard case .key(let column, let style) = purpose, content == .text else { return nil }
    if let fault = EntryKey.fault(inTyped: buffer.text) { throw ValueText.Failure(fault) }
    let key = [column].key(typed: buffer.text, style)
    if let fault = [column].fault(of: key) { throw ValueText.Failure(fault) }
    return key
  }

  /// Returns the column with its value, or `nil` if it gets none here.
  func field() throws(ValueText.Failure) -> StoredValue.Field? {
    switch (purpose, content) {
    case (.key, _), (_, .nothing): return nil
    case (_, .null): return StoredValue.Field(column, .null)
    case (.expiry, .text):
      guard expiry == nil else { return nil }
      throw ValueText.Failure(ExpiryText.problem(of: buffer.text))
    case (.value, .text): return StoredValue.Field(column, try value())
    }
  }

  private func value() throws(ValueText.Failure) -> StoredValue {
    let text = buffer.text
    do {
      return try ValueText.value(
        of: text, type: chosenType ?? type ?? guessedType, isHex: false)
    } catch {
      guard ValueText.looksLikeAnotherType(text, than: chosenType ?? type ?? .text) else {
        throw error
      }
      throw ValueText.Failure(Messages.otherType(error.description))
    }
  }

  /// The type guessed from the text, where numbers that would not be stored as typed are text.
  private var guessedType: StoredType {
    let text = buffer.text
    if let number = Int64(text) { return String(number).hasBytes(of: text) ? .integer : .text }
    guard ValueText.guessType(of: text) == .real, Double(text)?.isFinite == true else {
      return .text
    }
    return .real
  }

  /// The expiry of the row, or `nil` if this line does not set it.
  var expiry: ExpiryText? {
    guard purpose == .expiry, content == .text else { return nil }
    // A new row has no expiry that could be extended.
    if case .later(let duration)? = ExpiryText(buffer.text) { return .after(duration) }
    return ExpiryText(buffer.text)
  }
}

extension TextEdit {
  /// Whether the edit deletes characters.
  fileprivate var isDeletion: Bool {
    switch self {
    case .deleteBackward, .deleteForward, .deleteWordBackward, .deleteToLineStart,
      .deleteToLineEnd:
      true
    default: false
    }
  }
}
