import LarderFiles
import Foundation
import HarmonySQLite

/// What is watched for a store.
enum WatchedPlace: Sendable {
  /// A file, there or not, with all links that lead to it.
  case file(String)
  /// A folder with the folders below, links not followed.
  case folder(String)

  /// Where that is.
  var path: String {
    switch self {
    case .file(let path), .folder(let path): path
    }
  }
}

/// Places that the kernel watches.
struct WatchedPlaces: Sendable {
  let inotify: Inotify
  /// The names that count in each folder, nil for all.
  private var names: [Int32: Set<[UInt8]>?] = [:]
  /// Whether folders that come need to be watched too.
  private var hasTree = false
  /// Whether everything is watched.
  private(set) var isComplete = true

  /// The maximum number of folders that are watched for one store: a system has so many for all.
  static let maximumCount = 4_096

  /// What notices mean.
  enum Meaning {
    case nothing
    case changed
    /// Something changed, and other folders or files have to be watched now.
    case moved
  }

  /// Begins to watch; nil where the system cannot.
  init?(_ places: [WatchedPlace]) {
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

  /// Takes the notices that are there and says what they mean.
  func take() -> Meaning {
    var meaning = Meaning.nothing
    for event in inotify.take() where !event.isEnd {
      if event.isOverflow { return .moved }
      if event.name.isEmpty {
        // A file's own notices come without a name, and so does the end of a folder.
        meaning = .moved
        continue
      }
      if let names = names[event.watch] ?? nil, !names.contains(event.name) { continue }
      // Files on their way to another name are no entries.
      if hasTree, TemporaryName(event.name) != nil { continue }
      if !hasTree || event.isAboutFolder { return .moved }
      meaning = .changed
    }
    return meaning
  }

  /// Watches the folder of a file, and those of the links that lead there.
  private mutating func addFile(_ path: [UInt8]) throws(FileFailure) {
    var path = path
    for _ in 0..<40 {
      let place = Self.split(path)
      try addName(place.name, in: place.folder)
      guard let target = Self.target(of: path) else { break }
      path = target.first == Self.slash ? target : place.folder + [Self.slash] + target
    }
    // Another name of the same file may be in a folder that nobody watches.
    if let number = try? inotify.add(file: path) { names[number] = .some(nil) }
  }

  /// Watches for a name in a folder, or for the folder where it is not there yet.
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

  /// Watches a folder and the folders below, as many as may be.
  private mutating func addTree(_ root: [UInt8]) throws(FileFailure) {
    hasTree = true
    // The folder is there again when it was replaced: its own folder says so.
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
        // Watched before it is listed: a folder that comes meanwhile is seen by one or the other.
        names[try inotify.add(folder: path, followsLink: path == root)] = .some(nil)
        let directory = try FolderDescriptor(root: path)
        for item in try FolderListing(directory).items where item.isDirectory {
          waiting.append(path + [Self.slash] + item.path.dropLast())
        }
      } catch {
        // What went meanwhile, or may not be read, has no entries either.
        guard error.isMissing || error.number == EACCES else { throw error }
      }
    }
  }

  private static let slash = UInt8(ascii: "/")

  /// The folder and the name that a path ends in.
  private static func split(_ path: [UInt8]) -> (folder: [UInt8], name: [UInt8]) {
    var path = path
    while path.count > 1, path.last == slash { path.removeLast() }
    guard let place = path.lastIndex(of: slash) else { return ([UInt8(ascii: ".")], path) }
    return (place == 0 ? [slash] : Array(path[..<place]), Array(path[(place + 1)...]))
  }

  /// Where a link leads; nil for anything else.
  private static func target(of path: [UInt8]) -> [UInt8]? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = path.withCString { readlink($0, &buffer, buffer.count) }
    return count > 0 ? buffer.prefix(count).map { UInt8(bitPattern: $0) } : nil
  }
}
