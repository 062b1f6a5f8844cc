import Foundation
import Harmony
import LarderStores

extension Subcommand {
  static let demo = Subcommand(
    name: "demo", usage: [.optional(.word("DIR", .path)), .optional(live)],
    summary: "create sample stores and open them", isWriting: true, opensBrowser: true
  ) { arguments, output in
    try arguments.expect(atMost: 1)
    let folder = try arguments.words.first.map(named) ?? fresh()
    if arguments.has(live) { return try await LiveDemo.run(in: folder, output) }
    var locations = try await Stores.makeSamples(in: folder)
    // The live demo ends with the browser, so without a terminal it would be of no use.
    let process = isatty(STDOUT_FILENO) == 1 ? LiveDemoProcess(in: folder) : nil
    if let process { locations.append(process.location) }
    // Without a terminal, other commands can still use the samples.
    for location in locations { Output.complain(Messages.sample(location)) }
    defer { withExtendedLifetime(process) {} }
    return try await BrowserSession(locations: locations, arguments: arguments).run()
  }

  private static let live = OptionSpec(
    name: "--live", value: nil,
    help: "only expose live sources on DIR/live.sock", isPerCall: true)

  /// Creates the named folder; fails if another user can write to it.
  private static func named(_ folder: String) throws -> String {
    do {
      try TrustedPath.check(folder: folder, isNamed: true)
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch let refusal as TrustedPath.Refusal {
      throw Failure.untrustedFolder(refusal)
    } catch {
      throw Failure.noFolder(folder, error.localizedDescription)
    }
    return folder
  }

  /// Creates a temporary folder with a new, unpredictable name.
  private static func fresh() throws -> String {
    let place = FileManager.default.temporaryDirectory.path
    var template = Array("\(place)/larder-demo-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw Failure.noFolder(in: place, String(cString: strerror(errno)))
    }
    return String(cString: made)
  }
}
