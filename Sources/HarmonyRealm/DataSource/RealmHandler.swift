import Dispatch
public import Harmony

/// A reader of a Realm file for the data sources of a program.
///
/// Reads run one after another, on a queue that also completes their futures.
public struct RealmHandler: Sendable {
  /// The file.
  public let file: RealmFile
  private let queue = DispatchQueue(label: "harmony.realm")

  /// Creates a handler for a file.
  ///
  /// - Parameter file: The file, which need not exist before the first read.
  public init(_ file: RealmFile) {
    self.file = file
  }

  /// Reads one state of the file.
  ///
  /// - Parameter body: Reads the file, as in ``RealmFile/read(_:)``; returns nil if nothing was
  ///   found.
  /// - Returns: A future of the result. It fails with ``Harmony/CoreError/NotFound`` if nothing was
  ///   found, and with ``RealmError`` if the file cannot be read.
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
