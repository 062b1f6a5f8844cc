import Foundation
import LarderCore
import LarderStores

extension Subcommand {
  static let demo = Subcommand(
    name: "demo", usage: "[DIR]",
    summary: "makes a sample of every kind of store and opens the browser on it"
  ) { arguments, output in
    try arguments.expect(atMost: 1)
    let folder = arguments.words.first ?? defaultFolder
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(
        .store, "\(folder) cannot be made: \(error.localizedDescription); name another folder")
    }
    let locations = try await Stores.makeSamples(in: folder)
    // Where there is no terminal, the samples are still there to be used by other commands.
    for location in locations { Output.complain("sample: \(location)") }
    return try await BrowserSession(locations: locations, arguments: arguments).run()
  }

  /// A folder of this person's own among the temporary files.
  private static var defaultFolder: String {
    FileManager.default.temporaryDirectory.appending(path: "larder-demo-\(getuid())").path
  }
}
