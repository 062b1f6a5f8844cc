import Foundation
import Testing

/// Warnings about files that were written without all of their attributes.
@Suite struct FolderLossTests {
  private let scratch: Scratch
  /// An invalid access control list, which every system refuses.
  private let list = "attribute system.posix_acl_access=AQI="

  init() throws {
    scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.file("root"), withIntermediateDirectories: true)
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `An import names the incomplete file and reports its changes`(options: [String]) throws {
    _ = try scratch.file("root/d", "1".utf8)
    let lines = [
      #"{"key":"d","type":"text","value":"1"}"#,
      ##"{"key":"e","type":"text","value":"2","form":"mode 644 modified 1.000000000 \##(list)"}"##,
      #"{"key":"f","type":"text","value":"3"}"#,
    ]
    let outcome = try Shell.run(
      Shell.larder, ["import", scratch.file("root"), "--json"] + options,
      input: Array(lines.joined(separator: "\n").utf8),
      environment: ["XDG_STATE_HOME": scratch.file("state")])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(report["imported"] as? Int == 2)
    #expect(report["same"] as? Int == 1)
    #expect(
      outcome.errors.contains(
        "larder: e was added, but without its extended attribute "
          + "\"system.posix_acl_access\": "), "\(outcome.errors)")
    #expect(outcome.errors.contains("imported 2 entries"))
    #expect(try String(contentsOfFile: scratch.file("root/e"), encoding: .utf8) == "2")
  }
}
