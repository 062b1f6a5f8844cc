/// Determines the effect of a change without making it.
///
/// It is safe to use from any thread.
package protocol DryRunService: Sendable {
  /// Returns the entries that a change would write, as they would be stored.
  ///
  /// - Parameter change: The changes or renames.
  /// - Returns: The entries that the change itself would return; nothing is stored.
  /// - Throws: ``StoreError`` if the change would be rejected, as far as the store can tell.
  func entries(after change: StoreChange) async throws -> [Entry]
}
