import LarderFiles
import Foundation
import Harmony
import LarderModel

/// The lock that writers of a defaults domain take before they change its property list.
struct DefaultsCompanion: Sendable {
  let domain: DefaultsDomain
  /// The interval at which waiting for the lock checks for cancellation.
  private static let turn = Duration.milliseconds(50)

  var emptyBytes: [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      </dict>
      </plist>

      """.utf8)
  }

  func makeFolder() throws {
    let folder = URL(fileURLWithPath: domain.list).deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError.noFolder(folder.path)
    }
  }

  func whileLocked<Result>(
    patience: Duration, scan: Scan?, _ body: () throws -> Result
  ) throws -> Result {
    // Keep errors of the body apart from those of the lock.
    var result: Swift.Result<Result, any Error>?
    let end = ContinuousClock.now + patience
    while true {
      let turn = min(ContinuousClock.now + Self.turn, end)
      do {
        try domain.whileLocked(patience: ContinuousClock.now.duration(to: turn)) {
          result = Swift.Result { try body() }
        }
        break
      } catch {
        // A failure before the time is up has a cause other than contention.
        let now = ContinuousClock.now
        guard now >= turn, now < end else {
          let folder = URL(fileURLWithPath: domain.list).deletingLastPathComponent().path
          if now < turn, let number = WriteObstacle.number(folder) { throw FileFailure(number) }
          throw StoreError.lockedDefaults(domain.list)
        }
      }
      try scan?.reportWaiting()
    }
    guard let result else { throw StoreError.cancelled }
    return try result.get()
  }
}
