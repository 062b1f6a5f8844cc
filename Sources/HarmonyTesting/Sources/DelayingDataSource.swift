public import Harmony
import Synchronization

/// A source that holds each call to another source back until a test releases it.
///
/// Several threads may share it. A call that is canceled while it is held back never reaches the
/// inner source.
public final class DelayingDataSource<D, T: Sendable>: GetDataSource, PutDataSource,
  DeleteDataSource
where D: GetDataSource, D: PutDataSource, D: DeleteDataSource, D.T == T {
  private struct Held {
    let release: @Sendable () -> Void
  }

  private let dataSource: D
  private let held = Locked<[Held]>([])
  private let cancelled = Atomic(0)

  /// The number of calls that are held back, including canceled ones.
  public var heldCount: Int { held.withLock { $0.count } }

  /// The number of calls that were canceled while they were held back.
  public var cancelledCount: Int { cancelled.load(ordering: .acquiring) }

  /// Creates a source that holds calls back.
  ///
  /// - Parameter dataSource: The source that answers released calls.
  public init(_ dataSource: D) {
    self.dataSource = dataSource
  }

  /// Releases a call, and completes its future on this thread.
  ///
  /// - Parameter index: The index of the call among those held back; 0 is the oldest.
  /// - Returns: Whether there was such a call.
  @discardableResult
  public func release(_ index: Int = 0) -> Bool {
    let call = held.withLock { held in
      held.indices.contains(index) ? held.remove(at: index) : nil
    }
    call?.release()
    return call != nil
  }

  /// Releases all calls that are currently held back, the oldest first.
  public func releaseAll() {
    let calls = held.withLock { held in
      let calls = held
      held = []
      return calls
    }
    for call in calls { call.release() }
  }

  /// Holds the call back.
  public func get(_ query: any Query) -> Future<T> {
    hold { $0.get(query) }
  }

  /// Holds the call back.
  public func getAll(_ query: any Query) -> Future<[T]> {
    hold { $0.getAll(query) }
  }

  /// Holds the call back.
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    hold { $0.put(value, in: query) }
  }

  /// Holds the call back.
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    hold { $0.putAll(array, in: query) }
  }

  /// Holds the call back.
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    hold { $0.delete(query) }
  }

  private func hold<Answer>(_ call: @escaping @Sendable (D) -> Future<Answer>) -> Future<Answer> {
    Future { resolver in
      resolver.onCancel { [self] in cancelled.add(1, ordering: .acquiringAndReleasing) }
      let release: @Sendable () -> Void = { [dataSource] in
        guard !resolver.isResolved else { return }
        resolver.set(call(dataSource))
      }
      held.withLock { $0.append(Held(release: release)) }
    }
  }
}

extension DelayingDataSource: KeyListingDataSource where D: KeyListingDataSource {
  /// Holds the call back.
  public func getKeys(_ query: any Query) -> Future<[String]> {
    hold { $0.getKeys(query) }
  }

  /// Holds the call back.
  public func countKeys(_ query: any Query) -> Future<Int> {
    hold { $0.countKeys(query) }
  }
}
