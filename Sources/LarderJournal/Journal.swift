import LarderFiles
import Foundation
import Harmony
import HarmonySQLite
import LarderCore

/// The changes that were made to stores, in a file, so that they can be undone by a later run.
///
/// One SQLite database that only its owner may read, made when the first change is recorded. Steps
/// are on the disk before a store is touched. Several processes may use it at once.
public final class Journal: Sendable {
  /// Where the file is.
  public let path: String
  /// The most that all steps together may take, in bytes of keys and values; the oldest go first.
  public let limit: Int
  private let connection: SQLiteConnection
  /// What tells other runs that the steps of this one are not interrupted.
  let lock: RunLock
  /// What could be done again until one of the last steps of this process was made, by their numbers.
  private let lost = Locked([Int64: [SQLiteValue]]())
  /// Of how many steps that is known: whoever forgets one has just made it.
  private static let greatestLost = 16

  /// Describes a journal; no file is made yet.
  public init(path: String, limit: Int = 64 << 20) {
    self.path = path
    self.limit = limit
    lock = RunLock(in: (path as NSString).deletingLastPathComponent)
    connection = SQLiteConnection(path: path, access: .creating, label: "larder.journal")
  }

  /// The journal in the folder for a person's state, `$XDG_STATE_HOME/larder`.
  public convenience init(environment: [String: String]) {
    self.init(path: HomePath.larder(.state, environment) + "/journal.db")
  }

  /// The steps of some stores, or of all, latest first.
  ///
  /// - Parameters:
  ///   - place: The stores; nil for all.
  ///   - limit: The greatest number of steps.
  /// - Returns: The steps; none where there is no journal yet.
  /// - Throws: `StoreError` where the file cannot be read.
  public func steps(
    of place: JournalPlace? = nil, limit: Int = .max
  ) async throws -> [JournalRecord] {
    try await read(whereAbsent: []) { try $0.records(of: place, limit: limit) }
  }

  /// The step of a number, nil where the journal has none of it.
  public func step(number: Int64) async throws -> JournalRecord? {
    try await read(whereAbsent: nil) { try $0.record(number) }
  }

  /// The step of some stores, or of any, that is to be taken back or done again next.
  ///
  /// - Parameters:
  ///   - isRedo: Whether it is to be done again: then no later change of its store may stand
  ///     against it.
  ///   - place: The stores; nil for all.
  /// - Returns: The step; nil where there is none. One that was interrupted is settled when it is
  ///   taken back, and may turn out never to have been made.
  /// - Throws: `StoreError` where the file cannot be read.
  public func next(
    isRedo: Bool, of place: JournalPlace? = nil
  ) async throws -> JournalRecord? {
    try await read(whereAbsent: nil) { try $0.last(isRedo: isRedo, of: place) }
  }

  /// The step of some stores, or of any, that was undone last of those that ``next(isRedo:of:)`` does
  /// not find, as their store was changed since: each can be done again by its number.
  ///
  /// - Parameter place: The stores; nil for all.
  /// - Returns: The step; nil where there is none.
  /// - Throws: `StoreError` where the file cannot be read.
  public func lastUndone(of place: JournalPlace? = nil) async throws -> JournalRecord? {
    try await read(whereAbsent: nil) { try $0.lastUndone(of: place) }
  }

  /// Records what is about to be done to a store.
  ///
  /// - Parameters:
  ///   - action: What is done.
  ///   - items: The entries.
  ///   - count: How many entries there are, where the store records all of them itself and `items` is
  ///     the first alone.
  ///   - location: The store.
  /// - Returns: The number of the step.
  /// - Throws: `StoreError` where the file cannot be written.
  func begin(
    _ action: JournalStep.Action, _ items: [JournalItem], count: Int?,
    at location: StoreLocation
  ) async throws -> Int64 {
    try prepareFile()
    return try await perform(.writing) { [limit, lock] session in
      try session.write {
        try JournalTable(session, lock).add(
          action, items, count: count, at: location, limit: limit)
      }
    }
  }

  /// The step of a store that a query means: one by its number, or the next to undo or redo.
  func record(
    _ request: ReplayRequest, at location: StoreLocation
  ) async throws -> JournalRecord? {
    try await read(whereAbsent: nil) { try $0.record(request, at: location) }
  }

  /// The steps of a store that can be undone, or done again, the next first.
  func steps(
    isRedo: Bool, limit: Int, at location: StoreLocation
  ) async throws -> [JournalRecord] {
    try await read(whereAbsent: []) { try $0.steps(isRedo: isRedo, limit: limit, at: location) }
  }

  /// Reads the step that a query means with its entries.
  func step(
    _ request: ReplayRequest, at location: StoreLocation
  ) async throws -> JournalTable.Step? {
    try await read(whereAbsent: nil) { table in
      try table.record(request, at: location).map { try table.step($0) }
    }
  }

