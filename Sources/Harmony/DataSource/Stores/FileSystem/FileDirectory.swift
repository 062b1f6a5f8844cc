import Foundation

/// The files of a store in their directory.
struct FileDirectory: Sendable {
  let path: String
  let names: FileNames
  let replaces: Bool

  private enum Traits {
    case unknown
    case exact
    case loose
  }

  private final class Memory: Sendable {
    let traits = Locked(Traits.unknown)
  }

  private let memory = Memory()

  init(path: String, names: FileNames, replaces: Bool) {
    self.path = path
    self.names = names
    self.replaces = replaces
  }

  /// Returns the content of a key; nil if there is none.
  func content(of key: String) throws -> FileContent.Shape? {
    guard let name = try? names.name(of: key), let file = try file(name),
      try file.stamp().isRegular
    else { return nil }
    let content = try FileContent(of: file)
    // The digest may belong to another key. A name that identifies the key takes precedence over
    // the header, because the file may have been renamed or copied.
    guard names.key(of: name) != nil || content.key.map({ StoredKey($0) == StoredKey(key) }) ?? true
    else { return nil }
    return content.shape
  }

  /// Stores the contents of keys, each of them atomically.
  func store(_ contents: [(key: String, shape: FileContent.Shape)]) throws {
    guard !contents.isEmpty else { return }
    let targets = try contents.map { try names.name(of: $0.key) }
    try prepare()
    var owners: [StoredKey: StoredKey] = [:]
    for (content, name) in zip(contents, targets) {
      try check(content.key, name)
      let key = StoredKey(content.key)
      let owner = owners.updateValue(key, forKey: StoredKey(name))
      if let owner, owner != key { throw taken(name) }
    }
    if !replaces { try checkAbsent(targets) }
    for (content, name) in zip(contents, targets) {
      let bytes = FileContent.bytes(
        of: content.shape, key: content.key, isNamed: names.key(of: name) != nil)
      let target = path + "/" + name
      try AtomicFile.draft(bytes, in: path, for: target).publish(as: target, replaces: replaces)
    }
    try Files.synchronize(directory: path)
  }

  /// Removes the contents of keys.
  func remove(_ keys: [String]) throws {
    try remove(
      names: keys.compactMap { key in
        guard let name = try? names.name(of: key), try !isTaken(name, by: key) else { return nil }
        return name
      })
  }

  /// Removes the contents of all keys and the leftovers of killed writers, but no other files.
  func removeAll() throws {
    guard let all = try Files.names(in: path) else { return }
    try remove(names: all.filter { try names.isDigest($0) || key(ofFile: $0) != nil })
    AtomicFile.removeLeftovers(in: path)
  }

  /// Returns all keys with content, in the order of their UTF-8.
  func keys() throws -> [String] {
    try (Files.names(in: path) ?? []).compactMap { try key(ofFile: $0) }
      .sorted { $0.isOrderedBefore($1) }
  }

  private func remove(names: [String]) throws {
    var isChanged = false
    for name in names {
      let file = path + "/" + name
      guard try Files.stamp(of: file)?.isRegular == true else { continue }
      if try Files.remove(file) { isChanged = true }
    }
    if isChanged { try Files.synchronize(directory: path) }
  }

  /// Returns the key of a file; nil if the file does not belong to a key.
  private func key(ofFile name: String) throws -> String? {
    guard names.mayHaveKey(name), try Files.stamp(of: path + "/" + name)?.isRegular == true else {
      return nil
    }
    if let key = names.key(of: name) { return key }
    guard let file = try file(name), let key = try FileContent.key(of: file),
      try names.name(of: key) == name
    else { return nil }
    return key
  }

  /// Opens a file; nil if it certainly does not exist.
  private func file(_ name: String) throws -> OpenFile? {
    let file = path + "/" + name
    if let opened = try OpenFile(ifPresent: file) { return opened }
    // If the directory is itself a file, its contents are unknown rather than missing.
    _ = try Files.stamp(of: file)
    return nil
  }

  private func prepare() throws {
    // Also if it existed before, because it may have been removed.
    try Files.createDirectory(path)
    guard memory.traits.withLock({ $0 }) == .unknown else { return }
    AtomicFile.removeLeftovers(in: path)
    let traits: Traits = try AtomicFile.ignoresCase(in: path) ? .loose : .exact
    memory.traits.withLock { $0 = traits }
  }

  /// Throws if the file of a key may be that of another key.
  private func check(_ key: String, _ name: String) throws {
    let isPlain = name.utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) }
    if !isPlain, memory.traits.withLock({ $0 }) == .loose {
      throw CoreError.IllegalArgument.foldsKeys(path)
    }
    if try isTaken(name, by: key) { throw taken(name) }
  }

  private func taken(_ name: String) -> CoreError.IllegalArgument {
    CoreError.IllegalArgument.fileTaken(path + "/" + name)
  }

  /// Throws if any of the files exists, before the first one is written.
  private func checkAbsent(_ names: [String]) throws {
    var seen: Set<StoredKey> = []
    for name in names {
      let file = path + "/" + name
      guard try Files.stamp(of: file) == nil, seen.insert(StoredKey(name)).inserted else {
        throw Files.failure("write", file, code: EEXIST)
      }
    }
  }

  /// Whether the file of a key belongs to another key with the same digest.
  private func isTaken(_ name: String, by key: String) throws -> Bool {
    guard names.key(of: name) == nil, let file = try file(name),
      let other = try FileContent.key(of: file)
    else { return false }
    return StoredKey(other) != StoredKey(key)
  }
}
