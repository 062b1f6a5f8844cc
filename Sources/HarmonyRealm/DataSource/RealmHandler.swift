import Dispatch
public import Harmony

/// Reads a Realm file for the data sources of a program.
///
/// Readings are done one after the other, on a queue that also completes their futures.
public struct RealmHandler: Sendable {
  /// The file.
  public let file: RealmFile
  private let queue = DispatchQueue(label: "harmony.realm")

  /// Reads a file.
  ///
  /// - Parameter file: The file, which need not exist before the first reading.
  public init(_ file: RealmFile) {
    self.file = file
  }

  /// Reads one state of the file.
  ///
  /// - Parameter body: What to read, as in ``RealmFile/read(_:)``; nil for nothing found.
  /// - Returns: A future that fails with ``Harmony/CoreError/NotFound`` where nothing was found,
  ///   and with the ``RealmError`` of a file that cannot be read.
  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (RealmReading) throws -> Value?
  ) -> Future<Value> {
    Future { resolver in
      queue.async { [file] in
        do {
          guard let value = try file.read(body) else { throw CoreError.NotFound() }
          resolver.set(value)
        } catch {
          resolver.set(error)
        }
      }
    }
  }
}
