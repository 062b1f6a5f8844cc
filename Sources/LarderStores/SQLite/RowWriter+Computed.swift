import LarderCore

extension RowWriter {
  /// Changes that are made again or taken back, which neither write nor compare columns that the
  /// database computes: these follow from the others, perhaps by another rule than before.
  ///
  /// - Parameters:
  ///   - request: The changes.
  ///   - found: What each change finds, nil where it finds nothing.
  /// - Returns: The changes.
  /// - Throws: What keeps the rows from being read.
  func withoutComputed(
    _ request: RevisionQuery.Request, found: [StoredValue?]
  ) throws -> RevisionQuery.Request {
    guard case .changes(let query) = request, query.changes.count == found.count,
      layout.values.contains(where: \.isGenerated)
    else { return request }
    let changes = try zip(query.changes, found).map { change, found in
      var change = change
      change.value = change.value.map(withoutComputed)
      guard let found, let current = try reader.read(change.key, session)?.value,
        withoutComputed(current) == withoutComputed(found)
      else { return change }
      change.expecting = Fingerprint(of: current)
      return change
    }
    return .changes(ChangesQuery(changes, scan: query.scan))
  }

  /// A row without the columns that the database computes.
  private func withoutComputed(_ value: StoredValue) -> StoredValue {
    guard !layout.isSingleValue, case .record(let fields) = value else { return value }
    let computed = layout.values.filter(\.isGenerated)
    return .record(
      fields.filter { field in
        !computed.contains { $0.name.hasBytes(of: field.name) }
      })
  }
}