  /// An entry as it was before its last change that was not taken back; nil where there is none.
  ///
  /// - Parameters:
  ///   - key: The key of the entry.
  ///   - turn: Before which turn the change was made.
  ///   - location: The store.
  /// - Returns: The entry with the time of the change; without a value where that added it.
  /// - Throws: `StoreError` where the file cannot be read.
  func entry(
    before key: EntryKey, from turn: Int64 = .max, at location: StoreLocation
  ) async throws -> Entry? {
    try await read(whereAbsent: nil) { try $0.entry(before: key, from: turn, at: location) }
  }

  /// The last change of an entry before a turn that is listed, and was not taken back.
  func lastChange(
    of key: EntryKey, before turn: Int64, at location: StoreLocation
  ) async throws -> JournalTable.Change? {
    try await read(whereAbsent: nil) { try $0.change(of: key, before: turn, at: location) }
  }

  /// The last step of a store between two turns that is done, and of which the journal lists only the
  /// first of several entries.
  func countedStep(
    between first: Int64, and last: Int64, at location: StoreLocation
  ) async throws -> (step: JournalTable.Step, turn: Int64)? {
    try await read(whereAbsent: nil) {
      try $0.countedStep(between: first, and: last, at: location)
    }
  }

  /// The steps of a store that killed processes have begun, and of which nobody knows whether they
  /// were done.
  func abandoned(at location: StoreLocation) async throws -> [JournalTable.Step] {
    try await read(whereAbsent: []) { try $0.abandoned(at: location) }
  }

  /// Marks a step as begun again, unless another process has done that, or has ended it, since the
  /// step was read.
  ///
  /// - Returns: Whether the step is the caller's to replay.
  func reopen(_ step: JournalTable.Step, isUndo: Bool) async throws -> Bool {
    try prepareFile()
    return try await perform(.writing) { [lock] session in
      try session.write {
        try JournalTable(session, lock).setPending(step.record.step.number, isUndo: isUndo)
      }
    }
  }

  /// Records what is about to be done to a store, with what the store records of it, while the calling
  /// thread waits.
  ///
  /// - Returns: The number of the step.
  /// - Throws: `StoreError` where the file cannot be written.
  func begin(
    _ action: JournalStep.Action, _ items: [JournalItem], count: Int?,
    at location: StoreLocation, recording bytes: [UInt8]
  ) throws -> Int64 {
    try prepareFile()
    return try wait { [limit] table in
      let number = try table.add(action, items, count: count, at: location, limit: limit)
      try table.setRecord(bytes, isSpare: false, of: number)
      return number
    }
  }

  /// Keeps what a store records of a step while the calling thread waits.
  ///
  /// - Throws: `StoreError` where the file cannot be written.
  func record(_ bytes: [UInt8], isSpare: Bool, ofStep number: Int64) throws {
    try wait { try $0.setRecord(bytes, isSpare: isSpare, of: number) }
  }

  private func wait<Result>(_ body: (JournalTable) throws -> Result) throws -> Result {
    do {
      return try connection.wait { session in
        try JournalSchema.prepare(session, isToWrite: true)
        return try session.write { try body(JournalTable(session, lock)) }
      }
    } catch {
      throw translate(error, .writing)
    }
  }

  /// Keeps what became of a step, which is forgotten where nothing was ever done.
  func settle(_ step: JournalTable.Step) async throws {
    let lost = try await perform(.settling) { [limit, lock] session in
      try session.write { try JournalTable(session, lock).settle(step, limit: limit) }
    }
    guard !lost.isEmpty else { return }
    self.lost.withLock { known in
      known[step.record.step.number] = lost
      if known.count > Self.greatestLost, let oldest = known.keys.min() { known[oldest] = nil }
    }
  }

  /// Keeps what became of a step that was interrupted, unless somebody else has found out, and may
  /// have gone on with it, since the step was read.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - isDecided: Whether it can be told what became of it.
  /// - Throws: `StoreError` where the file cannot be written.
  func settleInterrupted(_ step: JournalTable.Step, isDecided: Bool) async throws {
    try await perform(.writing) { [limit, lock] session in
      try session.write {
        let table = JournalTable(session, lock)
        guard try table.isInterrupted(step) else { return }
        if isDecided {
          try table.settle(step, limit: limit)
        } else {
          try table.setUndecided(step.record.step.number)
        }
      }
    }
  }

  /// Leaves a step that this process began, and can find out nothing of, as if the process had been
  /// killed.
  func leave(_ step: JournalTable.Step) async throws {
    try await perform(.settling) { [lock] session in
      try session.write { try JournalTable(session, lock).leave(step) }
    }
  }

