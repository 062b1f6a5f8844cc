/// The columns of objects that lie together, opened once for all of their rows.
struct LeafColumns {
  private let found: RealmClass
  private let leaf: ClusterLeaf
  private let columns: [Column]

  private struct Column {
    let property: RealmProperty
    let leaf: ColumnLeaf?
    let problem: RealmError?
  }

  /// - Parameters:
  ///   - snapshot: The state of the file.
  ///   - found: The class.
  ///   - leaf: The objects.
  ///   - properties: Those that are read.
  init(
    _ snapshot: RealmSnapshot, _ found: RealmClass, _ leaf: ClusterLeaf,
    _ properties: [RealmProperty]
  ) {
    self.found = found
    self.leaf = leaf
    columns = properties.map { property in
      do throws(RealmError) {
        return Column(
          property: property, leaf: try snapshot.column(property, leaf), problem: nil)
      } catch {
        return Column(property: property, leaf: nil, problem: error)
      }
    }
  }

  /// The fields of a row.
  func fields(_ row: Int, _ decoder: inout ValueDecoder) -> [RealmObject.Field] {
    columns.map { column in
      do throws(RealmError) {
        if let problem = column.problem { throw problem }
        let value = try column.leaf?.value(row, &decoder) ?? .null
        return RealmObject.Field(column.property.name, value)
      } catch {
        return RealmObject.Field(column.property.name, .null, problem: error)
      }
    }
  }
}
