import CSQLite
import Dispatch
import Foundation
import Harmony

/// A connection to a database file, with its own serial queue.
///
/// The file is opened on first use, and again after it was replaced. No locks are held between
/// operations. A read-only connection creates no files, whatever the journal mode. A connection may
/// be used from any thread; operations run one after another on its queue.
public final class SQLiteConnection: @unchecked Sendable {
  // Invariant: `session`, `lockless`, `file`, `state` and `resolvedPath` are accessed only on
  // `queue`.

  /// The access of a connection to its file.
  public enum Access: Sendable, Hashable {
    /// Reads only.
    case reading
    /// Reads and writes an existing file.
    case writing
    /// Reads and writes, creating the file if it does not exist.
    case creating
  }

  /// The path, as passed to the initializer.
  public let path: String
  private let access: Access
  private let busyTimeout: Duration
  private let queue: DispatchQueue
  private var session: SQLiteSession?
  private var file: SQLiteFile?
  private var state: SQLiteFileState?
  private var resolvedPath: String?
  /// A session that reads an open write-ahead log without locks, and the state that it has read.
  private var lockless: (session: SQLiteSession, state: SQLiteFileState)?
  private static let attempts = 8
  /// The maximum number of lockless sessions to retain while the file is open: each has two
  /// descriptors.
  private static let maximumLeft = 24
  /// The connection that the current queue belongs to.
  private static let current = DispatchSpecificKey<ObjectIdentifier>()

  /// Creates a connection without opening the file.
  public init(
    path: String, access: Access = .reading, busyTimeout: Duration = .seconds(5),
    label: String = "HarmonySQLite"
  ) {
    self.path = path
    self.access = access
    self.busyTimeout = busyTimeout
    queue = DispatchQueue(label: label)
    queue.setSpecific(key: Self.current, value: ObjectIdentifier(self))
  }

  deinit {
    // The session is released before the file, whose descriptor must be closed last.
    closeSession()
    leaveLockless()
    file = nil
  }

  /// Runs an operation on the connection's queue, and calls back there with the result.
  ///
  /// An operation on a file that is read without locks is repeated if the file changed in the
  /// meantime, so reading closures must not have cumulative effects.
  public func perform<Result: Sendable>(
    cancellation: SQLiteCancellation? = nil,
    _ body: @escaping @Sendable (SQLiteSession) throws -> Result,
    completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    queue.async {
      completion(Swift.Result { try self.run(cancellation, body) })
    }
  }

  /// Runs an operation on the connection's queue, blocking the calling thread.
  ///
  /// - Throws: ``SQLiteError`` if the file cannot be opened, and the error of the closure.
  @available(*, noasync, message: "blocks the thread; use the asynchronous perform")
  public func wait<Result>(_ body: (SQLiteSession) throws -> Result) throws -> Result {
    try queue.sync { try run(nil, body) }
  }

