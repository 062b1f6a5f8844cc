import LarderFormats
import LarderModel

/// One line of a form for a new row: a column, and what is typed for it.
package struct NewRowLine: Sendable, Equatable {
  /// What a column is given.
  package enum Content: Sendable, Equatable {
    /// Nothing: the store puts in its default.
    case nothing
    case null
    case text
  }

  /// What the line is about.
  private enum Purpose: Sendable, Equatable {
    case key(TypedKeyColumn, KeyStyle)
    case value
    case expiry
  }

  private let purpose: Purpose
  /// The name of the column.
  let column: String
  /// The name that stands before the line.
  package let name: String
  /// What stands behind the line: the type of the column.
  package var note: String { chosenType.map { "as \($0.rawValue)" } ?? declaredType }
  private let declaredType: String
  /// Whether the row cannot be written without it.
  package let isRequired: Bool
  /// What the row gets where nothing is typed.
  private let defaultText: String
  /// Whether the column can be null.
  package let isNullable: Bool
  /// The types that its value can be given.
  private let types: [StoredType]
  /// The type that its text has; nil where the text itself tells.
  private var type: StoredType?
  /// The type that was chosen in its place.
  private var chosenType: StoredType?
  /// What the column is given.
  package private(set) var content = Content.nothing
  /// The text.
  package private(set) var buffer = TextBuffer()
  /// Why the text cannot be written, while it cannot.
  package var problem: String?

  /// A line for a column of the key, which the store may choose.
  init(key: TypedKeyColumn, isChosen: Bool, _ style: KeyStyle) {
    purpose = .key(key, style)
    column = key.name
    name = key.name
    declaredType = key.type
    isRequired = !isChosen
    defaultText = isChosen ? "next number" : ""
    isNullable = false
    types = []
  }

  /// A line for a column, whose text has a type.
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

  /// A line for when the row expires.
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

  /// What is shown while there is no text.
  package var placeholder: String {
    switch content {
    case .nothing: defaultText
    case .null: "NULL"
    case .text: "empty text"
    }
  }

  /// What helps to type the line, shown while it is typed in.
  package var help: String? {
    guard purpose == .expiry else { return nil }
    return expiry?.spoken ?? ExpiryText.forms
  }

  /// Carries out one edit; deleting in an empty line gives the column nothing again.
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

  /// Gives the column null, or nothing again where it was given null.
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

  /// Looks whether what is typed can be written; of a whole row, also whether something is missing.
  mutating func check(isWhole: Bool = false) {
    problem = nil
    if isWhole, isRequired, content == .nothing {
      problem = "\(column) is required"
      return
    }
    do {
      _ = try key()
      _ = try field()
    } catch {
      problem = error.description
    }
  }

  /// The part of the key that is typed; nil where nothing is, or the column is not part of the key.
  func key() throws(ValueText.Failure) -> EntryKey? {
    guard case .key(let column, let style) = purpose, content == .text else { return nil }
    if let fault = EntryKey.fault(inTyped: buffer.text) { throw ValueText.Failure(fault) }
    let key = [column].key(typed: buffer.text, style)
    if let fault = [column].fault(of: key) { throw ValueText.Failure(fault) }
    return key
  }

  /// The column with the value that is typed; nil where it is given none here.
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
      guard ValueText.looksLikeOther(text, than: chosenType ?? type ?? .text) else { throw error }
      throw ValueText.Failure("\(error.description); Ctrl-T changes the type")
    }
  }

  /// The type of a text that tells it: a number only where it is stored as it is spelled.
  private var guessedType: StoredType {
    let text = buffer.text
    if let number = Int64(text) { return String(number).hasBytes(of: text) ? .integer : .text }
    guard ValueText.guessType(of: text) == .real, Double(text)?.isFinite == true else {
      return .text
    }
    return .real
  }

  /// When the row expires; nil where the line does not say it.
  var expiry: ExpiryText? {
    guard purpose == .expiry, content == .text else { return nil }
    // A new row has no expiry yet that could be extended.
    if case .later(let duration)? = ExpiryText(buffer.text) { return .after(duration) }
    return ExpiryText(buffer.text)
  }
}

extension TextEdit {
  /// Whether the edit takes characters away.
  fileprivate var isDeletion: Bool {
    switch self {
    case .deleteBackward, .deleteForward, .deleteWordBackward, .deleteToLineStart,
      .deleteToLineEnd:
      true
    default: false
    }
  }
}
