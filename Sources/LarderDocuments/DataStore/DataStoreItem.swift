import LarderModel

/// A preference in a DataStore file: an entry of the map that the file consists of.
struct DataStoreItem: Sendable {
  let name: String
  /// The type, or nil if the value is missing or of an unknown type.
  let type: DataStoreType?
  let value: StoredValue

  init(_ name: String, _ type: DataStoreType, _ value: StoredValue) {
    self.name = name
    self.type = type
    self.value = value
  }

  /// Decodes the next field of a file, or returns nil if it is not a preference.
  init?(_ cursor: inout ByteCursor) throws(FormatError) {
    let field = try cursor.field()
    guard case (1, .bytes(let entry)) = (field.number, field.content) else { return nil }
    var name: ArraySlice<UInt8> = []
    var content: ArraySlice<UInt8> = []
    var inside = ByteCursor(entry)
    while inside.left > 0 {
      let field = try inside.field()
      switch (field.number, field.content) {
      case (1, .bytes(let bytes)): name = bytes
      case (2, .bytes(let bytes)): content = bytes
      default: break
      }
    }
    guard let name = String(validating: name, as: UTF8.self) else {
      throw FormatError(Messages.notUTF8Name)
    }
    self.name = name
    var found: (type: DataStoreType, value: StoredValue)?
    inside = ByteCursor(content)
    while inside.left > 0 {
      if let decoded = try DataStoreType.decode(try inside.field()) { found = decoded }
    }
    type = found?.type
    value = found?.value ?? .null
  }

  /// Returns the bytes that Android writes for the preference.
  ///
  /// - Throws: ``DocumentError`` if the type cannot hold the value.
  func encoded() throws(DocumentError) -> [UInt8] {
    guard let type else { throw DocumentError.missingValue }
    return DataStoreType.field(
      1,
      DataStoreType.field(1, name.utf8) + DataStoreType.field(2, try type.encode(value)))
  }
}