  /// Runs an operation on the connection's queue.
  ///
  /// Cancelling the task interrupts the operation.
  ///
  /// - Throws: ``SQLiteError`` if the file cannot be opened, and the error of the closure.
  public func perform<Result: Sendable>(
    _ body: @escaping @Sendable (SQLiteSession) throws -> Result
  ) async throws -> Result {
    let cancellation = SQLiteCancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        perform(cancellation: cancellation, body) { continuation.resume(with: $0) }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Closes the file until the next operation.
  ///
  /// Waits for earlier operations. If called on the connection's queue, for example in an operation
  /// or its completion, it returns immediately and the file is closed afterwards.
  public func close() {
    if DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(self) {
      queue.async { self.closeAll() }
    } else {
      queue.sync { closeAll() }
    }
  }

  private func closeAll() {
    closeSession()
    leaveLockless()
  }

  private func closeSession() {
    // A session without locks closes its descriptor immediately, which would release the locks of
    // other connections of this process.
    if state?.access == .abandonedLog, let session { file?.keep(session) }
    session = nil
    state = nil
  }

  /// Retires the lockless session, whose descriptors stay open as long as the file.
  private func leaveLockless() {
    if let lockless { file?.keep(lockless.session) }
    lockless = nil
  }

  private func run<Result>(
    _ cancellation: SQLiteCancellation?, _ body: (SQLiteSession) throws -> Result
  ) throws -> Result {
    do {
      if cancellation?.isCancelled == true { throw SQLiteError.interrupted }
      try SQLiteFile.check(path)
      let isReading = access == .reading
      return try isReading ? runReading(cancellation, body) : runWriting(cancellation, body)
    } catch let error as SQLiteError {
      throw error.of(path)
    }
  }

  private func runReading<Result>(
    _ cancellation: SQLiteCancellation?, _ body: (SQLiteSession) throws -> Result
  ) throws -> Result {
    for attempt in 0..<Self.attempts {
      let before = try look()
      if attempt < 2, before.canBeReadWithoutLocks,
        let result = try runLockless(before, cancellation, body)
      {
        return try result.get()
      }
      let session = try readingSession(before)
      let result = Swift.Result { try session.operate(cancellation, body) }
      if before.access.isLive {
        // An open connection with a log holds a lock that prevents other programs from cleaning up.
        if before.access == .sharedLog { closeSession() }
        do {
          return try result.get()
        } catch {
          guard cancellation?.isCancelled != true, let after = try? look(),
            after.access != before.access
          else { throw error }
          // Its program has opened or closed the database since the state was read.
          closeSession()
          continue
        }
      }
      if let after = try? look(), before.allows(after) { return try result.get() }
      closeSession()
    }
    throw SQLiteError.keepsChanging
  }

  /// Reads an open write-ahead log without locks: a reader with locks would prevent a program that
  /// is just closing its database from removing the log.
  ///
  /// - Returns: The result; nil if another program has written in the meantime or locks are
  ///   required.
  private func runLockless<Result>(
    _ before: SQLiteFileState, _ cancellation: SQLiteCancellation?,
    _ body: (SQLiteSession) throws -> Result
  ) throws -> Swift.Result<Result, any Error>? {
    if let lockless, !lockless.state.isUntouched(in: before) { leaveLockless() }
    guard lockless != nil || (file?.keptSessions ?? .max) < Self.maximumLeft else { return nil }
    closeSession()
    let session = try lockless?.session ?? open(before, as: .abandonedLog)
    lockless = (session, before)
    let result = Swift.Result { try session.operate(cancellation, body) }
    if let after = try? look(), before.isUntouched(in: after) { return result }
    leaveLockless()
    if cancellation?.isCancelled == true { return result }
    return nil
  }

  private func runWriting<Result>(
    _ cancellation: SQLiteCancellation?, _ body: (SQLiteSession) throws -> Result
  ) throws -> Result {
    let session = try writingSession()
    // With a log, closing cleans up and releases the lock of an open connection.
    defer { if session.isStale || (try? look())?.isLogged != false { closeSession() } }
    return try session.operate(cancellation, body)
  }

  /// Returns the current state of the file.
  private func look() throws(SQLiteError) -> SQLiteFileState {
    if let file, let resolvedPath, FileStamp(path: path)?.identity == file.identity {
      return try SQLiteFileState(path: path, resolvedPath: resolvedPath, file: file)
    }
    closeSession()
    leaveLockless()
    let opened = try SQLiteFile.at(path)
    let resolved = SQLiteFile.withoutLinks(path)
    file = opened
    resolvedPath = resolved
    return try SQLiteFileState(path: path, resolvedPath: resolved, file: opened)
  }

  private func readingSession(_ now: SQLiteFileState) throws(SQLiteError) -> SQLiteSession {
    if let session, let state, state.allows(now) { return session }
    closeSession()
    let opened = try open(now, as: now.access)
    session = opened
    state = now
    return opened
  }

  /// Opens the file for reading.
  private func open(
    _ now: SQLiteFileState, as access: SQLiteFileState.Access
  ) throws(SQLiteError) -> SQLiteSession {
    try SQLiteFile.checkBeside(path)
    let parameters =
      switch access {
      case .shared, .sharedLog:
        "mode=ro" + (SQLiteReadingFiles.locking.map { "&vfs=" + $0 } ?? "")
      case .immutable: "mode=ro&immutable=1"
      case .abandonedLog: "mode=ro&vfs=" + (SQLiteReadingFiles.lockless ?? "unix-none")
      }
    let opened = try SQLiteSession(
      uri: uri(parameters), flags: SQLITE_OPEN_READONLY, busyTimeout: busyTimeout)
    opened.setFlag(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
    opened.file = now.stamp.identity
    guard access == .abandonedLog else { return opened }
    // Set before the first read, this keeps the index of the log in memory instead of a new file.
    do throws(SQLiteError) {
      try opened.execute("PRAGMA locking_mode=EXCLUSIVE")
    } catch {
      file?.keep(opened)
      throw error
    }
    return opened
  }

  private func writingSession() throws(SQLiteError) -> SQLiteSession {
    if access == .writing {
      let now = try look()
      if let session, let state, state.stamp.identity == now.stamp.identity { return session }
      closeSession()
      state = now
    } else {
      // Closes the session if its file was removed or replaced: writes to it would be lost.
      if session != nil { _ = try? look() }
      if let session { return session }
    }
    let isCreating = access == .creating
    try SQLiteFile.checkBeside(path)
    let opened = try SQLiteSession(
      uri: uri(isCreating ? "mode=rwc" : "mode=rw"),
      flags: SQLITE_OPEN_READWRITE | (isCreating ? SQLITE_OPEN_CREATE : 0),
      busyTimeout: busyTimeout)
    // Programs that declare foreign keys expect them to be enforced; SQLite's default ignores them.
    try opened.execute("PRAGMA foreign_keys=ON")
    // The state of a file that was just created has not been read yet.
    opened.file = try look().stamp.identity
    session = opened
    return opened
  }

  /// Returns the path as a URI, with all characters escaped that could start parameters.
  private func uri(_ parameters: String) -> String {
    let path = PercentCoding.escaped(SQLiteFile.withoutLinks(path).utf8, besides: "/.-_")
    return "file:\(path)?\(parameters)"
  }
}
