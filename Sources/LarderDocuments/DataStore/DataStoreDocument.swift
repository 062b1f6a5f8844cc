package import LarderModel

/// A preferences file of Android's Jetpack DataStore: named, typed values in Protocol Buffers.
///
/// A replaced value retains its type: a float remains a float, and values that it cannot hold are
/// rejected. Preferences stay in their order. A file with anything that DataStore does not write is
/// read-only, because writing it again would lose that.
package struct DataStoreDocument: Document {
  private let source: DataStoreSource
  private let list: MemberList
  package let readOnlyReason: String?

  package init(parsing bytes: [UInt8]) throws(DocumentError) {
    var cursor = ByteCursor(bytes[...])
    var items: [DataStoreItem] = []
    do {
      while cursor.left > 0 {
        if let item = try DataStoreItem(&cursor) { items.append(item) }
      }
    } catch {
      throw DocumentError.malformed(error.reason, at: cursor.offset)
    }
    source = DataStoreSource(items: items)
    list = MemberList(names: items.map(\.name))
    let isRepeated = list.steps.contains { if case .name(_, 1...) = $0 { true } else { false } }
    readOnlyReason =
      !isRepeated && (try? Self.encoded(items)) == bytes
      ? nil
      : Messages.foreignField
  }

  private static func encoded(_ items: [DataStoreItem]) throws(DocumentError) -> [UInt8] {
    var bytes: [UInt8] = []
    for item in items { bytes += try item.encoded() }
    return bytes
  }

  /// Returns whether a file starts with preferences as DataStore writes them.
  ///
  /// - Parameters:
  ///   - bytes: The first bytes of the file.
  ///   - isWhole: Whether they are all bytes of the file.
  /// - Returns: Whether they are one or more preferences and, unless they are all bytes, part of
  ///   another one.
  package static func begins(_ bytes: [UInt8], isWhole: Bool) -> Bool {
    var cursor = ByteCursor(bytes[...])
    var isFound = false
    while cursor.left > 0 {
      let start = cursor.offset
      do {
        guard let item = try DataStoreItem(&cursor),
          try item.encoded().elementsEqual(bytes[start..<cursor.offset])
        else { return false }
      } catch {
        return !isWhole && isFound && error is FormatError
      }
      isFound = true
    }
    return isFound
  }

  /// DataStore's names of the value types.
  package static let typeNames = Set(DataStoreType.allCases.map(\.rawValue))

  package static var hasPaths: Bool { false }

  package var members: [DocumentStep] { list.steps }

  package func value(at path: [DocumentStep]) throws(DocumentError) -> StoredValue? {
    guard let step = path.first else { return try source.value(of: DataStoreSource.root) }
    return item(at: step)?.value.value(at: path.dropFirst())
  }

  private func item(at step: DocumentStep) -> DataStoreItem? {
    list.position(of: step).map { source.items[$0] }
  }

  package func form(at path: [DocumentStep]) -> String? {
    guard path.count == 1, let item = path.first.flatMap(item) else { return nil }
    guard let type = item.type else { return UnknownForm.word("no value") }
    return DataStoreType(for: item.value) == type ? nil : type.rawValue
  }

  package func applying(_ changes: [DocumentChange]) throws(DocumentError) -> [UInt8] {
    try applying(changes, forms: [:])
  }

  package func applying(
    _ changes: [DocumentChange], forms: [[DocumentStep]: String]
  ) throws(DocumentError) -> [UInt8] {
    if let readOnlyReason { throw DocumentError(readOnlyReason) }
    var tree = EditTree(source, root: DataStoreSource.root)
    for change in changes { try tree.apply(change) }
    return try Self.encoded(source.items(of: tree.root, forms: forms))
  }
}
