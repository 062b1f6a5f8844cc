import Foundation

/// A suite of defaults in this process: its property list and the memory of `UserDefaults`.
///
/// The property list is authoritative, except for changes that the program makes with
/// `UserDefaults` itself: where memory differs from what Foundation loaded, memory is read. A
/// source writes only its own keys to the list; the program saves its own changes itself.
final class DefaultsStore: Sendable {
  private static let stores = Locked<[String: DefaultsStore]>([:])

  private struct State: Sendable {
    var list: DefaultsList
    /// The values that Foundation has loaded, which memory contains wherever the program has set
    /// nothing; nil before the first use.
    var loaded: [String: DefaultsValue]?
    /// Whether Foundation may have unsaved changes.
    var isDirty = false
    var hasWritten = false
  }

  private let suite: DefaultsSuite
  private let memory: DefaultsMemory
  private let state: Locked<State>

  /// The file in which caches save expiries.
  var timesPath: String { suite.times }

  /// Returns the store of defaults, which all instances of a suite share.
  static func shared(_ defaults: UserDefaults) throws -> DefaultsStore {
    let suite = try DefaultsSuite(defaults)
    return stores.withLock { stores in
      if let store = stores[suite.list] { return store }
      let store = DefaultsStore(suite, DefaultsMemory(defaults))
      stores[suite.list] = store
      return store
    }
  }

  init(_ suite: DefaultsSuite, _ memory: DefaultsMemory) {
    self.suite = suite
    self.memory = memory
    state = Locked(State(list: DefaultsList(path: suite.list)))
  }

  /// Returns the values at addresses, all as of the same instant; nil for those without a value.
  func values(at addresses: [DefaultsAddress]) throws -> [DefaultsValue?] {
    try state.withLock { state in
      try follow(&state)
      return addresses.map { address in
        let value =
          memory.argument(address.topKey) ?? value(address.topKey, in: state)
          ?? DefaultsMemory.registered(address.topKey)
        guard address.root != nil else { return value }
        guard case .dictionary(let members) = value else { return nil }
        return members[address.key]
      }
    }
  }

  /// Returns the stored keys and values in a root's dictionary, or at the top level.
  func values(in root: String?) throws -> [String: DefaultsValue] {
    try state.withLock { state in
      try follow(&state)
      if let root {
        guard case .dictionary(let members) = value(root, in: state) else { return [:] }
        return members
      }
      let loaded = state.loaded ?? [:]
      let held = memory.values { loaded[$0] != nil }
      var values = state.list.values
      for key in Set(held.keys).union(loaded.keys) where held[key] != loaded[key] {
        values[key] = held[key]
      }
      return values
    }
  }

  /// Applies changes, all or none, and returns once they would survive a power failure.
  ///
  /// - Throws: ``CoreError/Failed``, also if the value of a root key is not a dictionary.
  func write(_ changes: [DefaultsChange]) throws {
    try state.withLock { state in
      try Files.createDirectory(suite.directory)
      try suite.lock.whileLocked {
        if !state.hasWritten { AtomicFile.removeLeftovers(in: suite.directory) }
        state.hasWritten = true
        try follow(&state)
        for change in changes where change.value != nil {
          try change.check(value(change.address.topKey, in: state))
        }
        let loaded = state.loaded ?? [:]
        let listed = state.list.values
        let held = memory.values { loaded[$0] != nil || listed[$0] != nil }
        if held != loaded && held != listed { state.isDirty = true }
        guard state.isDirty else {
          try replace(changes, in: &state)
          memory.reload()
          state.loaded = state.list.values
          return
        }
        // Reloading would save the program's changes in place, which loses data if the disk is
        // full. Memory is changed first: if Foundation saves right now, it includes the changes.
        let keys = show(changes, in: held)
        do {
          try replace(changes, in: &state)
        } catch {
          for key in keys { memory.set(held[key], forKey: key) }
          throw error
        }
        for change in changes {
          let key = change.address.topKey
          // A dictionary that the program has changed is still read from memory.
          guard change.address.root == nil || held[key] == loaded[key] else { continue }
          state.loaded?[key] = memory.value(key)
        }
      }
    }
  }

  /// Applies changes to the property list.
  private func replace(_ changes: [DefaultsChange], in state: inout State) throws {
    while true {
      var values = state.list.values
      DefaultsChange.apply(changes, to: &values)
      let keys = changes.lazy.map(\.address.topKey)
      guard keys.contains(where: { values[$0] != state.list.values[$0] }),
        try !state.list.replace(by: values)
      else { return }
      // A program without the lock has changed the list since it was read.
      try follow(&state)
    }
  }

  /// Applies changes to memory.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - held: The values in memory.
  /// - Returns: The keys whose values have changed.
  private func show(
    _ changes: [DefaultsChange], in held: [String: DefaultsValue]
  ) -> Set<String> {
    var changed = held
    DefaultsChange.apply(changes, to: &changed)
    let keys = Set(changes.map(\.address.topKey)).filter { changed[$0] != held[$0] }
    for key in keys { memory.set(changed[key], forKey: key) }
    return keys
  }

  /// Reads the property list if it has changed.
  private func follow(_ state: inout State) throws {
    guard try state.list.follow() || state.loaded == nil else { return }
    let listed = state.list.values
    // If nothing differs, Foundation has loaded the list since, or saved its changes to it.
    if state.loaded == nil || memory.values(where: { listed[$0] != nil }) == listed {
      (state.loaded, state.isDirty) = (listed, false)
    }
  }

  /// Returns the value of a key in the list, as the program sees it.
  private func value(_ key: String, in state: State) -> DefaultsValue? {
    let loaded = state.loaded?[key]
    var held = memory.value(key)
    if loaded == nil, held == DefaultsMemory.registered(key) { held = nil }
    return held == loaded ? state.list.values[key] : held
  }
}

/// A new value for an address, or its removal.
struct DefaultsChange: Sendable {
  let address: DefaultsAddress
  let value: DefaultsValue?

  /// Checks that the dictionary of a root key may be changed.
  ///
  /// - Throws: ``CoreError/Failed`` if its key has another value, which would be lost.
  func check(_ occupant: DefaultsValue?) throws {
    guard let root = address.root, let occupant, !occupant.isDictionary else { return }
    throw CoreError.Failed.occupiedRoot(root, by: occupant.kind)
  }

  /// Applies changes to a dictionary of values.
  static func apply(_ changes: [DefaultsChange], to values: inout [String: DefaultsValue]) {
    for change in changes {
      let (address, value) = (change.address, change.value)
      guard let root = address.root else {
        // Removed first, so that the key gets the new spelling.
        values.removeValue(forKey: address.key)
        values[address.key] = value
        continue
      }
      if value != nil, values[root]?.isDictionary != true { values[root] = .dictionary([:]) }
      values[root]?.setMember(value, forKey: address.key)
      if values[root] == .dictionary([:]) { values[root] = nil }
    }
  }
}
