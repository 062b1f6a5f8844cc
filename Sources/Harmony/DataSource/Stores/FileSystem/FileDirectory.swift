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

  /// What is stored under a key; nil if nothing.
  func content(of key: String) throws -> FileContent.Shape? {
    guard let name = try? names.name(of: key), let file = try file(name),
      try file.stamp().isRegular
    else { return nil }
    let content = try FileContent(of: file)
    // Another key of the same digest. A name that tells the key has the last word: somebody may
    // have renamed or copied the file.
    guard names.key(of: name) != nil || content.key.map({ StoredKey($0) == StoredKey(key) }) ?? true
    else { return nil }
    return content.shape
  }

  /// Stores what keys hold, each of which is replaced at once or not at all.
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

  /// Removes what keys hold.
  func remove(_ keys: [String]) throws {
    try remove(
      names: keys.compactMap { key in
        guard let name = try? names.name(of: key), try !isTaken(name, by: key) else { return nil }
        return name
      })
  }

  /// Removes what all keys hold, and what writers left that were killed; no other file.
  func removeAll() throws {
    guard let all = try Files.names(in: path) else { return }
    try remove(names: all.filter { try names.isDigest($0) || key(ofFile: $0) != nil })
    AtomicFile.removeLeftovers(in: path)
  }

  /// The keys that hold something, in the order of their UTF-8.
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

  /// The key of a file; nil if it is no file of a key.
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

  /// Opens a file; nil if there is certainly none.
  private func file(_ name: String) throws -> OpenFile? {
    let file = path + "/" + name
    if let opened = try OpenFile(ifPresent: file) { return opened }
    // A file in the place of the directory tells nothing about what is in it.
    _ = try Files.stamp(of: file)
    return nil
  }

  private func prepare() throws {
    // Also when it was there before: somebody may have removed it.
    try Files.createDirectory(path)
    guard memory.traits.withLock({ $0 }) == .unknown else { return }
    AtomicFile.removeLeftovers(in: path)
    let traits: Traits = try AtomicFile.ignoresCase(in: path) ? .loose : .exact
    memory.traits.withLock { $0 = traits }
  }

  /// Refuses to mix up keys.
  private func check(_ key: String, _ name: String) throws {
    let isPlain = name.utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) }
    if !isPlain, memory.traits.withLock({ $0 }) == .loose {
      throw CoreError.IllegalArgument(
        "The file system of \(PathName(path)) takes different keys for one")
    }
    if try isTaken(name, by: key) { throw taken(name) }
  }

  private func taken(_ name: String) -> CoreError.IllegalArgument {
    CoreError.IllegalArgument("Another key has the file \(PathName(path + "/" + name))")
  }

  /// Refuses to replace files before any of several is written.
  private func checkAbsent(_ names: [String]) throws {
    var seen: Set<StoredKey> = []
    for name in names {
      let file = path + "/" + name
      guard try Files.stamp(of: file) == nil, seen.insert(StoredKey(name)).inserted else {
        throw Files.failure("write", file, code: EEXIST)
      }
    }
  }

  /// Whether the file of a key belongs to another one, which has the same digest.
  private func isTaken(_ name: String, by key: String) throws -> Bool {
    guard names.key(of: name) == nil, let file = try file(name),
      let other = try FileContent.key(of: file)
    else { return false }
    return StoredKey(other) != StoredKey(key)
  }
}
