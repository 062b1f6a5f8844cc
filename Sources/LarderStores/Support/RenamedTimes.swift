import Foundation
import Harmony

/// An update of the separately stored times of cache entries that are renamed.
///
/// A renamed entry without times also has none under its new name, even if the file has times of a
/// deleted entry there. A freed name gets the times that were stored for the name taken instead, so
/// that renaming back restores all times.
struct RenamedTimes {
  private typealias Name = [UInt8]

  private let file: CacheTimesFile
  private let names: [(old: String, new: String)]
  private let known: [Name: CacheTimes?]
  /// The renames for which the times are also stored under the new name until the renames are done.
  ///
  /// If the new name has the times of another entry that is renamed too, the earlier expiry of the
  /// two is stored.
  private var ahead: [(old: String, new: String)] = []

  /// Reads the times before anything is renamed.
  ///
  /// - Parameters:
  ///   - names: The old and new names of the entries in the file.
  ///   - file: The file with the times.
  /// - Throws: Errors of reading the file; nothing may be renamed then.
  init(_ names: [(old: String, new: String)], in file: CacheTimesFile) throws {
    self.file = file
    self.names = names
    let all = names.map(\.old) + names.map(\.new)
    known = Dictionary(zip(all.map(Self.name), try file.times(named: all))) { first, _ in first }
  }

  /// Stores the times under the new names too, before anything is renamed.
  ///
  /// If the process is then killed, each entry has its times under whichever name it has.
  ///
  /// If a name is freed by one entry and taken by another, the earlier expiry is stored, so that
  /// neither entry expires later than it should.
  ///
  /// - Parameter isFree: A closure that returns whether no entry has the given new name yet.
  /// - Throws: Errors of writing the file; nothing may be renamed then.
  mutating func begin(where isFree: (_ new: String) -> Bool) throws {
    let taken = Set(names.map { Self.name($0.old) })
    ahead = names.filter { taken.contains(Self.name($0.new)) || isFree($0.new) }
    try file.setTimes(
      byName: ahead.map { name in
        let times = known[Self.name(name.old)] ?? nil
        guard taken.contains(Self.name(name.new)) else { return (name.new, times) }
        return (name.new, Self.earlier(times, known[Self.name(name.new)] ?? nil))
      })
  }

  /// Returns the times with the earlier expiry; unknown times count as expired.
  private static func earlier(_ one: CacheTimes?, _ other: CacheTimes?) -> CacheTimes? {
    guard let one, let other else { return nil }
    return (one.expires ?? .distantFuture) <= (other.expires ?? .distantFuture) ? one : other
  }

  /// Stores the times under the final names of the entries.
  ///
  /// - Parameter isDone: A closure that returns whether an entry was renamed, given its old name.
  /// - Throws: Errors of writing the file.
  func finish(where isDone: (_ old: String) -> Bool = { _ in true }) throws {
    let done = names.filter { isDone($0.old) }
    let renamed = Set(done.map { Self.name($0.old) })
    let kept = ahead.filter { !renamed.contains(Self.name($0.old)) }
    try file.setTimes(byName: kept.map { ($0.new, known[Self.name($0.new)] ?? nil) })
    let origins = Dictionary(done.map { (Self.name($0.new), $0.old) }) { first, _ in first }
    let left = Set(done.map { Self.name($0.old) })
    var changes = done.map { ($0.new, known[Self.name($0.old)] ?? nil) }
    for name in done where !left.contains(Self.name(name.new)) {
      // Follow the chain of renames back to the name that was freed.
      var start = name.old
      for _ in done {
        guard let origin = origins[Self.name(start)] else { break }
        start = origin
      }
      changes.append((start, known[Self.name(name.new)] ?? nil))
    }
    try file.setTimes(byName: changes)
  }

  private static func name(_ text: String) -> Name { Array(text.utf8) }
}
