import Dispatch
import Foundation

/// The values of one suite of defaults, shared by all sources of this process.
final class DefaultsStore: Sendable {
  private struct Shared: Sendable {
    weak var store: DefaultsStore?
  }

  private static let stores = Locked<[String: Shared]>([:])

  /// When changes of large stores are saved by `UserDefaults`, which writes all of its values.
  private struct Schedule: Sendable {
    var isWaiting = false
    var delay = Schedule.shortest

    static let shortest = Duration.milliseconds(50)

    /// Leaves ten times as much time to others as saving takes.
    mutating func note(_ duration: Duration) {
      delay = max(Self.shortest, duration * 10)
    }
  }

  private let state: Locked<DefaultsState>
  private let schedule = Locked(Schedule())
  /// The file in which caches keep until when values count.
  let timesPath: String

  /// The store of defaults, the same one for all instances of a suite.
  static func shared(_ defaults: UserDefaults) throws -> DefaultsStore {
    let suite = try DefaultsSuite(defaults)
    let handle = DefaultsHandle(defaults: defaults)
    return stores.withLock { stores in
      stores = stores.filter { $0.value.store != nil }
      if let store = stores[suite.list]?.store { return store }
      let store = DefaultsStore(suite, handle)
      stores[suite.list] = Shared(store: store)
      return store
    }
  }

  init(_ suite: DefaultsSuite, _ handle: DefaultsHandle) {
    state = Locked(DefaultsState(suite, handle))
    timesPath = suite.times
  }

  deinit {
    try? state.withLock { try $0.flush() }
  }

  /// What an address holds; nil if nothing.
  func entry(at address: DefaultsAddress) throws -> DefaultsEntry? {
    try state.withLock { try $0.entry(at: address) }
  }

  /// What addresses hold, at one moment.
  func entries(at addresses: [DefaultsAddress]) throws -> [DefaultsEntry?] {
    try state.withLock { state in try addresses.map { try state.entry(at: $0) } }
  }

  /// The keys and entries of a root's dictionary, or of those outside, in the order of the keys.
  func entries(
    in root: String?, where isWanted: @Sendable (String) -> Bool
  ) throws -> [(key: String, entry: DefaultsEntry)] {
    try state.withLock { try $0.entries(in: root, where: isWanted) }
  }

  /// Changes addresses, all or none of them, and returns when that would survive a loss of power.
  func write(_ changes: [(DefaultsAddress, DefaultsEntry)]) throws {
    let isUnsaved = try state.withLock { state in
      try state.write(changes)
      return state.isUnsaved
    }
    if isUnsaved { saveLater() }
  }

  private func saveLater() {
    let delay: Duration? = schedule.withLock { schedule in
      defer { schedule.isWaiting = true }
      return schedule.isWaiting ? nil : schedule.delay
    }
    guard let delay else { return }
    let milliseconds = Int(delay / .milliseconds(1))
    DispatchQueue.global(qos: .utility).asyncAfter(
      deadline: .now() + .milliseconds(milliseconds)
    ) { [weak self] in
      self?.save()
    }
  }

  private func save() {
    schedule.withLock { $0.isWaiting = false }
    let duration = ContinuousClock().measure {
      try? state.withLock { try $0.flush() }
    }
    schedule.withLock { $0.note(duration) }
  }
}
