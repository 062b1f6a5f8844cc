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
  /// Whether values were shown that may not be saved yet.
  private(set) var isDirty = false

  init(_ handle: DefaultsHandle, _ suite: DefaultsSuite, pause: @escaping () -> Void) {
    defaults = handle.defaults
    self.suite = suite
    list = DefaultsList(suite, pause: pause)
  }

  /// The property list on disk as it is now; nil if there is none, as after the last removal.
  var stamp: FileStamp? { list.stamp }

  /// Whether the property list on disk is none, and nobody is still writing it.
  var isDamaged: Bool {
    guard case .damaged = try? list.inspect() else { return false }
    return true
  }

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

  /// Shows values, and removes what has none.
  ///
  /// What others have meanwhile put in the place of a dictionary stays, as any change of theirs.
  func show(_ changes: [(DefaultsAddress, DefaultsValue?)]) {
    var changed: [StoredKey: [String: DefaultsValue]] = [:]
    let occupied = Set(changes.compactMap(\.0.root)).filter { occupant(of: $0) != nil }
    for (address, value) in changes where address.isShown {
      isDirty = true
      if let root = address.root, occupied.contains(root) { continue }
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

  /// Makes sure that a root's dictionary can be written.
  ///
  /// - Throws: ``CoreError/Failed`` if its key holds something else, which would be lost.
  func check(_ root: StoredKey) throws {
    guard known(root) == nil, let occupant = occupant(of: root) else { return }
    throw CoreError.Failed(
      "The defaults hold \(occupant) under the key \(PathName(root.text).quoted), where there "
        + "should be a dictionary; when that is removed the key can be used")
  }

  /// What others have put in the place of a dictionary.
  private func occupant(of root: StoredKey) -> String? {
    guard let other = defaults.object(forKey: root.text) else { return nil }
    let value = DefaultsValue(any: other)
    if case .dictionary = value { return nil }
    return value?.kind ?? "something else"
  }

  /// Forgets what other processes have overwritten, and leaves the file as it is.
  ///
  /// What this process has set beside its sources and not synchronized is saved by `UserDefaults`
  /// then, as it does that at any time; but not into a file that is none.
  ///
  /// - Returns: Whether the file was read; if not, it is damaged, or values of ours have to be saved
  ///   before, with more care.
  /// - Throws: ``CoreError/Failed`` if it cannot be read.
  func refresh() throws -> Bool {
    if case .damaged = try list.inspect() { return false }
    guard !isDirty else { return false }
    roots = [:]
    return askDefaults()
  }

  /// Those of some changes that the file holds, whatever the defaults in memory show.
  func onDisk(
    _ changes: [DefaultsAddress: DefaultsEntry]
  ) -> [DefaultsAddress: DefaultsEntry] {
    let values = list.values
    return changes.filter { address, entry in
      var value = values[(address.root ?? address.key).text]
      if address.root != nil { value = (value as? [String: Any])?[address.key.text] }
      guard let shown = value.flatMap({ DefaultsValue(any: $0) }) else { return false }
      return entry.value?.isMirrored(by: shown) ?? false
    }
  }

  /// Saves what was set in this process, and forgets what other processes have overwritten.
  ///
  /// The caller holds the lock of the suite.
  ///
  /// - Parameter isInterrupted: Whether the journal says that a process has not come to the end of
  ///   this.
  /// - Returns: Whether all is saved. If not, what the file held before is still there.
  func synchronize(isInterrupted: Bool = false) -> Bool {
    roots = [:]
    let isDone = list.overwrite(isInterrupted: isInterrupted) { askDefaults() }
    if isDone { isDirty = false }
    return isDone
  }

  /// Keeps what a process that was killed has left beside the list, if nothing else holds it.
  ///
  /// - Parameter isElsewhere: Whether the journal tells what became of a key.
  func keepCopy(unless isElsewhere: (String) -> Bool) {
    list.keepCopy(unless: isElsewhere)
  }

  /// Lets `UserDefaults` save and read; false if there are values of ours that it could not save.
  ///
  /// It does that for all suites that this process knows, and says no if one of them fails.
  private func askDefaults() -> Bool {
    defaults.synchronize() || !isDirty
  }

  private func values(of root: StoredKey) -> [String: DefaultsValue] {
    if let known = known(root) { return known }
    guard case .dictionary(let values) = value(at: DefaultsAddress(key: root.text)) else {
      return [:]
    }
    roots[root] = Root(values: values, stamp: stamp)
    return values
  }

  /// What a large dictionary held when its file was last read.
  private func known(_ root: StoredKey) -> [String: DefaultsValue]? {
    guard let known = roots[root], known.values.count > Self.smallRoot, known.stamp == stamp else {
      return nil
    }
    return known.values
  }
}

/// Defaults that may be handed to another thread.
///
/// `UserDefaults` is documented to be thread-safe, and is, as measured; only its declaration on
/// Linux does not say so.
struct DefaultsHandle: @unchecked Sendable {
  let defaults: UserDefaults
}
