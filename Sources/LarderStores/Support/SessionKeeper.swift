import Harmony
package import LarderCore

/// Keeps what was open when the browser was left, for a start that asks for it.
package struct SessionKeeper: Sendable {
  private let source: AnyDataSource<Session>

  /// A keeper in the folder for a person's state, whose files nobody else may read.
  package static func inState(environment: [String: String]) -> SessionKeeper {
    SessionKeeper(source: StateFolder.source("sessions", environment: environment))
  }

  /// Keeps a session in the place of the one before.
  ///
  /// - Throws: What the file system refused; the one before is still there then.
  package func keep(_ session: Session) throws {
    _ = try source.put(session, forId: "last").result.get()
  }

  /// The session that was kept last; nil where there is none that can be read.
  package var last: Session? { try? source.get("last").result.get() }
}
