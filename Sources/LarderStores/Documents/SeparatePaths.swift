import LarderDocuments

/// Paths in a document, none of which is another or leads through it.
struct SeparatePaths {
  private var paths: Set<[DocumentStep]> = []
  /// The first of the paths that begin with some steps.
  private var beginning: [[DocumentStep]: [DocumentStep]] = [:]

  /// Adds a path.
  ///
  /// - Returns: The path that it is, lies in or leads to; nil where there is none, and it was added.
  mutating func add(_ path: [DocumentStep]) -> [DocumentStep]? {
    if let inside = beginning[path] { return inside }
    let starts = path.indices.map { Array(path[..<$0]) }
    if let around = starts.first(where: paths.contains) { return around }
    paths.insert(path)
    for start in starts + [path] where beginning[start] == nil { beginning[start] = path }
    return nil
  }
}
