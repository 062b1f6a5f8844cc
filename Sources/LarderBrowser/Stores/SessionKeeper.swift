import LarderModel
import LarderFiles
import Foundation
import Harmony

/// Keeps what was open when the browser was left, for a start that asks for it.
package struct SessionKeeper: Sendable {
  private let source: AnyDataSource<Session>

  /// A keeper in the folder for a user's state, whose files nobody else may read.
  package static func inState(environment: [String: String]) -> SessionKeeper {
    SessionKeeper(source: StateFolder.source("sessions", environment: environment))
  }

  /// Keeps a session in the place of the one before.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - folder: Where relative paths begin; a later start may be anywhere.
  /// - Throws: What the file system refused; the one before is still there then.
  package func keep(
    _ session: Session, from folder: String = FileManager.default.currentDirectoryPath
  ) throws {
    var session = session
    session.locations = session.locations.map { Self.absolute($0, from: folder) }
    _ = try source.put(session, forId: "last").result.get()
  }

  /// A location that means the same in any folder.
  private static func absolute(_ location: String, from folder: String) -> String {
    for scheme in ["memory:", "unix:"] where location.utf8.starts(with: scheme.utf8) {
      let path = String(location.dropFirst(scheme.count))
      return path.isEmpty ? location : scheme + absolute(path, from: folder)
    }
    let isFixed = ["/", "~", "file:", "defaults:", "keychain:"].contains {
      location.utf8.starts(with: $0.utf8)
    }
    return isFixed || location.isEmpty ? location : folder + "/" + location
  }

  /// The session that was kept last; nil where there is none that can be read.
  package var last: Session? { try? source.get("last").result.get() }
}
