import LarderCore

/// The folders that a step made on the way to its files, which go again with what they were made
/// for, if nothing else is in them.
struct MadeFolders: Sendable, Hashable {
  /// The paths of those that the step made, or that its redo made.
  private(set) var byDoing: Set<[UInt8]> = []
  /// The paths of those that taking it back made, as they had gone meanwhile.
  private(set) var byUndoing: Set<[UInt8]> = []

  /// Those that the opposite has made.
  func madeByOpposite(of purpose: RevisionSlip.Purpose) -> Set<[UInt8]> {
    purpose == .undo ? byDoing : byUndoing
  }

  /// The same with others that were made, or are about to be.
  func adding(_ paths: Set<[UInt8]>, by purpose: RevisionSlip.Purpose) -> MadeFolders {
    var folders = self
    if purpose == .undo {
      folders.byUndoing.formUnion(paths)
    } else {
      folders.byDoing.formUnion(paths)
    }
    return folders
  }

  /// The same without some that are gone.
  func removing(_ paths: Set<[UInt8]>) -> MadeFolders {
    var folders = self
    folders.byDoing.subtract(paths)
    folders.byUndoing.subtract(paths)
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
      let byDoing = Self.paths(lists[0]), let byUndoing = Self.paths(lists[1])
    else { return nil }
    self.init(byDoing: byDoing, byUndoing: byUndoing)
  }

  private static func list(_ paths: Set<[UInt8]>) -> StoredValue {
    .array(paths.sorted { $0.lexicographicallyPrecedes($1) }.map { .data($0) })
  }

  private static func paths(_ list: StoredValue) -> Set<[UInt8]>? {
    guard case .array(let values) = list else { return nil }
    var paths: Set<[UInt8]> = []
    for value in values {
      guard case .data(let path) = value else { return nil }
      paths.insert(path)
    }
    return paths
  }
}
