package import LarderModel

/// Decodes the property lists that `NSKeyedArchiver` writes into readable values.
///
/// Objects of Foundation classes become the corresponding values; others become dictionaries of
/// their members, with the class first as `$class`. A reference to an enclosing object becomes a
/// dictionary with the single member `$ref`, the object's number in the archive. The number of
/// values that shared objects can expand to is limited by the archive size.
package enum KeyedArchive {
  /// Decodes an archive.
  ///
  /// - Parameter bytes: A property list, binary or in XML.
  /// - Returns: The object under `root`, or a dictionary of all top-level objects if there are
  ///   others; nil if the bytes are not an archive or expand to too many values.
  package static func decode(_ bytes: [UInt8]) -> StoredValue? {
    guard let document = try? PropertyListDocument(parsing: bytes),
      case .text(let archiver) = try? document.value(at: [.name("$archiver")]),
      archiver.hasSuffix("KeyedArchiver"),
      case .array(let objects) = try? document.value(at: [.name("$objects")]),
      case .dictionary(let top) = try? document.value(at: [.name("$top")])
    else { return nil }
    var reader = KeyedArchiveReader(objects, valuesLeft: bytes.count + 65_536)
    var fields: [StoredValue.Field] = []
    for field in top {
      guard let value = reader.value(field.value) else { return nil }
      fields.append(StoredValue.Field(field.name, value))
    }
    if fields.count == 1, let field = fields.first, field.name == "root" { return field.value }
    return .dictionary(fields)
  }
}
