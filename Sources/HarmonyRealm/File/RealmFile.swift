import Foundation
import Harmony

/// A Realm file, which is read without changing it, locking it or creating other files.
///
/// Each read sees one committed state, even while other processes commit: if the current state has
/// changed by the end of a read, the read is repeated. Memory use is independent of the size of the
/// file, because nodes are copied as needed and only a few megabytes of them are cached. Truncating
/// or replacing the file during a read causes an error or reads the other file, but never crashes
/// the process. An instance may be used by several threads.
///
/// ```swift
/// let file = RealmFile(path: "default.realm")
/// let names = try file.read { try $0.objects(of: "Owner").map { $0["name"] } }
/// ```
///
/// Formats 10, 11 and 20 to 24 are supported, both as written by apps and as exported.
public final class RealmFile: Sendable {
  /// The path of the file, as passed to the initializer.
  public let path: String
  private let state = Locked(State())

  private struct State {
    var descriptor: RealmDescriptor?
    var snapshot: RealmSnapshot?
  }

  /// The maximum number of attempts before a read fails with ``RealmError/Code/busy``.
  private static let patience = 12

  /// Creates a file description without opening the file.
  public init(path: String) {
    self.path = path
  }

  /// Reads one state of the file.
  ///
  /// - Parameter body: Reads the file. It runs again if another process commits in the meantime, so
  ///   it should be short and have no other effects. Its argument must not be used afterwards.
  /// - Returns: The result of the last call of the closure.
  /// - Throws: ``RealmError`` with the path if the file cannot be read; any error of `body`.
  public func read<Value>(_ body: (RealmReading) throws -> Value) throws -> Value {
    for round in 0..<Self.patience {
      let snapshot = try snapshot()
      let result = Result { try body(RealmReading(snapshot)) }
      if snapshot.isCurrent() {
        do {
          return try result.get()
        } catch let error as RealmError {
          throw error.of(path)
        }
      }
      forget(snapshot)
      // Even a busy writer leaves longer gaps from time to time.
      usleep(UInt32(min(1 << round, 64)) * 1_000)
    }
    throw RealmError.busy.of(path)
  }

  private func snapshot() throws(RealmError) -> RealmSnapshot {
    let identity = RealmDescriptor.identity(of: path)
    let (descriptor, snapshot) = state.withLock { ($0.descriptor, $0.snapshot) }
    do throws(RealmError) {
      if let descriptor, descriptor.identity == identity {
        if let snapshot, snapshot.isCurrent() { return snapshot }
        return try begin(descriptor)
      }
      let descriptor = try RealmDescriptor(path: path)
      state.withLock { $0.descriptor = descriptor }
      return try begin(descriptor)
    } catch {
      throw error.of(path)
    }
  }

  private func begin(_ descriptor: RealmDescriptor) throws(RealmError) -> RealmSnapshot {
    // A read during a change of the header may fail, so it is repeated.
    var failure: RealmError?
    for _ in 0..<3 {
      do throws(RealmError) {
        let snapshot = try RealmSnapshot(descriptor)
        state.withLock { $0.snapshot = snapshot }
        return snapshot
      } catch {
        failure = error
      }
    }
    throw failure ?? .unreadable
  }

  private func forget(_ snapshot: RealmSnapshot) {
    state.withLock { if $0.snapshot === snapshot { $0.snapshot = nil } }
  }
}

extension RealmFile {
  /// Returns whether a file that begins with the given bytes is a Realm file.
  ///
  /// - Parameter start: The first 24 bytes or more.
  /// - Returns: Whether it is an unencrypted Realm file; encrypted files cannot be identified with
  ///   certainty.
  public static func isRealm(_ start: some Sequence<UInt8>) -> Bool {
    RealmHeader.isMarked(start)
  }

  /// Returns whether a file may be an encrypted Realm file, which has no magic number.
  ///
  /// - Parameters:
  ///   - start: The first 64 bytes or more.
  ///   - size: The size of the file in bytes.
  /// - Returns: Whether its page table looks like that of an encrypted file.
  public static func looksEncrypted(_ start: [UInt8], size: Int) -> Bool {
    !RealmHeader.isMarked(start) && RealmHeader.looksEncrypted(start, size: size)
  }
}
