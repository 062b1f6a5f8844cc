import Dispatch
import Foundation

/// The values of one suite of defaults, shared by all sources of this process.
final class DefaultsStore: Sendable {
  private struct Shared: Sendable {
    weak var store: DefaultsStore?
  }

  private static let stores = Locked<[String: Shared]>([:])

  /// How long changes of large stores may wait until `UserDefaults` saves them, in milliseconds.
  private static let delay = 50

  private let state: Locked<DefaultsState>
  private let isScheduled = Locked(false)

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
    if isUnsaved { schedule() }
  }

  private func schedule() {
    let isFirst = isScheduled.withLock { isScheduled in
      defer { isScheduled = true }
      return !isScheduled
    }
    guard isFirst else { return }
    let time = DispatchTime.now() + .milliseconds(Self.delay)
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: time) { [weak self] in
      guard let self else { return }
      isScheduled.withLock { $0 = false }
      try? state.withLock { try $0.flush() }
    }
  }
}
