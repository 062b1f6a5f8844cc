/// The columns of objects that lie together, opened once for all of their rows.
struct LeafColumns {
  private let columns: [Column]

  private struct Column {
    let property: RealmProperty
    let leaf: ColumnLeaf?
    let problem: RealmError?
  }

  /// - Parameters:
  ///   - snapshot: The state of the file.
  ///   - leaf: The objects.
  ///   - properties: Those that are read.
  ///   - budget: On what account the columns are read.
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

  /// The fields of a row.
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
