/// A deletion of many entries that is under way.
package struct WorkModel: Sendable, Equatable {
  /// How many entries there are to delete.
  package let total: Int
  /// How far it has come.
  package var report: WorkReport
  /// Whether it was told to stop.
  package var isStopping = false

  package init(token: Int, total: Int) {
    self.total = total
    report = WorkReport(token: token, read: 0, changed: 0)
  }
}
