import Foundation
import Harmony
import HarmonyInspection
import LarderModel
import LarderStoreBase

/// A data source for the entries of a source in another process.
///
/// Every call is sent to that process and is subject to a time limit. Each write is compared and
/// made there atomically, so that of two writes that expect the same value only one can succeed;
/// several changes are made one by one. The entries of a timed cache are those that are cached, and
/// reading them does not count as a use.
final class LiveEntrySource: CallingSource {
  private let client: InspectionClient
  private let source: RemoteDataSource
  private let facts: InspectedSource
  private let location: StoreLocation
  private let isReadOnly: Bool

  /// The time limit for one query, however many calls it requires.
  private let patience: Duration

  init(
    _ client: InspectionClient, _ facts: InspectedSource, at location: StoreLocation,
    options: OpenOptions
  ) {
    self.client = client
    self.facts = facts
    self.location = location
    isReadOnly = options.isReadOnly
    patience = max(.seconds(60), options.busyTimeout)
    source = client.source(facts.name)
  }

  /// Waits until the program ends, and returns a message that it has.
  func departure() async throws -> String {
    do {
      try await client.departure().getCancelling()
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // The program has already ended if it cannot be reached.
    }
    return Messages.ended(location.path)
  }

  // MARK: Calls

  private var calls: LiveCalls { LiveCalls(source, facts, patience: patience) }

  func future<Value: Sendable>(
    _ body: @escaping @Sendable (LiveCalls) async throws -> Value
  ) -> Future<Value> {
    let calls = calls
    let location = location
    return Future {
      do {
        return try await body(calls)
      } catch let error as InspectionError {
        throw StoreError(live: error, at: location)
      }
    }
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (LiveCalls) async throws -> Value
  ) -> Future<Value> {
    if isReadOnly {
      return Future(StoreError.openedReadOnly(location.description))
    }
    guard facts.isWritable else {
      return Future(StoreError(live: InspectionError.readOnly(facts.name), at: location))
    }
    return future { calls in
      do {
        return try await body(calls)
      } catch InspectionError.timedOut {
        throw StoreError.unansweredWrite
      } catch InspectionError.malformed(let what) {
        throw StoreError.invalidAnswerToWrite(what)
      } catch InspectionError.disconnected {
        throw StoreError.disconnectedWrite
      }
    }
  }
}

extension LiveEntrySource: ExpiryService, SeparateExpiries {
  var separate: (any SeparateExpiries)? { self }

  var areWrittenWithValues: Bool { true }

  func entry(_ entry: Entry, expiring expires: Date?) async throws -> Entry {
    entry.expiring(expires)
  }

  func entries(after changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    try await future { try await $0.entries(after: changes, scan) }.getCancelling()
  }

  func set(_ changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    try await write { try await $0.expire(changes, scan) }.getCancelling()
  }
}

/// A change feed that never waits: a program does not report changes, so watchers poll.
struct LiveFeed: ChangeFeed {
  var limitation: String? {
    Messages.noNotices
  }

  func next() async throws {}
}
