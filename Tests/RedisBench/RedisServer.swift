import Foundation
import Harmony
package import HarmonyRedis
import TestPrograms

/// A Redis server for tests, on a port of its own, which ends with this object or with the tests.
package final class RedisServer: Sendable {
  package let port: Int
  package let folder: String
  /// The end of a pipe; the server is killed when it is closed, also by the end of the tests.
  private let pipe: Locked<Int32>
  private let child: ChildProcess

  /// Starts a server and waits until it answers.
  ///
  /// - Parameters:
  ///   - wanted: The port; nil for a free one.
  ///   - options: Further options of `redis-server`, in which `FOLDER` and `PORT` are replaced.
  ///   - prepare: Creates files in the folder before the server starts.
  /// - Throws: ``ProgramError`` if the server does not start.
  package init(
    port wanted: Int? = nil, _ options: [String] = [], prepare: (String) throws -> Void = { _ in }
  ) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "redis-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let port = try wanted ?? Self.freePort()
    try prepare(folder)
    let alive = folder + "/alive"
    guard mkfifo(alive, 0o600) == 0 else { throw ProgramError("cannot make \(alive)") }
    let end = open(alive, O_RDWR | O_CLOEXEC)
    let words =
      [
        "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--daemonize",
        "no",
      ]
      + ["--unixsocket", folder + "/socket"]
      + options.map {
        $0.replacing("FOLDER", with: folder).replacing("PORT", with: "\(port)")
      }
    // The shell becomes the server, and leaves a process that kills it when the pipe is closed.
    let script = """
      exec 3<&0; folder=$1; shift
      (cat <&3 >/dev/null; kill -9 $$ 2>/dev/null; rm -rf "$folder") &
      exec redis-server "$@" 3<&- </dev/null
      """
    child = try ChildProcess(
      "sh", ["-c", script, "redis", folder] + words, input: alive, output: folder + "/log")
    pipe = Locked(end)
    self.port = port
    self.folder = folder
    try waitUntil("redis-server, which these tests need, listens") {
      FileManager.default.fileExists(atPath: folder + "/socket")
    }
  }

  deinit {
    stop()
  }

  /// Performs a command with `redis-cli`.
  ///
  /// - Throws: ``ProgramError`` if the server refuses it.
  package func run(_ words: [String]) throws {
    let outcome = try ProgramOutcome(running: ["redis-cli", "-e", "-p", "\(port)"] + words)
    guard outcome.status == 0 else {
      throw ProgramError(String(decoding: outcome.output, as: UTF8.self))
    }
  }

  /// Kills the server, as `kill -9` does, and waits for its end, which takes no time.
  package func stop() {
    let end = pipe.withLock { end in
      defer { end = -1 }
      return end
    }
    guard end >= 0 else { return }
    close(end)
    child.wait()
  }

  /// Stops the process without closing its connections, or lets it continue.
  package func signal(_ number: Int32) {
    child.signal(number)
  }

  package var address: RedisAddress { .tcp(host: "127.0.0.1", port: port) }

  package func client(_ change: (inout RedisConfiguration) -> Void = { _ in }) -> RedisClient {
    var configuration = RedisConfiguration(address)
    configuration.timeLimit = .seconds(120)
    change(&configuration)
    return RedisClient(configuration)
  }

  /// The ports of servers, which are taken in turn, so that no two tests take the same one.
  ///
  /// They, and the second ports of cluster nodes 10,000 above, are outside the range from which the
  /// system chooses.
  private static let ports = 20_000..<22_700
  private static let lastPort = Locked(Int.random(in: ports))

  /// Returns a port at which nothing listens.
  package static func freePort() throws -> Int {
    for _ in ports {
      let port = lastPort.withLock { port in
        port = port + 1 < ports.upperBound ? port + 1 : ports.lowerBound
        return port
      }
      if isFree(port), isFree(port + 10_000) { return port }
    }
    throw ProgramError("there is no free port")
  }

  private static func isFree(_ port: Int) -> Bool {
    let number = loopbackSocket()
    defer { close(number) }
    return bindLoopback(number, port)
  }

  package static let standalone = Shared { try RedisServer() }
}

/// Three masters of a cluster.
package final class RedisCluster: Sendable {
  package let nodes: [RedisServer]

  package init() throws {
    let nodes = try (0..<3).map { _ in
      try RedisServer(["--cluster-enabled", "yes", "--cluster-node-timeout", "2000"])
    }
    self.nodes = nodes
    let outcome = try ProgramOutcome(
      running: ["redis-cli", "--cluster", "create"] + nodes.map { "127.0.0.1:\($0.port)" }
        + ["--cluster-yes"])
    guard outcome.status == 0 else {
      throw ProgramError("no cluster: " + String(decoding: outcome.output, as: UTF8.self))
    }
    for node in nodes {
      try waitUntil("the cluster is complete") {
        let info = try ProgramOutcome(
          running: ["redis-cli", "-p", "\(node.port)", "cluster", "info"])
        return String(decoding: info.output, as: UTF8.self).contains("cluster_state:ok")
      }
    }
  }

  /// Returns a client that knows one node.
  package func client(_ change: (inout RedisConfiguration) -> Void = { _ in }) -> RedisClient {
    nodes[0].client(change)
  }

  package static let shared = Shared { try RedisCluster() }
}

/// A server that all tests share, which is started on first use.
package final class Shared<Value: Sendable>: Sendable {
  private let value = Locked<Value?>(nil)
  private let make: @Sendable () throws -> Value

  package init(_ make: @escaping @Sendable () throws -> Value) {
    self.make = make
  }

  /// Returns the server without blocking a thread of tasks.
  package func ready() async throws -> Value {
    try await onThread { try self.get() }
  }

  package func get() throws -> Value {
    try value.withLock { value in
      if let value { return value }
      let new = try make()
      value = new
      return new
    }
  }
}

/// Performs an action that blocks, such as starting a server, on a thread of its own.
package func onThread<Value: Sendable>(
  _ action: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try action() }) }
  }
}

/// Creates a socket that programs started by other tests do not inherit.
package func loopbackSocket() -> Int32 {
  socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
}

/// Listens on a free port of the loopback interface.
package func listenOnLoopback(_ backlog: Int32) throws -> (socket: Int32, port: Int) {
  let number = loopbackSocket()
  guard bindLoopback(number, 0), listen(number, backlog) == 0 else {
    close(number)
    throw ProgramError("cannot listen")
  }
  var address = sockaddr_in()
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  withUnsafeMutablePointer(to: &address) { pointer in
    _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      getsockname(number, $0, &size)
    }
  }
  return (number, Int(in_port_t(bigEndian: address.sin_port)))
}

/// Binds a socket to a port of the loopback interface; 0 for any.
package func bindLoopback(_ number: Int32, _ port: Int) -> Bool {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(port).bigEndian
  address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
  let size = socklen_t(MemoryLayout<sockaddr_in>.size)
  return withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, size) } == 0
  }
}
