import HarmonySQLite
import LarderCore

extension RowWriter {
  /// Makes what a step of the journal asks for, in the transaction of the caller.
  func make(_ request: RevisionQuery.Request) throws -> [Entry] {
    switch request {
    case .changes(let query): try make(query)
    case .renames(let query): try rename(query.renames, query.scan)
    }
  }

  /// Makes changes whose values are ones that the table had, and then again what triggers have
  /// made another.
  ///
  /// - Parameters:
  ///   - request: The changes.
  ///   - values: The values of rows that get other keys, by these keys, where they are not those
  ///     that the rows have.
  ///   - then: What is done to other rows, before it is looked what became of these.
  /// - Returns: The entries as stored, and which of their columns are still something else, in a
  ///   sentence for each.
  /// - Throws: ``StoreError``, also where a trigger keeps a row from being there, and ``SQLiteError``.
  func makeExactly(
    _ request: RevisionQuery.Request, values: [EntryKey: StoredValue] = [:],
    then: () throws -> Void = {}
  ) throws -> (written: [Entry], differences: [String]) {
    var written = try make(request)
    try then()
    let wanted = try wanted(request, written, values)
    guard wanted.count == written.count else { return (written, []) }
    for (value, entry) in zip(wanted, written) {
      guard let value else { continue }
      _ = try session.attempt { _ = try settle(value, entry.key) }
    }
    var differences: [String] = []
    for (place, value) in wanted.enumerated() {
      guard let value else { continue }
      // The triggers of a later row may have changed this one.
      let entry = try stored(reader.read(written[place].key, session))
      written[place] = entry
      let columns = try differing(from: value, in: entry)
      guard !columns.isEmpty else { continue }
      differences.append(
        "\(columns.joined(separator: ", ")) of \(entry.key.spoken) "
          + "\(columns.count == 1 ? "is" : "are") not as before: a trigger of the database "
          + "set \(columns.count == 1 ? "it" : "them")")
    }
    return (written, differences)
  }

  /// The values that the entries are to have which were written, nil where they have them in any
  /// case; empty where all have.
  private func wanted(
    _ request: RevisionQuery.Request, _ written: [Entry], _ values: [EntryKey: StoredValue]
  ) throws -> [StoredValue?] {
    switch request {
    case .changes(let query):
      guard try TriggerWatch(layout, session).isNeeded else { return [] }
      return query.changes.compactMap(\.value)
    case .renames:
      let noted = renamed?.values ?? [:]
      guard !values.isEmpty || !noted.isEmpty else { return [] }
      return written.map { values[$0.key] ?? noted[$0.key] }
    }
  }
}
