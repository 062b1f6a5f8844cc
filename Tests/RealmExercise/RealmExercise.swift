import Foundation
import HarmonyRealm

/// Reads all contents of a supposed Realm file with every reading method.
///
/// Errors are allowed, but nothing may trap, loop forever or exceed its memory limits.
package enum RealmExercise {
  /// Reads a file given as bytes and returns the number of objects read without an error.
  @discardableResult package static func read(_ bytes: [UInt8]) -> Int {
    let folder = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    var name = Array((folder + "/realm-XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { return 0 }
    unlink(name)
    defer { close(descriptor) }
    var done = 0
    bytes.withUnsafeBytes { buffer in
      while done < buffer.count, let base = buffer.baseAddress {
        let count = write(descriptor, base + done, buffer.count - done)
        if count <= 0 { break }
        done += count
      }
    }
    return (try? read(path: "/proc/self/fd/\(descriptor)")) ?? 0
  }

  /// Reads a file and returns the number of objects read without an error.
  ///
  /// - Throws: An error if the file as a whole is invalid.
  @discardableResult package static func read(path: String, most: Int = 200) throws -> Int {
    let file = RealmFile(path: path)
    return try file.read { reading in
      var whole = 0
      _ = try reading.problems()
      for found in try reading.classes() {
        whole += objects(found, reading, most)
      }
      return whole
    }
  }

  private static func objects(
    _ found: RealmClass, _ reading: RealmReading, _ most: Int
  ) -> Int {
    var whole = 0
    for isBackward in [false, true] {
      var count = 0
      var last: RealmObject?
      try? reading.forEach(of: found, isBackward: isBackward) { object in
        count += 1
        if object.problem == nil { whole += 1 }
        last = object
        return count < most
      }
      guard let last else { continue }
      _ = try? reading.object(last.objectKey, of: found)
      _ = try? reading.object(last.objectKey &+ 1, of: found)
      _ = try? reading.hasObject(last.objectKey, in: found)
      for property in found.properties.prefix(4) {
        _ = try? reading.value(of: property, last.objectKey, in: found)
      }
      if let key = last.primaryKey { _ = try? reading.object(primaryKey: key, of: found) }
      try? reading.forEach(of: found, after: last.objectKey, isBackward: !isBackward) { _ in false }
    }
    var keys = 0
    try? reading.forEachKey(of: found) { _ in
      keys += 1
      return keys < most
    }
    for property in found.properties {
      var count = 0
      try? reading.forEachValue(of: property, in: found) { _, _ in
        count += 1
        return count < most
      }
    }
    return whole
  }
}
