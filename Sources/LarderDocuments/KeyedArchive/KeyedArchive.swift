package import LarderModel

/// The objects that `NSKeyedArchiver` has put into a property list, as values to read.
///
/// Objects of Foundation's own classes become the values that they stand for; others are
/// dictionaries of their members, with the class first as `$class`. An object inside itself is a
/// dictionary with the one member `$ref`, its number in the archive. How many values sharing may
/// stand for is bounded by the size of the archive.
package enum KeyedArchive {
  /// The values in an archive.
  ///
  /// - Parameter bytes: A property list, binary or in XML.
  /// - Returns: The object under `root`, or a dictionary of all at the top if it is not the only one;
  ///   nil where the bytes are no archive, or one that cannot be shown.
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
