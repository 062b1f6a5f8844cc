import HarmonySQLite
import LarderCore

extension RowWriter {
  /// Makes what a step of the journal asks for, in the transaction of the caller.
  func make(_ request: RevisionQuery.Request) throws -> [Entry] {
    switch request {
    case .changes(let query): try make(query)
    case .renames(let query): try rename(query.renames)
    }
  }

  /// Makes changes whose values are ones that the table had, and then again what triggers have
  /// made another.
  ///
  /// - Parameters:
  ///   - request: The changes.
  ///   - then: What is done to other rows, before it is looked what became of these.
  /// - Returns: The entries as stored, and which of their columns are still something else, in a
  ///   sentence for each.
  /// - Throws: ``StoreError``, also where a trigger keeps a row from being there, and ``SQLiteError``.
  func makeExactly(
    _ request: RevisionQuery.Request, then: () throws -> Void = {}
  ) throws -> (written: [Entry], differences: [String]) {
    var written = try make(request)
    try then()
    guard case .changes(let query) = request,
      try TriggerWatch(layout: layout, session: session).isNeeded
    else { return (written, []) }
    let wanted = query.changes.compactMap(\.value)
    guard wanted.count == written.count else { return (written, []) }
    for (value, entry) in zip(wanted, written) {
      _ = try session.attempt { _ = try settle(value, entry.key) }
    }
    var differences: [String] = []
    for (place, value) in wanted.enumerated() {
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
}
