/// The objects of a leaf, created one by one.
struct LeafObjects {
  private let found: RealmClass
  private let leaf: ClusterLeaf
  private let columns: LeafColumns
  /// The column of the primary key; nil if it is among the other columns.
  private let primary: LeafColumns?
  private let place: Int?

  /// Opens the objects of a leaf.
  ///
  /// - Parameters:
  ///   - found: The class.
  ///   - leaf: The objects.
  ///   - properties: The properties to read, in addition to the primary key.
  ///   - decoder: The decoder of the values, with the budget for reading the columns.
  init(
    _ found: RealmClass, _ leaf: ClusterLeaf, _ properties: [RealmProperty],
    _ decoder: inout ValueDecoder
  ) {
    self.found = found
    self.leaf = leaf
    columns = LeafColumns(decoder.snapshot, leaf, properties, &decoder.budget)
    place = found.primaryKey.flatMap { primary in
      properties.firstIndex { $0.leafIndex == primary.leafIndex }
    }
    if let property = found.primaryKey, place == nil {
      primary = LeafColumns(decoder.snapshot, leaf, [property], &decoder.budget)
    } else {
      primary = nil
    }
  }

  /// Returns the object of a row.
  ///
  /// - Throws: ``RealmError`` if the primary key cannot be read.
  func object(_ row: Int, _ decoder: inout ValueDecoder) throws(RealmError) -> RealmObject {
    decoder.budget.beginObject()
    let fields = columns.fields(row, &decoder)
    let key = place.map { fields[$0] } ?? primary?.fields(row, &decoder).first
    if let problem = key?.problem { throw problem }
    return RealmObject(
      className: found.name, objectKey: try leaf.key(row), primaryKey: key?.value, fields: fields)
  }
}
