import LarderCore

/// Finds out what changes would do, and what of them could not be recorded.
struct JournaledDryRun: DryRunService {
  let dryRun: any DryRunService
  let writer: JournaledWriter

  func entries(after change: StoreChange) async throws -> [Entry] {
    guard case .changes(var query) = change else { return try await dryRun.entries(after: change) }
    query.changes = try await writer.items(of: query.changes, query.scan, areKept: false).changes
    return try await dryRun.entries(after: .changes(query))
  }
}
