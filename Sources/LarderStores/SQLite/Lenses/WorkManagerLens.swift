import LarderModel

extension TableLens {
  /// The jobs of Android's WorkManager, according to `WorkSpec` of its schema.
  ///
  /// Their names and tags are in tables that refer to them by foreign keys.
  static let workManager = TableLens(
    program: "Android's WorkManager", table: "workspec",
    columns: [
      "id", "state", "worker_class_name", "input", "output", "initial_delay", "interval_duration",
      "run_attempt_count", "backoff_policy",
    ],
    siblings: ["worktag", "workname"], key: ["id"], title: "worker_class_name")
}
