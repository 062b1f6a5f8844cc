import Foundation
import Harmony

/// A Realm file, which is read and never changed, locked or put anything beside.
///
/// Every reading sees one committed state, while other processes commit: where the file's current
/// state is another one at the end, the reading is done again. Memory is independent of the size of
/// the file: what is read is copied, node by node, and only some megabytes of it are kept. A file
/// that is cut short or replaced underneath is an error, or another file, and never the end of the
/// process. One instance may be used by several threads.
///
/// ```swift
/// let file = RealmFile(path: "default.realm")
/// let names = try file.read { try $0.objects(of: "Owner").map { $0["name"] } }
/// ```
///
/// Formats 10, 11 and 20 to 24 are read, as apps write and as they export.
public final class RealmFile: Sendable {
  /// The path, as it was given.
  public let path: String
  private let state = Locked(State())

  private struct State {
    var descriptor: RealmDescriptor?
    var snapshot: RealmSnapshot?
  }

  /// How often a reading is done before the file is called busy.
  private static let patience = 12

  /// Describes a file; nothing is opened before the first reading.
  public init(path: String) {
    self.path = path
  }

  /// Reads one state of the file.
  ///
  /// - Parameter body: What to read. It runs again where another process commits meanwhile, so it
  ///   should be short and do nothing else. What it was given must not be used afterwards.
  /// - Returns: What the closure returned the last time.
  /// - Throws: ``RealmError`` for a file that cannot be read, which names the file; what the
  ///   closure throws.
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
      // A writer that commits all the time leaves longer gaps now and then.
      usleep(UInt32(min(1 << round, 64)) * 1_000)
    }
    throw RealmError(
      .busy, "is written all the time, so that no state of it could be read; try again",
      path: path)
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
    // What is read while the header changes may be anything: once more tells.
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
    throw failure ?? .corrupt("cannot be read")
  }

  private func forget(_ snapshot: RealmSnapshot) {
    state.withLock { if $0.snapshot === snapshot { $0.snapshot = nil } }
  }
}

extension RealmFile {
  /// Whether a file that begins with these bytes is a Realm.
  ///
  /// - Parameter start: The first 24 bytes or more.
  /// - Returns: Whether it is one that is not encrypted; nothing tells an encrypted one for sure.
  public static func isRealm(_ start: some Sequence<UInt8>) -> Bool {
    RealmHeader.isMarked(start)
  }

  /// Whether a file may be an encrypted Realm, which has no mark.
  ///
  /// - Parameters:
  ///   - start: The first 64 bytes or more.
  ///   - size: How many bytes the file has.
  /// - Returns: Whether the tables of its pages look as those of one do.
  public static func looksEncrypted(_ start: [UInt8], size: Int) -> Bool {
    !RealmHeader.isMarked(start) && RealmHeader.looksEncrypted(start, size: size)
  }
}
