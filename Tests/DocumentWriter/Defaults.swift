import Foundation
import Harmony

/// Accesses defaults like a program that does not know larder.
///
/// - `get SUITE KEY` and `set SUITE KEY VALUE` use `UserDefaults`.
/// - `read SUITE KEY` and `write SUITE KEY VALUE` use a source.
/// - `fill SUITE NAME COUNT` writes NAME0, NAME1 and so on with a source.
/// - `follow SUITE KEY` reads with one source, once at first and again for each input line.
func useDefaults(_ words: [String]) async throws {
  guard words.count >= 3, let defaults = UserDefaults(suiteName: words[1]) else { exit(2) }
  let key = words[2]
  let value = words.count > 3 ? words[3] : ""
  let source = DeviceStorageDataSource<String>(defaults)
  func read() async -> String {
    (try? await source.get(IdQuery(key)).get()) ?? "nothing"
  }
  switch words[0] {
  case "get": say(defaults.string(forKey: key) ?? "nothing")
  case "set":
    defaults.set(value, forKey: key)
    say(defaults.synchronize() ? "done" : "failed")
  case "read": say(await read())
  case "follow":
    repeat { say(await read()) } while readLine() != nil
  case "fill":
    for number in 0..<(Int(value) ?? 0) {
      try await source.put("\(number)", in: IdQuery(key + String(number))).get()
    }
    say("done")
  default:
    try await source.put(value, in: IdQuery(key)).get()
    say("done")
  }
}
