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
  /// Where values were shown or removed that may not be saved yet.
  private(set) var dirty: Set<DefaultsAddress> = []
  /// What the memory of `UserDefaults` held when all of it was as in the file.
  private var baseline: DefaultsFingerprint?
  /// What only the copy of the file holds since a process was killed while it was saving.
  private var rescued: [String: Any] = [:]

  init(_ handle: DefaultsHandle, _ suite: DefaultsSuite, pause: @escaping () -> Void) {
    defaults = handle.defaults
    self.suite = suite
    list = DefaultsList(suite, pause: pause)
  }

  /// Whether values were shown that may not be saved yet.
  var isDirty: Bool { !dirty.isEmpty }

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
      return object(address.key.text).flatMap { DefaultsValue(any: $0) }
    }
    return values(of: root)[address.key.text]
  }

  /// All that the defaults show, outside of dictionaries or in that of a root key.
  func all(in root: String?, where isWanted: (String) -> Bool) -> [String: DefaultsValue] {
    guard let root else {
      let values = rescued.isEmpty ? stored : rescued.merging(stored) { $1 }
      return values.filter { isWanted($0.key) }.compactMapValues {
        DefaultsValue(any: $0)
      }
    }
    return values(of: StoredKey(root)).filter { isWanted($0.key) }
  }

  /// What is set, without what is only registered in case that nothing is.
  private var stored: [String: Any] {
    if !suite.isStandard { return defaults.persistentDomain(forName: suite.name) ?? [:] }
    // Foundation has another memory for the same file if the process is asked for by its name, so
    // what is registered, which every suite answers, has to be told by its values.
    return withoutRegistered(defaults.dictionaryRepresentation())
  }

  /// What of values is told from what is registered.
  private func withoutRegistered(_ values: [String: Any]) -> [String: Any] {
    guard suite.isStandard else { return values }
    let registered = Self.empty.defaults.dictionaryRepresentation()
    return values.filter { key, value in
      guard let known = registered[key].flatMap({ DefaultsValue(any: $0) }) else { return true }
      return DefaultsValue(any: value).map { !known.isMirrored(by: $0) } ?? false
    }
  }

  private func object(_ key: String) -> Any? {
    defaults.object(forKey: key) ?? rescued[key]
  }

  /// Shows values, and removes what has none.
  ///
  /// What others have meanwhile put in the place of a dictionary stays, as any change of theirs.
  func show(_ changes: [(DefaultsAddress, DefaultsValue?)]) {
    var changed: [StoredKey: [String: DefaultsValue]] = [:]
    let occupied = Set(changes.compactMap(\.0.root)).filter { occupant(of: $0) != nil }
    for (address, value) in changes where address.isShown {
      dirty.insert(address)
      if let root = address.root, occupied.contains(root) { continue }
      if let root = address.root {
        changed[root, default: values(of: root)][address.key.text] = value
      } else if let value {
        set(value, address.key.text)
      } else {
        defaults.removeObject(forKey: address.key.text)
      }
    }
    for (root, values) in changed {
      if values.isEmpty {
        defaults.removeObject(forKey: root.text)
      } else {
        set(.dictionary(values), root.text)
      }
      roots[root] = Root(values: values, stamp: stamp)
    }
  }

  private func set(_ value: DefaultsValue, _ key: String) {
    // A program with Foundation linked into it stops when `UserDefaults` is given a list.
    if !suite.set(collection: value, forKey: key) { defaults.set(value.mirrored, forKey: key) }
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
    guard let other = object(root.text) else { return nil }
    let value = DefaultsValue(any: other)
    if case .dictionary = value { return nil }
    return value?.kind ?? "something else"
  }

  /// What became of looking at the file.
  enum Refreshment {
    /// The defaults in memory are what the file holds.
    case done
    /// The file is damaged, or values of ours have to be saved before, with more care.
    case impossible
    /// The program may have set something beside its sources, which would be saved without care.
    case careless
  }

  /// Forgets what other processes have overwritten, and leaves the file as it is.
  ///
  /// `UserDefaults` cannot be asked to read what it has in memory unless it saves what was set
  /// there, so it is asked only if that is nothing.
  ///
  /// - Parameter isRescued: Whether a key of the copy is what the defaults would hold if a process
  ///   had not been killed while it was saving; nil if none was.
  /// - Returns: What became of it.
  /// - Throws: ``CoreError/Failed`` if the file cannot be read.
  func refresh(isRescued: ((String) -> Bool)?) throws -> Refreshment {
    var isForgotten = false
    // The file may be another one when `UserDefaults` has read it.
    for _ in 0..<4 {
      guard let values = try list.settledValues() else {
        if let isRescued { rescued = list.copiedValues.filter { isRescued($0.key) } }
        return .impossible
      }
      rescued = [:]
      guard !isDirty else { return .impossible }
      roots = [:]
      guard let memory = DefaultsFingerprint(stored) else { return .careless }
      if memory == DefaultsFingerprint(withoutRegistered(values)) {
        baseline = memory
        return .done
      }
      guard isForgotten || memory == baseline else { return .careless }
      baseline = nil
      guard suite.synchronize() else { return .careless }
      isForgotten = true
    }
    return .careless
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
    baseline = nil
    let isDone = list.overwrite(isInterrupted: isInterrupted) { suite.synchronize() }
    if isDone { (dirty, rescued) = ([], [:]) }
    return isDone
  }

  /// Keeps what a process that was killed has left beside the list, if nothing else holds it.
  ///
  /// - Parameter isElsewhere: Whether the journal tells what became of a key.
  func keepCopy(unless isElsewhere: (String) -> Bool) {
    list.keepCopy(unless: isElsewhere)
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
