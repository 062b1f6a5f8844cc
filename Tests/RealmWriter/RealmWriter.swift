import Foundation
import RealmExercise

/// Commits to a Realm file until standard input ends: `RealmWriter PATH OBJECTS`.
@main enum RealmWriter {
  static func main() throws {
    let words = CommandLine.arguments
    guard words.count == 3, let count = Int(words[2]) else { exit(2) }
    let commits = try RealmCommits(path: words[1], objects: count)
    // Tells the parent that the first state is committed.
    FileHandle.standardOutput.write(Data("ready\n".utf8))
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    while poll(&input, 1, 50) == 0 { try commits.commit() }
  }
}
