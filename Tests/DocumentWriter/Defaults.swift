import Foundation
import Harmony

/// Uses defaults as a program does that has never heard of larder.
///
/// - `get SUITE KEY` and `set SUITE KEY VALUE`: by `UserDefaults`.
/// - `read SUITE KEY` and `write SUITE KEY VALUE`: by a source.
/// - `fill SUITE NAME COUNT`: NAME0, NAME1 and so on, by a source.
/// - `follow SUITE KEY`: by one source, once for each line of the input.
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
