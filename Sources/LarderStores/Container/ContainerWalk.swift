import LarderFiles
import Foundation
import LarderModel
import LarderStoreBase

/// A bounded search for stores in the files below a folder.
///
/// The search is breadth-first. It does not follow links, and opens only regular files, reading
/// only their first bytes.
struct ContainerWalk {
  /// A store that the search found.
  struct Found: Sendable {
    /// The path relative to the folder.
    let name: String
    let kind: any OpenableKind.Type
  }

  private static let maximumDepth = 6
  /// The maximum number of names to examine.
  private static let maximumCount = 2_000
  private static let maximumStores = 200

  private(set) var found: [Found] = []
  /// The folders that were searched, relative to the root folder.
  private(set) var folders: Set<String> = []
  /// The folders and files that could not be read for lack of permissions, relative to the root
  /// folder; they may contain stores.
  private(set) var unreadable: [String] = []
  /// The cache format that the folder's file names match: a database with files for its values.
  private(set) var cache: TableLens?
  private let path: String
  private var seen = 0

  /// Searches a folder.
  init(_ path: String) {
    self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
    guard let root = try? FolderDescriptor(root: path) else { return }
    cache = TableLens.all.first { lens in
      guard let files = lens.files else { return false }
      let folder = files.folder.utf8.dropLast()
      return (try? root.status(of: Array(files.database.utf8)))?.isRegular == true
        && kind(of: files.database) == SQLiteKind.self
        && (folder.isEmpty || (try? root.status(of: Array(folder)))?.isDirectory == true)
    }
    var level: [(name: String, directory: FolderDescriptor)] = [("", root)]
    for _ in 0..<Self.maximumDepth where !level.isEmpty {
      var next: [(name: String, directory: FolderDescriptor)] = []
      for folder in level { next += look(into: folder.directory, folder.name) }
      level = next
    }
  }

  /// Collects the stores of one folder, and returns its subfolders.
  private mutating func look(
    into directory: FolderDescriptor, _ prefix: String
  ) -> [(name: String, directory: FolderDescriptor)] {
    var names: [[UInt8]] = []
    let room = Self.maximumCount - seen
    // Stop reading if there are more names than can be examined.
    try? FolderListing.forEachName(in: directory) { name, _ throws(FileFailure) in
      if names.count >= room { throw FileFailure(E2BIG) }
      if !directory.isSpare(name) { names.append(name) }
    }
    seen += names.count
    var below: [(name: String, directory: FolderDescriptor)] = []
    names.sort { $0.lexicographicallyPrecedes($1) }
    for bytes in names {
      guard let text = String(validating: bytes, as: UTF8.self),
        let status = try? directory.status(of: bytes)
      else { continue }
      let name = prefix.isEmpty ? text : prefix + "/" + text
      if let files = cache?.files, status.isRegular {
        if files.isPath(name) { continue }
        let own = ["", "-wal", "-shm", "-journal"].map { files.database + $0 }
        if !own.contains(name) { cache = nil }
      }
      if status.isDirectory || status.isRegular, !directory.mayRead(bytes, status) {
        unreadable.append(name)
      } else if status.isDirectory,
        let inner = try? directory.open(bytes, O_RDONLY | O_DIRECTORY)
      {
        folders.insert(name)
        below.append((name, inner))
      } else if status.isRegular, status.size > 0 || DataStoreKind.isNamed(name),
        found.count < Self.maximumStores
      {
        if let name = storeName(name, besideOthers: names.contains), let kind = kind(of: name) {
          found.append(Found(name: name, kind: kind))
        }
      }
    }
    return below
  }

  /// Returns the name of the store that a file belongs to, or nil if another file represents the
  /// same store.
  private func storeName(_ name: String, besideOthers isThere: ([UInt8]) -> Bool) -> String? {
    let ending = Array(PreferencesKind.backupSuffix.utf8)
    guard name.utf8.count > ending.count, name.utf8.suffix(ending.count).elementsEqual(ending),
      let main = String(name.utf8.dropLast(ending.count))
    else { return name }
    // Android restores a preferences file from its backup, so the store has the name of the
    // original file.
    let last = main.utf8.split(separator: UInt8(ascii: "/")).last ?? main.utf8[...]
    if isThere(Array(last)) { return nil }
    return PreferencesKind.isToBeRestored(path + "/" + main) ? main : name
  }

  private func kind(of name: String) -> (any OpenableKind.Type)? {
    guard let probe = try? StoreProbe(StoreLocation(path: path + "/" + name)),
      case .file = probe.target
    else { return nil }
    return StoreKinds.known.first { $0.recognize(probe) != nil }
  }
}

extension ContainerWalk {
  /// Folders typical of an app sandbox on iOS or Android.
  private static let sandboxFolders = [
    "Library/Preferences", "shared_prefs", "databases", "files/datastore",
  ]

  /// The reason that the folder is a container of stores, as a clause, or nil if it is only a
  /// folder of files.
  ///
  /// Property lists and JSON files alone are not enough evidence, since file caches contain them
  /// too.
  var evidence: String? {
    guard !found.isEmpty else { return nil }
    if let cache, let database = cache.files?.database {
      return Messages.cache(database, of: cache.program)
    }
    let layout = Self.sandboxFolders.first { folder in
      folders.contains(folder) && found.contains { $0.name.hasPrefix(folder + "/") }
    }
    if let layout {
      return Messages.app(layout, stores: found.count, unreadable: unreadable)
    }
    let kinds: [any OpenableKind.Type] = [
      SQLiteKind.self, PreferencesKind.self, DataStoreKind.self, MMKVKind.self,
    ]
    let certain = found.filter { found in kinds.contains { $0 == found.kind } }
    guard certain.count >= 2 else { return nil }
    return Messages.container(certain.count, stores: found.count, unreadable: unreadable)
  }
}

extension FolderDescriptor {
  /// Returns whether this process has permission to read a file, or to list and enter a directory.
  fileprivate func mayRead(_ name: [UInt8], _ status: FileStatus) -> Bool {
    let wanted = status.isDirectory ? R_OK | X_OK : R_OK
    let result = name.withCString { faccessat(number, $0, wanted, AT_EACCESS) }
    return result == 0 || errno != EACCES
  }
}
