import Foundation
@testable import LarderModel
@testable import LarderBrowser
import Testing

/// The folder that stores drafts.
@Suite struct DraftFolderTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "larder-drafts-\(UUID().uuidString)").path
  private let place = StoreLocation(path: "/tmp/app.db", collection: "settings")

  private func draft(_ id: String) -> Draft {
    Draft(
      id: id, place: place, title: "x", key: .text("x"), base: nil, expecting: nil,
      type: .text, text: "typed", date: Date(timeIntervalSinceReferenceDate: 1))
  }

  private func keeper() -> DraftStorage {
    .inState(environment: ["XDG_STATE_HOME": folder])
  }

  @Test func `Drafts are private, and the folder is created with the first one`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let files = FileManager.default
    let own = keeper()
    #expect(own.left(at: place).isEmpty)
    #expect(!files.fileExists(atPath: folder), "looking makes nothing")
    try own.keep(draft(DraftStorage.id(1, of: own.session)), number: 1)
    let drafts = folder + "/larder/drafts/"
    let names = try files.contentsOfDirectory(atPath: drafts)
    #expect(names.count == 1)
    let file = drafts + (try #require(names.first))
    #expect(try files.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    own.drop(DraftStorage.id(1, of: own.session))
    #expect(try files.contentsOfDirectory(atPath: drafts).isEmpty)
  }

  @Test func `Only drafts of ended processes are offered`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let own = keeper()
    try own.keep(draft(DraftStorage.id(1, of: own.session)), number: 1)
    #expect(keeper().left(at: place).isEmpty, "its run goes on")
    // The process with this ID started later than time 0, so this one has ended.
    try own.keep(draft("1:0.1"), number: 1)
    #expect(keeper().left(at: place).map(\.id) == ["1:0.1"])
    #expect(keeper().left(at: place).first?.text == "typed")
  }

  @Test func `Drafts of a running earlier version are not offered`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let status = try String(contentsOfFile: "/proc/self/stat", encoding: .utf8)
    let fields = try #require(status.split(separator: ")").last).split(separator: " ")
    let own = keeper()
    try own.keep(draft("\(getpid()):\(fields[19]).1"), number: 1)
    #expect(keeper().left(at: place).isEmpty)
    // Another process has this ID now.
    try own.keep(draft("\(getpid()):1.1"), number: 1)
    #expect(keeper().left(at: place).map(\.id) == ["\(getpid()):1.1"])
  }
}
