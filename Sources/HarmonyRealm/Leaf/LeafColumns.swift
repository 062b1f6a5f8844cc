/// The columns of a leaf of objects, opened once for all of its rows.
struct LeafColumns {
  private let columns: [Column]

  private struct Column {
    let property: RealmProperty
    let leaf: ColumnLeaf?
    let problem: RealmError?
  }

  /// Opens the columns of a leaf.
  ///
  /// - Parameters:
  ///   - snapshot: The state of the file.
  ///   - leaf: The objects.
  ///   - properties: The properties to read.
  ///   - budget: The budget for reading the columns.
  init(
    _ snapshot: RealmSnapshot, _ leaf: ClusterLeaf, _ properties: [RealmProperty],
    _ budget: inout ReadingBudget
  ) {
    var columns: [Column] = []
    columns.reserveCapacity(properties.count)
    for property in properties {
      do throws(RealmError) {
        let column = try snapshot.column(property, leaf)
        try budget.spend(bytes: column?.size ?? 0)
        columns.append(Column(property: property, leaf: column, problem: nil))
      } catch {
        columns.append(Column(property: property, leaf: nil, problem: error))
      }
    }
    self.columns = columns
  }

  /// Returns the fields of a row.
  func fields(_ row: Int, _ decoder: inout ValueDecoder) -> [RealmObject.Field] {
    var fields: [RealmObject.Field] = []
    fields.reserveCapacity(columns.count)
    for column in columns {
      do throws(RealmError) {
        if let problem = column.problem { throw problem }
        fields.append(
          RealmObject.Field(column.property.name, try column.leaf?.value(row, &decoder) ?? .null))
      } catch {
        fields.append(RealmObject.Field(column.property.name, .null, problem: error))
      }
    }
    return fields
  }
}
