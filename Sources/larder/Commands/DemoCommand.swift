import Foundation
import LarderCore
import LarderStores

extension Subcommand {
  static let demo = Subcommand(
    name: "demo", usage: [.optional(.word("DIR", .path)), .optional(live)],
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
    if arguments.has(live) { return try await LiveDemo.run(in: folder, output) }
    var locations = try await Stores.makeSamples(in: folder)
    // It ends with the browser, so that without one there is nothing to look at.
    let process = isatty(STDOUT_FILENO) == 1 ? LiveDemoProcess(in: folder) : nil
    if let process { locations.append(process.location) }
    // Where there is no terminal, the samples are still there to be used by other commands.
    for location in locations { Output.complain("sample: \(location)") }
    defer { withExtendedLifetime(process) {} }
    return try await BrowserSession(locations: locations, arguments: arguments).run()
  }

  private static let live = OptionSpec(
    name: "--live", value: nil,
    help: "only show live sources on DIR/live.sock, as a program does, until Ctrl-C",
    isPerCall: true)

  /// A folder of this person's own among the temporary files.
  private static var defaultFolder: String {
    FileManager.default.temporaryDirectory.appending(path: "larder-demo-\(getuid())").path
  }
}
