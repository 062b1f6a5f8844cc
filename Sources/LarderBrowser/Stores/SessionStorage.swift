import LarderModel
import LarderFiles
import Foundation
import Harmony

/// Stores the session of the browser, so that a later run can restore it.
package struct SessionStorage: Sendable {
  private let source: AnyDataSource<Session>

  /// Returns a storage that uses the user's state folder, whose files only the user can read.
  package static func inState(environment: [String: String]) -> SessionStorage {
    SessionStorage(source: StateFolder.source("sessions", environment: environment))
  }

  /// Stores a session in place of the previous one.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - folder: The base of relative paths, because a later run may start in another folder.
  /// - Throws: Any error of the file system, in which case the previous session is still stored.
  package func keep(
    _ session: Session, from folder: String = FileManager.default.currentDirectoryPath
  ) throws {
    var session = session
    session.locations = session.locations.map { Self.absolute($0, from: folder) }
    _ = try source.put(session, forId: "last").result.get()
  }

  /// Returns a location that does not depend on the current folder.
  private static func absolute(_ location: String, from folder: String) -> String {
    for scheme in ["memory:", "unix:", "redis+unix:"] where location.utf8.starts(with: scheme.utf8)
    {
      let path = String(location.dropFirst(scheme.count))
      return path.isEmpty ? location : scheme + absolute(path, from: folder)
    }
    let isFixed = ["/", "~", "file:", "defaults:", "keychain:"].contains {
      location.utf8.starts(with: $0.utf8)
    }
    return isFixed || location.isEmpty || location.contains("://")
      ? location : folder + "/" + location
  }

  /// The last stored session, or `nil` if none can be read.
  package var last: Session? { try? source.get("last").result.get() }
}
