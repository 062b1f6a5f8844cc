import Harmony
import LarderCore

extension JournaledWriter {
  /// Says until when entries count, in one step: what the store keeps of it is part of their values,
  /// or of how they are kept, so that the step is taken back as any other.
  func expire(_ query: ExpiriesQuery) async throws -> [Entry] {
    let entries = try await source.getAll(query).getCancelling()
    var isChanged: [Bool] = []
    for entry in entries {
      if entry.value.map({ Fingerprint(of: $0) }) != entry.fingerprint {
        isChanged.append(true)
      } else {
        // A file may count from when it was written, which is beside its value.
        let form = entry.form == nil ? nil : try await source.entry(entry.key)?.form
        isChanged.append(form != entry.form)
      }
    }
    let changes = zip(entries, isChanged).filter(\.1).map { entry, _ in
      EntryChange(entry.key, value: entry.value, expecting: entry.fingerprint, form: entry.form)
    }
    let written = try await change(changes, query.scan)
    let byKey = Dictionary(written.map { ($0.key, $0) }) { $1 }
    return entries.map { byKey[$0.key] ?? $0 }
  }
}
