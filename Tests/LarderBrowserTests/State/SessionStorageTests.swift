import Foundation
import LarderBrowser
import Testing

/// The file that stores the last session.
@Suite struct SessionStorageTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "larder-session-\(UUID().uuidString)").path

  private func session(_ locations: [String]) -> Session {
    Session(locations: locations, places: [], theme: "nord")
  }

  @Test func `The last session is stored in a private file`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let keeper = SessionStorage.inState(environment: ["XDG_STATE_HOME": folder])
    #expect(keeper.last == nil)
    try keeper.keep(session(["a.db"]))
    let fixed = [
      "/x.db#t", "defaults:app", "file:///x", "memory:", "~/a", "unix:/x.sock", "keychain:app",
    ]
    try keeper.keep(session(["b.db#t", "memory:seed.json", "unix:app.sock#a"] + fixed), from: "/w")
    let again = SessionStorage.inState(environment: ["XDG_STATE_HOME": folder])
    #expect(
      again.last == session(["/w/b.db#t", "memory:/w/seed.json", "unix:/w/app.sock#a"] + fixed))
    let sessions = folder + "/larder/sessions/"
    let names = try FileManager.default.contentsOfDirectory(atPath: sessions)
    let file = sessions + (try #require(names.first))
    #expect(names.count == 1)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try Data("{}".utf8).write(to: URL(fileURLWithPath: file))
    #expect(again.last == nil, "an invalid session is ignored")
  }
}
