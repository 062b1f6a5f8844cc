import Harmony

/// The times of entries of a cache, kept beside its store, that follow the entries to other names.
///
/// A process that is killed in between leaves no entry without its times: those of the new names are
/// there before anything is renamed, unless the names are taken, and those of the old ones go last.
struct RenamedTimes {
  private let file: CacheTimesFile
  private let moved: [(old: String, new: String, times: CacheTimes)]

  /// Keeps the times for the new names.
  ///
  /// - Parameters:
  ///   - names: What the entries are called in the file, and what they are going to be called.
  ///   - file: Where the times are kept.
  /// - Throws: Why the file cannot be read or written; nothing may be renamed then.
  init(_ names: [(old: String, new: String)], in file: CacheTimesFile) throws {
    self.file = file
    moved = zip(names, try file.times(named: names.map(\.old))).compactMap { name, times in
      times.map { (name.old, name.new, $0) }
    }
    let taken = try file.times(named: moved.map(\.new))
    let free = moved.indices.filter { taken[$0] == nil }.map { place in
      (moved[place].new, CacheTimes?.some(moved[place].times))
    }
    if !free.isEmpty { try file.setTimes(byName: free) }
  }

  /// Forgets the times of the old names, once all is renamed.
  func finish() throws {
    guard !moved.isEmpty else { return }
    let new = Set(moved.map(\.new))
    let left = moved.filter { !new.contains($0.old) }
    try file.setTimes(
      byName: moved.map { ($0.new, $0.times) } + left.map { ($0.old, nil) })
  }
}
