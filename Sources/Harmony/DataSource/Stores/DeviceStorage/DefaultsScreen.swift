import Foundation

/// The defaults as their other readers in this process see them.
///
/// Not thread-safe; its owner holds a lock.
final class DefaultsScreen {
  /// Dictionaries of up to so many entries are read and written again each time.
  private static let smallRoot = 64

  /// A suite that holds nothing; only one, as Foundation never forgets a suite.
  private static let empty = DefaultsHandle(
    defaults: UserDefaults(suiteName: "harmony." + UUID().uuidString) ?? UserDefaults())

  private struct Root {
    var values: [String: DefaultsValue]
    let stamp: FileStamp?
  }

  private let defaults: UserDefaults
  private let suite: DefaultsSuite
  private var list: DefaultsList
  /// `UserDefaults` copies a dictionary for each read, so large ones are kept until its file changes.
  private var roots: [StoredKey: Root] = [:]

  init(_ handle: DefaultsHandle, _ suite: DefaultsSuite) {
    defaults = handle.defaults
    self.suite = suite
    list = DefaultsList(suite)
  }

  /// The property list on disk as it is now; nil if there is none, as after the last removal.
  var stamp: FileStamp? { list.stamp }

  /// Whether the property list on disk is whole, or there is none.
  var isWhole: Bool { list.isWhole() }

  /// What the defaults show at an address.
  func value(at address: DefaultsAddress) -> DefaultsValue? {
    guard let root = address.root else {
      return defaults.object(forKey: address.key.text).flatMap { DefaultsValue(any: $0) }
    }
    return values(of: root)[address.key.text]
  }

  /// All that the defaults show, outside of dictionaries or in that of a root key.
  func all(in root: String?, where isWanted: (String) -> Bool) -> [String: DefaultsValue] {
    guard let root else {
      return stored.filter { isWanted($0.key) }.compactMapValues { DefaultsValue(any: $0) }
    }
    return values(of: StoredKey(root)).filter { isWanted($0.key) }
  }

  /// What is set, without what is only registered in case that nothing is.
  private var stored: [String: Any] {
    if !suite.isStandard { return defaults.persistentDomain(forName: suite.name) ?? [:] }
    // Foundation has another memory for the same file if the process is asked for by its name, so
    // what is registered, which every suite answers, has to be told by its values.
    let registered = Self.empty.defaults.dictionaryRepresentation()
    return defaults.dictionaryRepresentation().filter { key, value in
      guard let known = registered[key].flatMap({ DefaultsValue(any: $0) }) else { return true }
      return DefaultsValue(any: value).map { !known.isMirrored(by: $0) } ?? false
    }
  }

  /// Whether a change can be shown at once, or should wait for others because it takes long.
  func isQuick(_ address: DefaultsAddress) -> Bool {
    address.root.map { values(of: $0).count <= Self.smallRoot } ?? true
  }

  /// Shows values, and removes what has none.
  func show(_ changes: [(DefaultsAddress, DefaultsValue?)]) {
    var changed: [StoredKey: [String: DefaultsValue]] = [:]
    for (address, value) in changes where address.isShown {
      if let root = address.root {
        changed[root, default: values(of: root)][address.key.text] = value
      } else if let value {
        defaults.set(value.mirrored, forKey: address.key.text)
      } else {
        defaults.removeObject(forKey: address.key.text)
      }
    }
    for (root, values) in changed {
      if values.isEmpty {
        defaults.removeObject(forKey: root.text)
      } else {
        defaults.set(values.mapValues(\.mirrored), forKey: root.text)
      }
      roots[root] = Root(values: values, stamp: stamp)
    }
  }

  /// Saves what was set in this process, and forgets what other processes have overwritten.
  ///
  /// The caller holds the lock of the suite.
  ///
  /// - Returns: Whether all is saved. If not, what the file held before is still there.
  func synchronize() -> Bool {
    roots = [:]
    return list.overwrite { defaults.synchronize() }
  }

  private func values(of root: StoredKey) -> [String: DefaultsValue] {
    if let known = roots[root], known.values.count > Self.smallRoot, known.stamp == stamp {
      return known.values
    }
    guard case .dictionary(let values) = value(at: DefaultsAddress(key: root.text)) else {
      return [:]
    }
    roots[root] = Root(values: values, stamp: stamp)
    return values
  }
}

/// Defaults that may be handed to another thread.
///
/// `UserDefaults` is documented to be thread-safe, and is, as measured; only its declaration on
/// Linux does not say so.
struct DefaultsHandle: @unchecked Sendable {
  let defaults: UserDefaults
}
