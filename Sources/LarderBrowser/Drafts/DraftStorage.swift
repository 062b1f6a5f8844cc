import LarderFiles
package import LarderModel
package import Harmony

/// Stores drafts in case the program exits before they are written.
///
/// Safe to use from any thread. The latest version of each draft wins, whatever the order in which
/// the calls arrive, and a dropped draft is never stored again.
package final class DraftStorage: Sendable {
  /// The session name, which is the prefix of all draft ids of this run.
  package let session: String
  private let source: AnyDataSource<Draft>
  private let isRunning: @Sendable (String) -> Bool
  /// The number of the last call for each draft, which is the maximum for dropped ones.
  private let numbers = Locked<[String: Int]>([:])

  /// Creates a storage.
  ///
  /// - Parameters:
  ///   - session: The unique name of this run, without a period.
  ///   - source: The drafts by id, which must answer ``AllObjectsQuery``.
  ///   - isRunning: Returns whether the run with a session name is still active, in which case its
  ///     drafts are not offered for recovery.
  package init(
    session: String, source: AnyDataSource<Draft>,
    isRunning: @escaping @Sendable (String) -> Bool
  ) {
    self.session = session
    self.source = source
    self.isRunning = isRunning
  }

  /// Saves a draft, unless a later call for it has arrived first.
  ///
  /// - Parameters:
  ///   - draft: The draft.
  ///   - number: A number that is not less than that of any earlier call for the draft.
  /// - Throws: Any error of the source, in which case the previous version is still stored.
  package func keep(_ draft: Draft, number: Int) throws {
    try numbers.withLock { numbers in
      guard number >= numbers[draft.id] ?? 0, numbers[draft.id] != .max else { return }
      _ = try source.put(draft, forId: draft.id).result.get()
      numbers[draft.id] = number
    }
  }

  /// Deletes a draft that was written or discarded.
  package func drop(_ id: String) {
    numbers.withLock { numbers in
      numbers[id] = .max
      // If this fails, the draft is offered again later, which is better than losing one.
      _ = source.delete(id).result
    }
  }

  /// Returns the drafts of a store from runs that have exited, the latest first.
  package func left(at place: StoreLocation) -> [Draft] {
    left(inFile: place.path).filter { $0.belongs(to: place) }
  }

  /// Returns the drafts of all stores in a file from runs that have exited, the latest first.
  ///
  /// Drafts that cannot be read are skipped.
  package func left(inFile path: String) -> [Draft] {
    guard let ids = try? source.getKeys(AllObjectsQuery()).result.get() else { return [] }
    return ids.filter { !isRunning(Self.session(of: $0)) }
      .compactMap { try? source.get($0).result.get() }
      .filter { $0.place.path.hasBytes(of: path) }
      .sorted { $0.date > $1.date }
  }

  /// Returns the id of a draft in a session.
  package static func id(_ number: Int, of session: String) -> String { "\(session).\(number)" }

  private static func session(of id: String) -> String {
    id.lastIndex(of: ".").map { String(id[..<$0]) } ?? id
  }
}

extension DraftStorage {
  /// Returns a storage that stores drafts in the user's state folder, in files that only the user
  /// can read.
  ///
  /// The folder is created with the first draft.
  package static func inState(environment: [String: String]) -> DraftStorage {
    let lock = RunLock(in: HomePath.larder(.state, environment))
    return DraftStorage(
      session: lock.name,
      source: StateFolder.source("drafts", environment: environment, lock: lock),
      isRunning: lock.isRunning)
  }
}
