package import LarderModel
package import LarderFormats
package import Foundation

/// Unsaved text that is stored in case the program exits before it is written.
///
/// It is encoded as JSON, in which the text can be read without larder.
package struct Draft: Sendable, Equatable {
  /// The id, which consists of the name of the session and a number within it.
  package var id: String
  /// The location of the store, with symbolic links resolved.
  package var place: StoreLocation
  /// The key, as displayed.
  package var title: String
  /// The key of the entry.
  package var key: EntryKey
  /// The kind of prompt that the text is from, or `nil` if it is from the editor of a value.
  package var line: Line?
  /// The part of the value that is edited.
  package var part = ValuePart()
  /// Whether the part is a new member, which does not exist yet.
  package var isNewMember = false
  /// The entry as it was read before editing, or `nil` for a new one.
  package var base: Entry?
  /// The fingerprint that the stored entry must have, or `nil` if there must be no entry.
  package var expecting: Fingerprint?
  /// The type of the edited value.
  package var type: StoredType
  /// The store's own name for the form of a new value, if it was chosen.
  package var form: String?
  /// Whether the text is bytes in hexadecimal digits.
  package var isHex = false
  /// The text.
  package var text: String
  /// The date on which the draft was saved.
  package var date: Date
  /// The file of an external editor that has the text, or `nil` if there is none.
  package var outside: Outside?

  /// A prompt for a name.
  package enum Line: String, Sendable, Codable {
    /// The key of a new entry.
    case newKey
    /// The columns of a new row.
    case newRow
    /// A new key for an existing entry.
    case rename
    /// The key for a copy of an entry.
    case copy
    /// The name of a new member of the edited value.
    case newMember
  }

  /// The description of the edited object in messages.
  var subject: String {
    switch line {
    case nil: title
    case .newKey: Messages.aNewKey
    case .newRow: Messages.aNewRow
    case .rename: Messages.newKey(of: title)
    case .copy: Messages.copy(of: title)
    case .newMember: Messages.newMember(of: title)
    }
  }

  /// A file with the text that was opened in an external editor.
  package struct Outside: Sendable, Equatable {
    /// The path of the file.
    package var path: String
    /// Whether the text had unsaved changes before the file was written.
    package var isTyped: Bool
    /// The text that a later run has found in the file, if the file has all of it.
    package var found: String?

    package init(path: String, isTyped: Bool) {
      self.path = path
      self.isTyped = isTyped
    }

    /// The folder of the file.
    var folder: String {
      path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
  }

  /// Returns whether the draft has the same content as another, which then need not be saved.
  func hasContent(of other: Draft) -> Bool {
    id == other.id && type == other.type && form == other.form && isHex == other.isHex
      && expecting == other.expecting
      && text.hasBytes(of: other.text) && outside == other.outside
  }

  /// Returns whether the draft belongs to a store, comparing names by their bytes.
  func belongs(to place: StoreLocation) -> Bool { self.place.isSame(as: place) }
}

extension StoreLocation {
  /// Returns whether both locations are the same, comparing names by their bytes.
  func isSame(as other: StoreLocation) -> Bool {
    guard path.hasBytes(of: other.path) else { return false }
    switch (collection, other.collection) {
    case (nil, nil): return true
    case (let own?, let other?): return own.hasBytes(of: other)
    default: return false
    }
  }
}

extension Draft: Codable {
  private enum Name: String, CodingKey {
    case id, path, collection, title, key, field, base, expecting, type, isHex, text, date
    case member, isNewMember, file, isTyped, line, form
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Name.self)
    try members.encode(id, forKey: .id)
    try members.encode(place.path, forKey: .path)
    try members.encodeIfPresent(place.collection, forKey: .collection)
    try members.encode(title, forKey: .title)
    try members.encode(Data(EntryCoding.encode(key)), forKey: .key)
    try members.encodeIfPresent(line, forKey: .line)
    try members.encodeIfPresent(part.column, forKey: .field)
    try members.encodeIfPresent(part.member, forKey: .member)
    if isNewMember { try members.encode(true, forKey: .isNewMember) }
    let value = base?.value.map { Data(EntryCoding.encode($0, form: base?.form)) }
    try members.encodeIfPresent(value, forKey: .base)
    try members.encodeIfPresent(expecting?.description, forKey: .expecting)
    try members.encode(type.rawValue, forKey: .type)
    try members.encodeIfPresent(form, forKey: .form)
    if line == nil { try members.encode(isHex, forKey: .isHex) }
    try members.encode(text, forKey: .text)
    try members.encode(date, forKey: .date)
    try members.encodeIfPresent(outside?.path, forKey: .file)
    try members.encodeIfPresent(outside?.isTyped, forKey: .isTyped)
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Name.self)
    func member<Value>(_ name: Name, _ value: Value?) throws -> Value {
      guard let value else {
        throw DecodingError.dataCorruptedError(
          forKey: name, in: members, debugDescription: "no \(Value.self)")
      }
      return value
    }
    id = try members.decode(String.self, forKey: .id)
    place = StoreLocation(
      path: try members.decode(String.self, forKey: .path),
      collection: try members.decodeIfPresent(String.self, forKey: .collection))
    title = try members.decode(String.self, forKey: .title)
    let key = EntryCoding.key(Array(try members.decode(Data.self, forKey: .key)))
    self.key = try member(.key, key)
    if let bytes = try members.decodeIfPresent(Data.self, forKey: .base).map({ Array($0) }) {
      let value = try member(.base, EntryCoding.value(bytes))
      base = Entry(key: self.key, value: value, form: EntryCoding.form(bytes))
    }
    line = try members.decodeIfPresent(Line.self, forKey: .line)
    part = try Self.part(of: base, in: members)
    isNewMember = try members.decodeIfPresent(Bool.self, forKey: .isNewMember) ?? false
    if let text = try members.decodeIfPresent(String.self, forKey: .expecting) {
      expecting = try member(.expecting, Fingerprint(text))
    }
    let word = try members.decode(String.self, forKey: .type)
    type = try member(.type, StoredType(rawValue: word))
    form = try members.decodeIfPresent(String.self, forKey: .form)
    // Earlier versions of larder edited all bytes as hexadecimal digits.
    let original = isNewMember ? nil : base?.value.flatMap(part.value)
    let wasHex = type == .data || type == .text && original.map(ValueText.isHex) == true
    isHex = try members.decodeIfPresent(Bool.self, forKey: .isHex) ?? wasHex
    text = try members.decode(String.self, forKey: .text)
    date = try members.decode(Date.self, forKey: .date)
    if let path = try members.decodeIfPresent(String.self, forKey: .file) {
      let isTyped = try members.decodeIfPresent(Bool.self, forKey: .isTyped)
      outside = Outside(path: path, isTyped: isTyped ?? true)
    }
  }

  private static func part(
    of base: Entry?, in members: KeyedDecodingContainer<Name>
  ) throws -> ValuePart {
    let field = try members.decodeIfPresent(String.self, forKey: .field)
    let member = try members.decodeIfPresent(String.self, forKey: .member)
    // Earlier versions of larder used the name "field" also for members of values that are not
    // rows.
    guard let field, member == nil, let value = base?.value else {
      return ValuePart(column: field, member: member)
    }
    if case .record = value { return ValuePart(column: field) }
    return ValuePart(member: field)
  }
}
