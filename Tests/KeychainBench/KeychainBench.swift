#if Keychain
package import Foundation
import Harmony
package import HarmonyKeychain
import TestPrograms

/// A private session bus with a keychain in a temporary folder, both removed on deallocation.
///
/// The bus starts no services by itself: without a daemon there is no keychain, and no password
/// dialog ever opens.
package final class KeychainBench: Sendable {
  /// The daemon behind the Secret Service name.
  package enum Daemon: Sendable {
    /// No daemon.
    case none
    /// A daemon with an unlocked collection.
    case unlocked
    /// A daemon with a collection that has no password and is locked until it is first used.
    case unlockedByNobody
    /// A newly started daemon with a locked collection.
    case locked
  }

  /// The home folder of the keychain.
  package let folder: String
  /// The address of the bus.
  package var address: String { "unix:path=\(folder)/bus" }

  /// The environment that gives a program access to only this keychain.
  package var environment: [String: String] {
    [
      "HOME": folder, "XDG_RUNTIME_DIR": "\(folder)/run", "XDG_DATA_HOME": "\(folder)/data",
      "DBUS_SESSION_BUS_ADDRESS": address, "PATH": path, "LC_ALL": "C.UTF-8", "TZ": "UTC",
    ]
  }

  private let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
  private let bus: ChildProcess
  private let daemon = Locked<ChildProcess?>(nil)

  /// Starts a bus and a daemon.
  package init(_ daemon: Daemon = .unlocked) throws {
    var template = Array("/tmp/keys-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw ProgramError("no folder can be made") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for name in ["run", "data"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
    let settings = """
      <busconfig><type>session</type><listen>unix:path=\(folder)/bus</listen>
      <auth>EXTERNAL</auth><policy context="default"><allow send_destination="*"/>
      <allow receive_sender="*"/><allow own="*"/></policy></busconfig>
      """
    try settings.write(toFile: "\(folder)/bus.conf", atomically: true, encoding: .utf8)
    try "test".write(toFile: "\(folder)/password", atomically: true, encoding: .utf8)
    bus = try ChildProcess(
      "dbus-daemon", ["--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile"],
      environment: ["PATH": path])
    try waitUntil("the bus listens") { Self.listens("\(folder)/bus") }
    guard daemon != .none else { return }
    if daemon == .unlockedByNobody {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/data/keyrings", withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      let keyring = "[keyring]\ndisplay-name=login\nctime=0\nmtime=0\nlock-on-idle=false\n"
      try (keyring + "lock-after=false\n").write(
        toFile: "\(folder)/data/keyrings/login.keyring", atomically: true, encoding: .utf8)
      try start(isLocked: true, isAnyState: true)
      return
    }
    try start(isLocked: false)
    if daemon == .locked { try restart(isLocked: true) }
  }

  deinit {
    if let daemon = daemon.withLock({ $0 }) {
      daemon.signal(SIGCONT)
      daemon.signal(SIGKILL)
      daemon.wait()
    }
    bus.signal(SIGKILL)
    bus.wait()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Restarts the daemon.
  package func restart(isLocked: Bool) throws {
    end()
    try start(isLocked: isLocked)
  }

  /// Kills the daemon, as a crash would.
  package func end() {
    let old = daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon
    }
    old?.signal(SIGKILL)
    old?.wait()
  }

  /// Suspends the daemon, so that it does not answer, or resumes it.
  package func setStopped(_ isStopped: Bool) {
    daemon.withLock { $0 }?.signal(isStopped ? SIGSTOP : SIGCONT)
  }

  /// Returns a keychain service on this bus.
  package func keychain(
    _ service: String = UUID().uuidString, timeLimit: Duration = .seconds(120),
    promptTimeLimit: Duration = .seconds(10)
  ) -> KeychainService {
    KeychainService(
      service, timeLimit: timeLimit, promptTimeLimit: promptTimeLimit, busAddress: address)
  }

  /// Runs a program with access to this keychain until it exits.
  ///
  /// - Returns: Its output and exit status.
  @discardableResult
  package func run(
    _ program: String, _ arguments: [String], input: Data = Data()
  ) throws -> (output: Data, status: Int32) {
    let name = "\(folder)/\(UUID().uuidString)"
    try input.write(to: URL(filePath: name + ".in"))
    let child = try ChildProcess(
      program, arguments, environment: environment, input: name + ".in", output: name + ".out")
    let status = child.wait()
    return (try Data(contentsOf: URL(filePath: name + ".out")), status)
  }

  private func start(isLocked: Bool, isAnyState: Bool = false) throws {
    let child = try ChildProcess(
      "gnome-keyring-daemon",
      ["--foreground", "--components=secrets"] + (isLocked ? [] : ["--unlock"]),
      environment: environment, input: isLocked ? "/dev/null" : "\(folder)/password")
    daemon.withLock { $0 = child }
    let keychain = keychain()
    try waitUntil("the keychain answers") {
      guard case .value(let answer) = keychain.isLocked().result else { return false }
      return answer == isLocked || isAnyState
    }
  }

  private static func listens(_ path: String) -> Bool {
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { place in
      place.copyBytes(from: path.utf8.prefix(place.count - 1))
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) == 0 }
    }
  }
}
#endif
