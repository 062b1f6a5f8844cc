import LarderDocuments

/// A set of document paths that contains neither duplicates nor ancestors of others.
struct SeparatePaths {
  private var paths: Set<[DocumentStep]> = []
  /// The first added path for each prefix.
  private var beginning: [[DocumentStep]: [DocumentStep]] = [:]

  /// Adds a path if it does not overlap with one in the set.
  ///
  /// - Returns: The path that equals the new one or is an ancestor or a descendant of it, or nil if
  ///   the path was added.
  mutating func add(_ path: [DocumentStep]) -> [DocumentStep]? {
    if let inside = beginning[path] { return inside }
    let starts = path.indices.map { Array(path[..<$0]) }
    if let around = starts.first(where: paths.contains) { return around }
    paths.insert(path)
    for start in starts + [path] where beginning[start] == nil { beginning[start] = path }
    return nil
  }
}
