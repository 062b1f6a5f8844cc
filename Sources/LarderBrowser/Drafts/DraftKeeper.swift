import LarderFiles
package import LarderModel
package import Harmony

/// Keeps what is typed for the case that the program ends before it is written.
///
/// Safe from any thread. Of one draft the latest stays, in whatever order the calls arrive, and one
/// that was dropped is never kept again.
package final class DraftKeeper: Sendable {
  /// What the drafts of this run begin their names with.
  package let session: String
  private let source: AnyDataSource<Draft>
  private let isRunning: @Sendable (String) -> Bool
  /// The number of the last call about each draft; a dropped one has the highest.
  private let numbers = Locked<[String: Int]>([:])

  /// Creates a keeper.
  ///
  /// - Parameters:
  ///   - session: What tells this run from every other, without a full stop.
  ///   - source: The drafts by their ids; it answers ``AllObjectsQuery``.
  ///   - isRunning: Whether the run of a session goes on, so that its drafts are its own.
  package init(
    session: String, source: AnyDataSource<Draft>,
    isRunning: @escaping @Sendable (String) -> Bool
  ) {
    self.session = session
    self.source = source
    self.isRunning = isRunning
  }

  /// Keeps a draft, unless a later call about it has come first.
  ///
  /// - Parameters:
  ///   - draft: The draft.
  ///   - number: Not less than that of any earlier call about the draft.
  /// - Throws: What the source throws; what was kept before is still there then.
  package func keep(_ draft: Draft, number: Int) throws {
    try numbers.withLock { numbers in
      guard number >= numbers[draft.id] ?? 0, numbers[draft.id] != .max else { return }
      _ = try source.put(draft, forId: draft.id).result.get()
      numbers[draft.id] = number
    }
  }

  /// Forgets a draft that was written or is not wanted.
  package func drop(_ id: String) {
    numbers.withLock { numbers in
      numbers[id] = .max
      // One that cannot be removed is offered once more, which is better than none.
      _ = source.delete(id).result
    }
  }

  /// What other runs, which are over, have left of a store, the latest first.
  package func left(at place: StoreLocation) -> [Draft] {
    left(inFile: place.path).filter { $0.belongs(to: place) }
  }

  /// What other runs, which are over, have left of all stores in a file, the latest first.
  ///
  /// What cannot be read is left where it is.
  package func left(inFile path: String) -> [Draft] {
    guard let ids = try? source.getKeys(AllObjectsQuery()).result.get() else { return [] }
    return ids.filter { !isRunning(Self.session(of: $0)) }
      .compactMap { try? source.get($0).result.get() }
      .filter { $0.place.path.hasBytes(of: path) }
      .sorted { $0.date > $1.date }
  }

  /// The id of a draft of this run.
  package static func id(_ number: Int, of session: String) -> String { "\(session).\(number)" }

  private static func session(of id: String) -> String {
    id.lastIndex(of: ".").map { String(id[..<$0]) } ?? id
  }
}

extension DraftKeeper {
  /// Keeps drafts in the folder for a user's state, in files that nobody else may read.
  ///
  /// The folder is made with the first draft.
  package static func inState(environment: [String: String]) -> DraftKeeper {
    let lock = RunLock(in: HomePath.larder(.state, environment))
    return DraftKeeper(
      session: lock.name,
      source: StateFolder.source("drafts", environment: environment, lock: lock),
      isRunning: lock.isRunning)
  }
}
