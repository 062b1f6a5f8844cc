import LarderCore

/// Finds out what changes would do, and what of them could not be recorded.
struct JournaledDryRun: DryRunService {
  let dryRun: any DryRunService
  let writer: JournaledWriter

  func entries(after changes: ChangesQuery) async throws -> [Entry] {
    var changes = changes
    changes.changes =
      try await writer.items(of: changes.changes, changes.scan, areKept: false).changes
    return try await dryRun.entries(after: changes)
  }
}
