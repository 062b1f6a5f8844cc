import Foundation
import Harmony
import HarmonyInspection
import LarderCore

/// The entries of a source that another process shows.
///
/// Every call asks that process, which is given so much time and no more. A write is compared and
/// done there, one at a time, so that two that expect the same cannot both succeed; several are made
/// one after the other. Entries of a timed cache are those that are cached, and looking is no use
/// of it.
final class LiveEntrySource: CallingSource {
  private let client: InspectionClient
  private let source: RemoteDataSource
  private let facts: InspectedSource
  private let location: StoreLocation
  private let isReadOnly: Bool

  /// How long all that one query takes may last, of however many answers it is made.
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

  func get(_ query: any Query) -> Future<Entry> {
    if let query = query as? WatchQuery { return watch(query) }
    if query is DepartureQuery { return departure() }
    if let query = query as? TimedValueQuery, facts.isCache {
      return Future(Entry(timed: query))
    }
    return entry(query)
  }

  func getAll(_ query: any Query) -> Future<[Entry]> {
    if let query = query as? ExpiriesQuery {
      return future { try await $0.timed(query) }
    }
    return entries(query)
  }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    if let query = query as? ExpiryQuery {
      return write { try await $0.expire(ExpiriesQuery([query])).only() }
    }
    return putEntry(value, in: query)
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    if let query = query as? ExpiriesQuery {
      return write { try await $0.expire(query) }
    }
    return putEntries(array, in: query)
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    deleteEntries(query)
  }

  // MARK: Waiting

  /// Answers at once: a program tells of no change, and whoever watches looks now and then.
  private func watch(_ query: WatchQuery) -> Future<Entry> {
    guard facts.listsKeys else { return query.unsupported() }
    let (answers, _) = query.watch.state { Answers() }
    query.watch.limitation =
      "a program does not tell what changes: its entries are read now and then and compared"
    return Future(WatchQuery.answer(answers.next()))
  }

  /// Counts the answers of a watch.
  private final class Answers: Sendable {
    private let count = Locked(0)

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  /// Answers once the program is gone.
  private func departure() -> Future<Entry> {
    let client = client
    let location = location
    return Future {
      do {
        try await client.departure().getCancelling()
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // Where it cannot be reached it is gone already.
      }
      return DepartureQuery.answer("\(location.path): the program has ended")
    }
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
      return Future(
        StoreError.readOnly("\(location) was opened read-only; nothing was written"))
    }
    guard facts.isWritable else {
      return Future(StoreError(live: InspectionError.readOnly(facts.name), at: location))
    }
    return future { calls in
      do {
        return try await body(calls)
      } catch InspectionError.timedOut {
        throw StoreError.failed(
          "no answer came in time, and whether it was written is not known; look at the entry")
      } catch InspectionError.malformed(let what) {
        throw StoreError.failed(
          "the answer makes no sense (\(what)), and whether it was written is not known; look at the "
            + "entry")
      } catch InspectionError.disconnected {
        throw StoreError.failed(
          "the process has ended or closed the connection, and whether it was written is not known; "
            + "look at the entry once it is back")
      }
    }
  }
}
