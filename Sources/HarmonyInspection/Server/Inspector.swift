public import Foundation
public import Harmony

/// An object that exposes live sources of this process to other processes of the same user.
///
/// ```swift
/// let inspector = try Inspector(socket: "/run/user/1000/app.sock")
/// inspector.expose(sessions, as: "sessions")
/// ```
///
/// It listens at a socket with mode 0600 until it is closed or released, and rejects processes of
/// other users except the administrator. Sources are read-only unless they are exposed as writable.
/// While there are no clients, one thread sleeps and nothing else happens. Requests are bounded by
/// ``InspectionLimits``, and clients that violate the protocol are disconnected. All methods may be
/// called from any thread.
public final class Inspector: Sendable {
  private let hub: InspectionHub

  /// The path of the socket.
  public let path: String

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - path: The path of the socket, at most 107 bytes. It must not exist, unless it is the
  ///     leftover of a process that has ended.
  ///   - limits: The limits on the work done for clients.
  /// - Throws: ``InspectionError`` if the socket cannot be created.
  public init(socket path: String, limits: InspectionLimits = InspectionLimits())
    throws(InspectionError)
  {
    self.path = path
    hub = try InspectionHub(path, limits)
  }

  deinit {
    hub.close()
  }

  /// Stops listening, disconnects all clients and removes the socket; further calls have no effect.
  public func close() {
    hub.close()
  }

  /// Exposes a source of `Codable` values as JSON.
  ///
  /// - Parameters:
  ///   - source: The source, which is retained while it is exposed.
  ///   - name: The name of the source, which replaces any other source of that name.
  ///   - isWritable: Whether clients may write and delete.
  public func expose<Source>(_ source: Source, as name: String, isWritable: Bool = false)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T: Codable {
    hub.sources.expose(source, as: name, isWritable: isWritable)
  }

  /// Exposes a source of strings.
  ///
  /// - Parameters:
  ///   - source: The source, which is retained while it is exposed.
  ///   - name: The name of the source, which replaces any other source of that name.
  ///   - isWritable: Whether clients may write and delete.
  public func expose<Source>(_ source: Source, as name: String, isWritable: Bool = false)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T == String {
    hub.sources.expose(source, as: name, isWritable: isWritable)
  }

  /// Exposes a source of data.
  ///
  /// - Parameters:
  ///   - source: The source, which is retained while it is exposed.
  ///   - name: The name of the source, which replaces any other source of that name.
  ///   - isWritable: Whether clients may write and delete.
  public func expose<Source>(_ source: Source, as name: String, isWritable: Bool = false)
  where Source: GetDataSource & PutDataSource & DeleteDataSource, Source.T == Data {
    hub.sources.expose(source, as: name, isWritable: isWritable)
  }

  /// Stops exposing a source, and releases it once its pending requests are answered.
  ///
  /// - Parameter name: The name of the source.
  public func conceal(_ name: String) {
    hub.sources.conceal(name)
  }
}
