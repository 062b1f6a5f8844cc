package import LarderModel
package import LarderFormats
package import Foundation

/// Text that was typed for an entry and is not written yet, as it is kept for a later start.
///
/// Encoded as JSON in which the text can be read without larder, too.
package struct Draft: Sendable, Equatable {
  /// Which draft it is: the session that it is typed in, and a number of that session.
  package var id: String
  /// The store, by its path without links.
  package var place: StoreLocation
  /// The key as it is shown.
  package var title: String
  /// The key of the entry.
  package var key: EntryKey
  /// The line that the text was typed in, where it is a name; nil where it is a value.
  package var line: Line?
  /// What of the value is edited.
  package var part = ValuePart()
  /// Whether that is a member that is not there yet.
  package var isNewMember = false
  /// The entry as it was read before it was edited; nil for a new one.
  package var base: Entry?
  /// What the store has to hold for the write, or nil: nothing under the key.
  package var expecting: Fingerprint?
  /// The type that the text has to have.
  package var type: StoredType
  /// Whether what was typed is bytes in hexadecimal digits.
  package var isHex = false
  /// What was typed.
  package var text: String
  /// When the text was kept.
  package var date: Date
  /// The file of another program that has the text; nil where none has.
  package var outside: Outside?

  /// A line in which a name is typed.
  package enum Line: String, Sendable, Codable {
    /// The key of a new entry.
    case newKey
    /// The columns of a new row.
    case newRow
    /// Another key of the entry.
    case rename
    /// The key of a copy of the entry.
    case copy
    /// The name of a new member of what is edited.
    case newMember
  }

  /// What the text is for, in a sentence.
  var subject: String {
    switch line {
    case nil: title
    case .newKey: "a new key"
    case .newRow: "a new row"
    case .rename: "the new key of \(title)"
    case .copy: "a copy of \(title)"
    case .newMember: "a new member of \(title)"
    }
  }

  /// A file that another program was given the text in.
  package struct Outside: Sendable, Equatable {
    /// Where the file is.
    package var path: String
    /// Whether something of the text was typed before.
    package var isTyped: Bool
    /// What a later run has found in the file, if that is all that the program has left.
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

  /// Whether another draft would be kept for nothing.
  func hasContent(of other: Draft) -> Bool {
    id == other.id && type == other.type && isHex == other.isHex && expecting == other.expecting
      && text.hasBytes(of: other.text) && outside == other.outside
  }

  /// Whether the draft belongs to a store, whose names are compared byte by byte.
  func belongs(to place: StoreLocation) -> Bool { self.place.isSame(as: place) }
}

extension StoreLocation {
  /// Whether both are the same, name by name and byte by byte.
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
    case member, isNewMember, file, isTyped, line
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
    // Earlier versions of larder typed all bytes in digits.
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
    // Earlier versions of larder called members of what is no row fields, too.
    guard let field, member == nil, let value = base?.value else {
      return ValuePart(column: field, member: member)
    }
    if case .record = value { return ValuePart(column: field) }
    return ValuePart(member: field)
  }
}
