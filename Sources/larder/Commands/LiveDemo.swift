import Foundation
import Harmony
import HarmonyInspection

/// A demo program that exposes live sources for inspection.
struct LiveDemo {
  /// The variable by which `larder demo` tells the process that it starts to end along with it.
  static let parentVariable = "LARDER_DEMO_PARENT"

  /// The name of the socket in its folder.
  private static let socketName = "live.sock"

  private let inspector: Inspector
  private let accounts = InMemoryDataSource<Session>()
  private let sessions: TimedCacheDataSource<Session, InMemoryDataSource<Session>>
  private let settings = InMemoryDataSource<String>()
  private let counters = InMemoryDataSource<Int>()
  private let ticks = InMemoryDataSource<Int>()

  /// A user session.
  struct Session: Codable, Sendable, Equatable {
    var user: String
    var token: String
    var visits: Int
  }

  /// Creates an inspector that listens on a socket in a folder.
  ///
  /// - Throws: ``InspectionError`` if the socket cannot be created.
  init(in folder: String) throws {
    inspector = try Inspector(socket: folder + "/" + Self.socketName)
    let lives = ["session:1": 15.0, "session:2": 60, "session:3": 600, "session:4": 3_600]
    sessions = TimedCacheDataSource(
      accounts, expiryInterval: 86_400, timeToLive: { lives[$0] })
  }

  /// The location to open in the browser.
  var location: String { "unix:" + inspector.path }

  /// Fills and exposes the sources.
  func begin() async throws {
    let names = ["ada", "grace", "edsger", "barbara", "donald", "frances"]
    for (place, name) in names.enumerated() {
      let session = Session(user: name, token: "t-\(7_919 * (place + 1))", visits: place)
      try await sessions.put(session, in: IdQuery("session:\(place + 1)")).get()
      try await counters.put(place * 10, in: IdQuery("visits:\(name)")).get()
    }
    for (key, value) in [("theme", "dark"), ("language", "en"), ("greeting", "hello")] {
      try await settings.put(value, in: IdQuery(key)).get()
    }
    // A write that bypasses the cache, so that the cached entry is stale.
    let moved = Session(user: "grace", token: "t-moved", visits: 7)
    try await accounts.put(moved, in: IdQuery("session:2")).get()
    inspector.expose(sessions, as: "sessions", isWritable: true)
    inspector.expose(settings, as: "settings", isWritable: true)
    inspector.expose(counters, as: "counters")
    inspector.expose(ticks, as: "ticks")
  }

  /// Simulates activity once a second.
  func work() async throws {
    let kept = ["session:3", "session:4", "session:6"]
    for round in 0... {
      _ = try? await ticks.put(round, in: IdQuery("ticks")).get()
      _ = try? await sessions.get(IdQuery(kept[round % kept.count])).get()
      try await Task.sleep(for: .seconds(1))
    }
  }

  /// Closes the socket and removes it.
  func end() {
    inspector.close()
  }

  /// Exposes the sources until interrupted, or until the parent process of a demo ends.
  static func run(in folder: String, _ output: Output) async throws -> ExitCode {
    guard let interruption = Interruption() else {
      throw Failure.noPipe
    }
    let demo: LiveDemo
    do {
      demo = try LiveDemo(in: folder)
      try await demo.begin()
    } catch let error as InspectionError {
      throw Failure(.store, error.description)
    }
    let work = Task { try await demo.work() }
    defer { work.cancel() }
    output.line(demo.location)
    output.flush()
    // The parent process never writes, so standard input becomes readable when it ends.
    let parent = ProcessInfo.processInfo.environment[parentVariable] == nil ? -1 : STDIN_FILENO
    let signal = interruption.wait(for: parent)
    demo.end()
    return signal == SIGTERM ? .terminated : signal == nil ? .done : .interrupted
  }
}
