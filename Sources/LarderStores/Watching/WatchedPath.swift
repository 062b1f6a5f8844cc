import LarderFiles
import Foundation
import HarmonySQLite

/// A file or folder that is watched for a store.
enum WatchedPath: Sendable {
  /// A file, which may be missing, with all links that lead to it.
  case file(String)
  /// A folder with its subfolders; links are not followed.
  case folder(String)

  /// The path of the file or folder.
  var path: String {
    switch self {
    case .file(let path), .folder(let path): path
    }
  }
}

/// The files and folders that the kernel watches.
struct WatchedPaths: Sendable {
  let inotify: Inotify
  /// The relevant names in each folder, or nil if all are relevant.
  private var names: [Int32: Set<[UInt8]>?] = [:]
  /// Whether new subfolders have to be watched too.
  private var hasTree = false
  /// Whether everything is watched.
  private(set) var isComplete = true

  /// The maximum number of folders to watch for one store, as the system limits the total.
  static let maximumCount = 4_096

  /// The meaning of notifications.
  enum Meaning {
    case nothing
    case changed
    /// Something changed, and the set of watches has to be updated.
    case moved
  }

  /// Starts watching, or returns nil if the system does not support it.
  init?(_ places: [WatchedPath]) {
    guard let inotify = Inotify() else { return nil }
    self.inotify = inotify
    do throws(FileFailure) {
      for place in places {
        switch place {
        case .file(let path): try addFile(Array(path.utf8))
        case .folder(let path): try addTree(Array(path.utf8))
        }
      }
    } catch {
      return nil
    }
  }

  /// Consumes the pending notifications and returns their meaning.
  func take() -> Meaning {
    var meaning = Meaning.nothing
    for event in inotify.take() where !event.isEnd {
      if event.isOverflow { return .moved }
      if event.name.isEmpty {
        // Notifications about a watched file, and about the deletion of a watched folder, have no
        // name.
        meaning = .moved
        continue
      }
      if let names = names[event.watch] ?? nil, !names.contains(event.name) { continue }
      // Temporary files are not entries.
      if hasTree, TemporaryName(event.name) != nil { continue }
      if !hasTree || event.isAboutFolder { return .moved }
      meaning = .changed
    }
    return meaning
  }

  /// Watches the folder of a file, and those of the links that lead to it.
  private mutating func addFile(_ path: [UInt8]) throws(FileFailure) {
    var path = path
    for _ in 0..<40 {
      let place = Self.split(path)
      try addName(place.name, in: place.folder)
      guard let target = Self.target(of: path) else { break }
      path = target.first == Self.slash ? target : place.folder + [Self.slash] + target
    }
    // The file may also be written through a hard link in another folder.
    if let number = try? inotify.add(file: path) { names[number] = .some(nil) }
  }

  /// Watches for a name in a folder, or for the folder itself while it does not exist.
  private mutating func addName(_ name: [UInt8], in folder: [UInt8]) throws(FileFailure) {
    var name = name
    var folder = folder
    while true {
      do throws(FileFailure) {
        let number = try inotify.add(folder: folder)
        if let known = names[number] {
          if let known { names[number] = known.union([name]) }
        } else {
          names[number] = [name]
        }
        return
      } catch {
        guard error.number == ENOENT || error.number == ENOTDIR, folder.count > 1 else {
          throw error
        }
        (folder, name) = Self.split(folder)
      }
    }
  }

  /// Watches a folder and its subfolders, up to the maximum.
  private mutating func addTree(_ root: [UInt8]) throws(FileFailure) {
    hasTree = true
    // Watch the parent too, to notice when the folder is replaced.
    let place = Self.split(ResolvedPath.bytes(of: root) ?? root)
    try addName(place.name, in: place.folder)
    var waiting = [root]
    var count = 0
    while let path = waiting.popLast() {
      guard count < Self.maximumCount else {
        isComplete = false
        return
      }
      count += 1
      do throws(FileFailure) {
        // Start watching before listing, so that a new folder is found in one way or the other.
        names[try inotify.add(folder: path, followsLink: path == root)] = .some(nil)
        let directory = try FolderDescriptor(root: path)
        for item in try FolderListing(directory).items where item.isDirectory {
          waiting.append(path + [Self.slash] + item.path.dropLast())
        }
      } catch {
        // A folder that was deleted, or may not be read, has no visible entries.
        guard error.isMissing || error.number == EACCES else { throw error }
      }
    }
  }

  private static let slash = UInt8(ascii: "/")

  /// Splits a path into its folder and name.
  private static func split(_ path: [UInt8]) -> (folder: [UInt8], name: [UInt8]) {
    var path = path
    while path.count > 1, path.last == slash { path.removeLast() }
    guard let place = path.lastIndex(of: slash) else { return ([UInt8(ascii: ".")], path) }
    return (place == 0 ? [slash] : Array(path[..<place]), Array(path[(place + 1)...]))
  }

  /// Returns the target of a link, or nil for anything else.
  private static func target(of path: [UInt8]) -> [UInt8]? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = path.withCString { readlink($0, &buffer, buffer.count) }
    return count > 0 ? buffer.prefix(count).map { UInt8(bitPattern: $0) } : nil
  }
}
