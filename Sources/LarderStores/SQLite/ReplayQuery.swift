import Harmony
import HarmonySQLite
import LarderCore

/// Changes that the journal takes back or makes again, in a table that may compute columns.
///
/// Answered by `putAll` as ``ChangesQuery`` is, but columns that the database computes are neither
/// compared nor written: they follow from the others, perhaps by another rule than before.
struct ReplayQuery: Query {
  /// What to change, in order.
  let changes: [EntryChange]
  /// What each change finds, nil where it finds nothing.
  let found: [StoredValue?]
}

extension RowWriter {
  /// Takes changes back or makes them again, in the transaction of the caller.
  ///
  /// - Returns: The entries that were written, as stored.
  func replay(_ query: ReplayQuery) throws -> [Entry] {
    guard layout.values.contains(where: \.isGenerated) else {
      return try make(ChangesQuery(query.changes))
    }
    return try make(
      ChangesQuery(
        zip(query.changes, query.found).map { change, found in
          var change = change
          change.value = change.value.map(withoutComputed)
          guard let found, let current = try reader.read(change.key, session)?.value,
            withoutComputed(current) == withoutComputed(found)
          else { return change }
          change.expecting = Fingerprint(of: current)
          return change
        }))
  }

  /// A row without the columns that the database computes.
  private func withoutComputed(_ value: StoredValue) -> StoredValue {
    guard !layout.isSingleValue, case .record(let fields) = value else { return value }
    let computed = layout.values.filter(\.isGenerated)
    return .record(
      fields.filter { field in
        !computed.contains { $0.name.utf8.elementsEqual(field.name.utf8) }
      })
  }
}
