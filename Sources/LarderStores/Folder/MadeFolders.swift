import LarderCore

/// The folders that a step made on the way to its files, which go again with what they were made
/// for, if nothing else is in them.
struct MadeFolders: Sendable, Hashable {
  /// Folders by their paths.
  typealias Marks = [[UInt8]: FolderMark]

  /// Those that the step made, or that its redo made.
  private(set) var byDoing: Marks = [:]
  /// Those that taking it back made, as they had gone meanwhile.
  private(set) var byUndoing: Marks = [:]

  /// Those that the opposite has made.
  func madeByOpposite(of purpose: RevisionSlip.Purpose) -> Marks {
    purpose == .undo ? byDoing : byUndoing
  }

  /// The same with others that were made, or are about to be.
  func adding(_ marks: Marks, by purpose: RevisionSlip.Purpose) -> MadeFolders {
    var folders = self
    if purpose == .undo {
      folders.byUndoing.merge(marks) { $1 }
    } else {
      folders.byDoing.merge(marks) { $1 }
    }
    return folders
  }

  /// The same without some that are gone, or are others by now.
  func removing(_ paths: Set<[UInt8]>) -> MadeFolders {
    var folders = self
    for path in paths {
      folders.byDoing[path] = nil
      folders.byUndoing[path] = nil
    }
    return folders
  }
}

extension MadeFolders {
  /// The paths in the form that the journal keeps; nil where there are none.
  var encoded: [UInt8]? {
    guard !byDoing.isEmpty || !byUndoing.isEmpty else { return nil }
    return EntryCoding.encode(.array([Self.list(byDoing), Self.list(byUndoing)]))
  }

  /// Reads what ``encoded`` made; nil for anything else.
  init?(encoded: [UInt8]) {
    guard case .array(let lists)? = EntryCoding.value(encoded), lists.count == 2,
      let byDoing = Self.marks(lists[0]), let byUndoing = Self.marks(lists[1])
    else { return nil }
    self.init(byDoing: byDoing, byUndoing: byUndoing)
  }

  private static func list(_ marks: Marks) -> StoredValue {
    .array(
      marks.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { path, mark in
        let numbers = [Int64(bitPattern: mark.device), Int64(bitPattern: mark.inode), mark.birth]
        return .array([.data(path)] + numbers.map { .integer($0) })
      })
  }

  private static func marks(_ list: StoredValue) -> Marks? {
    guard case .array(let values) = list else { return nil }
    var marks: Marks = [:]
    for value in values {
      guard case .array(let parts) = value, parts.count == 4, case .data(let path) = parts[0],
        case .integer(let device) = parts[1], case .integer(let inode) = parts[2],
        case .integer(let birth) = parts[3]
      else { return nil }
      marks[path] = FolderMark(
        device: UInt64(bitPattern: device), inode: UInt64(bitPattern: inode), birth: birth)
    }
    return marks
  }
}
