import Foundation
import Harmony
import HarmonyInspection

/// A program that uses a timed cache a million times a second and can expose it on a socket.
///
/// `larder-benchmarks observed SOCKET SECONDS`, with `-` for no socket. It prints its resource
/// usage.
struct ObservedProgram {
  /// The operations per second, with nine reads to one write.
  static let rate = 1_000_000
  /// The number of entries in the cache.
  static let entryCount = 100_000

  private let socket: String?
  private let seconds: Int
  private let cache = TimedCacheDataSource(
    InMemoryDataSource<String>(), expiryInterval: 3_600, capacity: entryCount * 2)

  init(_ words: [String]) throws {
    guard words.count == 3, let seconds = Int(words[2]) else {
      throw ChildProcess.Failure(description: "observed SOCKET SECONDS")
    }
    socket = words[1] == "-" ? nil : words[1]
    self.seconds = seconds
  }

  func run() throws {
    let queries = (0..<Self.entryCount).map { IdQuery("session:\($0 + 1_000_000)") }
    for query in queries { _ = cache.put("the value of \(query.id)", in: query) }
    let inspector = try socket.map { try Inspector(socket: $0) }
    inspector?.expose(cache, as: "sessions")
    // Written without buffering, because the parent process waits for it.
    FileHandle.standardOutput.write(Data("ready\n".utf8))
    let start = ContinuousClock.now
    let before = (process: Self.time(CLOCK_PROCESS_CPUTIME_ID), thread: Self.threadTime)
    let batch = Self.rate / 1_000
    var done = 0
    var late = Duration.zero
    var place = 0
    for tick in 0..<(seconds * 1_000) {
      let due = start + .milliseconds(tick)
      let now = ContinuousClock.now
      if now < due {
        usleep(UInt32((due - now) / .microseconds(1)))
      } else {
        late = max(late, now - due)
      }
      for number in 0..<batch {
        place = (place + 7_919) % Self.entryCount
        let query = queries[place]
        if number % 10 == 0 {
          _ = cache.put("another value of \(query.id)", in: query)
        } else {
          _ = cache.get(query)
        }
      }
      done += batch
    }
    let wall = (ContinuousClock.now - start) / .seconds(1)
    let worker = Self.threadTime - before.thread
    let others = Self.time(CLOCK_PROCESS_CPUTIME_ID) - before.process - worker
    withExtendedLifetime(inspector) {}
    print(
      "\(Double(done) / wall) \(worker / Double(done) * 1e9) \(others / wall * 100) "
        + "\(late / .milliseconds(1))")
  }

  private static var threadTime: Double { time(CLOCK_THREAD_CPUTIME_ID) }

  private static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
