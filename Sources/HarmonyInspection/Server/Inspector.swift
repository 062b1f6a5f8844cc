public import Foundation
public import Harmony

/// Shows live sources of this process to other processes of the same user.
///
/// ```swift
/// let inspector = try Inspector(socket: "/run/user/1000/app.sock")
/// inspector.expose(sessions, as: "sessions")
/// ```
///
/// It listens at a socket with the mode 0600 until it ends, and refuses processes of other users
/// but the administrator's. Sources can only be read unless they are made writable. While nobody
/// looks, one thread sleeps and nothing else happens. Requests are bounded by ``InspectionLimits``;
/// whoever does not keep to the protocol is disconnected. Everything here can be called from any
/// thread.
public final class Inspector: Sendable {
  private let hub: InspectionHub

  /// The path of the socket.
  public let path: String

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - path: The path of the socket, which must not exist, unless a process that has ended left
  ///     it; at most 107 bytes.
  ///   - limits: How much is done for those who look.
  /// - Throws: ``InspectionError`` where nothing can listen there.
  public init(socket path: String, limits: InspectionLimits = InspectionLimits())
    throws(InspectionError)
  {
    self.path = path
    hub = try InspectionHub(path, limits)
  }

  deinit {
    hub.close()
  }

  /// Stops to listen, disconnects everybody and removes the socket; later calls do nothing.
  public func close() {
    hub.close()
  }

  /// Shows a source of values of any type, as JSON.
  ///
  /// - Parameters:
  ///   - source: The source, which is kept as long as it is shown.
  ///   - name: The name to show it under, in place of what had it before.
  ///   - isWritable: Whether those who look may write and delete.
  public func expose<Source>(_ source: Source, as name: String, isWritable: Bool = false)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T: Codable {
    hub.sources.expose(source, as: name, isWritable: isWritable)
  }

  /// Shows a source of texts.
  ///
  /// - Parameters:
  ///   - source: The source, which is kept as long as it is shown.
  ///   - name: The name to show it under, in place of what had it before.
  ///   - isWritable: Whether those who look may write and delete.
  public func expose<Source>(_ source: Source, as name: String, isWritable: Bool = false)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T == String {
    hub.sources.expose(source, as: name, isWritable: isWritable)
  }

  /// Shows a source of data.
  ///
  /// - Parameters:
  ///   - source: The source, which is kept as long as it is shown.
  ///   - name: The name to show it under, in place of what had it before.
  ///   - isWritable: Whether those who look may write and delete.
  public func expose<Source>(_ source: Source, as name: String, isWritable: Bool = false)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T == Data {
    hub.sources.expose(source, as: name, isWritable: isWritable)
  }

  /// Shows a source no longer, and lets go of it once what was asked of it is answered.
  ///
  /// - Parameter name: The name that it was shown under.
  public func conceal(_ name: String) {
    hub.sources.conceal(name)
  }
}