  /// Removes a step that this process has made and taken back, and is not to be made again: what
  /// could be done again before it can be so after it.
  func forget(_ step: JournalTable.Step) async throws {
    let lost = lost.withLock { $0.removeValue(forKey: step.record.step.number) ?? [] }
    try await perform(.settling) { [lock] session in
      try session.write { try JournalTable(session, lock).forget(step.record, lost) }
    }
  }

  /// The positions in a store that steps after one have moved, with the numbers of these steps.
  func shifted(
    after step: JournalTable.Step, at location: StoreLocation
  ) async throws -> [(Int64, EntryKey)] {
    try await read(whereAbsent: []) {
      try $0.shifted(after: step.record.step.number, at: location)
    }
  }

  /// Reads the file as it is at one moment, if there is one.
  private func read<Result: Sendable>(
    whereAbsent absent: Result, _ body: @escaping @Sendable (JournalTable) throws -> Result
  ) async throws -> Result {
    guard try isMade() else { return absent }
    do {
      try TrustedPath.check(file: path)
    } catch {
      throw StoreError.journal("the journal is not read, as \(error)")
    }
    return try await perform(.reading) { [lock] session in
      try session.read { try body(JournalTable(session, lock)) }
    }
  }

  /// What the file is opened for, as far as a person has to be told what became of it.
  private enum Purpose {
    case reading, writing
    /// Writing what became of a change that was made.
    case settling
  }

  private func perform<Result: Sendable>(
    _ purpose: Purpose, _ body: @escaping @Sendable (SQLiteSession) throws -> Result
  ) async throws -> Result {
    do {
      return try await connection.perform { session in
        try JournalSchema.prepare(session, isToWrite: purpose != .reading)
        return try body(session)
      }
    } catch {
      throw translate(error, purpose)
    }
  }

  /// What an error of the database means to a person.
  private func translate(_ error: any Error, _ purpose: Purpose) -> any Error {
    guard let error = error as? SQLiteError else { return error }
    guard error.code.primary == .busy else { return unusable(for: purpose, error.message) }
    let what = "the journal \(path) is being written by another larder"
    return switch purpose {
    case .reading: StoreError.busy(what + "; nothing was read. Try again")
    case .writing: StoreError.busy(what + "; nothing was written. Try again")
    case .settling: StoreError.busy(what)
    }
  }

  /// Whether there is a file; one that cannot be reached is not the same as none.
  private func isMade(for purpose: Purpose = .reading) throws -> Bool {
    var status = stat()
    if stat(path, &status) == 0 { return true }
    guard errno == ENOENT else { throw unusable(for: purpose, String(cString: strerror(errno))) }
    guard lstat(path, &status) != 0 else {
      throw unusable(for: purpose, "it is a link to a file that does not exist")
    }
    return false
  }

  /// Takes away what others may do with the file and those beside it, whoever gave it to them.
  ///
  /// By their paths: SQLite's locks would go with a descriptor that is closed.
  private func closeToOthers() throws {
    for ending in ["", "-wal", "-shm", "-journal"] {
      var status = stat()
      guard stat(path + ending, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
      guard chmod(path + ending, status.st_mode & 0o700) == 0 else {
        throw unusable(
          for: .writing,
          "others may read it, and its permissions cannot be changed: "
            + String(cString: strerror(errno)))
      }
    }
  }

  /// Makes the file, which SQLite would make readable for others, and tells other runs that this one
  /// is at work.
  private func prepareFile() throws {
    do {
      try StateFolder.make((path as NSString).deletingLastPathComponent)
      try TrustedPath.check(file: path)
      if try isMade(for: .writing) {
        try closeToOthers()
      } else {
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 || errno == EEXIST else { throw FileFailure(errno) }
        if file >= 0 { close(file) }
      }
      try lock.take()
    } catch let refusal as TrustedPath.Refusal {
      throw StoreError.journal(
        "no change can be recorded, as \(refusal); nothing was written. --no-journal writes, but the "
          + "change cannot be undone")
    } catch let failure as FileFailure {
      throw unusable(for: .writing, failure.message)
    } catch let error as StoreError {
      throw error
    } catch {
      throw unusable(for: .writing, "its folder can be neither made nor entered")
    }
  }

  private func unusable(for purpose: Purpose, _ reason: String) -> StoreError {
    switch purpose {
    case .reading:
      .journal(
        "the journal \(path) cannot be read: \(reason); the changes that it holds can be neither "
          + "listed nor undone. Check the file and its permissions, or move it away to begin "
          + "a new one")
    case .settling: .journal("the journal \(path) cannot be written: \(reason)")
    case .writing:
      .journal(
        "the journal \(path) cannot be written: \(reason); nothing was written. Check the file, "
          + "its permissions and the room on its disk, move it away to begin a new one, or use "
          + "--no-journal: the change then cannot be undone")
    }
  }
}
