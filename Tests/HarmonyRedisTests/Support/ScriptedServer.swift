import Foundation
import Harmony
import RedisBench
import TestPrograms

@testable import HarmonyRedis

/// A server whose replies a test decides.
final class ScriptedServer: Sendable {
  /// A reaction to a command.
  enum Answer: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    case text(String)
    /// Bytes that are sent one at a time, with a pause after each.
    case slowly(String)
    case silence
    case end

    init(stringLiteral value: String) {
      self = .text(value)
    }
  }

  static let hello = "%2\r\n+server\r\n+redis\r\n+mode\r\n+standalone\r\n"
  static let noCluster = "-ERR This instance has cluster support disabled\r\n"

  let port: Int
  private let listening: Int32
  private let log = Log()

  /// The commands that arrived.
  private final class Log: Sendable {
    let commands = Locked<[[String]]>([])
  }

  /// Listens, and answers each command on the thread of its connection.
  ///
  /// - Parameter answer: Returns the answer; nil for that of an empty server.
  /// - Throws: ``ProgramError`` if the system has no port left.
  init(_ answer: @escaping @Sendable ([String]) -> Answer?) throws {
    let (number, port) = try listenOnLoopback(64)
    listening = number
    self.port = port
    Thread.detachNewThread { [log] in
      while true {
        let peer = accept(number, nil, nil)
        guard peer >= 0 else { return }
        Thread.detachNewThread {
          Self.serve(peer, log, answer)
          // Programs that other tests have started may have inherited the socket.
          shutdown(peer, Int32(SHUT_RDWR))
          close(peer)
        }
      }
    }
  }

  deinit {
    shutdown(listening, Int32(SHUT_RDWR))
    close(listening)
  }

  /// The commands that arrived.
  var commands: [[String]] { log.commands.withLock { $0 } }

  /// Returns how many commands of a name arrived.
  func count(_ name: String) -> Int { commands.filter { $0.first == name }.count }

  func client(_ change: (inout RedisConfiguration) -> Void = { _ in }) -> RedisClient {
    var configuration = RedisConfiguration(.tcp(host: "127.0.0.1", port: port))
    configuration.timeLimit = .seconds(120)
    change(&configuration)
    return RedisClient(configuration)
  }

  private static func serve(
    _ peer: Int32, _ log: Log, _ answer: ([String]) -> Answer?
  ) {
    var parser = RESPParser(limits: RedisLimits())
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(peer, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      parser.append(buffer[..<count])
      while case .reply(let command)? = try? parser.next() {
        let words = command.elements?.map { $0.text ?? "?" } ?? []
        log.commands.withLock { $0.append(words) }
        let standard: Answer =
          switch words.first {
          case "HELLO": .text(hello)
          case "CLUSTER": .text(noCluster)
          case "GET": "$-1\r\n"
          default: "+OK\r\n"
          }
        switch answer(words) ?? standard {
        case .text(let text): guard write(Array(text.utf8), peer) else { return }
        case .slowly(let text):
          for byte in text.utf8 {
            guard write([byte], peer) else { return }
            usleep(50_000)
          }
        case .silence: break
        case .end: return
        }
      }
    }
  }

  private static func write(_ bytes: [UInt8], _ peer: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// Returns the error that an action throws.
func redisError(_ action: () async throws -> some Any) async -> RedisError? {
  do {
    _ = try await action()
    return nil
  } catch {
    return error as? RedisError
  }
}
