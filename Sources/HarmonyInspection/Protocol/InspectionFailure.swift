import Harmony

/// An error in a form that can be sent to the other end.
struct InspectionFailure: Codable, Sendable, Hashable {
  var code: Code
  /// The description of the error; for some codes a name.
  var message: String
  /// The limit that was exceeded.
  var limit: Int?

  enum Code: String, Codable, Sendable {
    case unknown, notFound, illegalArgument, notImplemented, notValid, failed, queryNotSupported
    case serialization
    case readOnly, unknownSource, conflict, tooLarge, busy, malformed
  }

  init(_ code: Code, _ message: String = "", limit: Int? = nil) {
    self.code = code
    self.message = message
    self.limit = limit
  }

  /// Creates the failure that represents an error.
  init(_ error: any Error) {
    switch error {
    case let error as CoreError.NotFound: self.init(.notFound, error.description)
    case let error as CoreError.IllegalArgument: self.init(.illegalArgument, error.description)
    case let error as CoreError.NotImplemented: self.init(.notImplemented, error.description)
    case let error as CoreError.NotValid: self.init(.notValid, error.description)
    case let error as CoreError.Failed: self.init(.failed, error.description)
    case let error as CoreError.QueryNotSupported: self.init(.queryNotSupported, error.description)
    case let error as CoreError.DataSerialization: self.init(.serialization, error.description)
    case let error as InspectionError: self.init(inspection: error)
    default: self.init(.unknown, String(describing: error))
    }
  }

  private init(inspection error: InspectionError) {
    switch error {
    case .readOnly(let name): self.init(.readOnly, name)
    case .unknownSource(let name): self.init(.unknownSource, name)
    case .conflict: self.init(.conflict)
    case .tooLarge(let limit): self.init(.tooLarge, limit: limit)
    case .busy: self.init(.busy)
    case .malformed(let what): self.init(.malformed, what)
    default: self.init(.unknown, error.description)
    }
  }

  /// The error that this failure represents.
  var error: any Error {
    switch code {
    case .unknown: CoreError.Unknown(message)
    case .notFound: CoreError.NotFound(message)
    case .illegalArgument: CoreError.IllegalArgument(message)
    case .notImplemented: CoreError.NotImplemented(message)
    case .notValid: CoreError.NotValid(message)
    case .failed: CoreError.Failed(message)
    case .queryNotSupported: CoreError.QueryNotSupported(message)
    case .serialization: CoreError.DataSerialization(message)
    case .readOnly: InspectionError.readOnly(message)
    case .unknownSource: InspectionError.unknownSource(message)
    case .conflict: InspectionError.conflict
    case .tooLarge: InspectionError.tooLarge(limit: limit ?? 0)
    case .busy: InspectionError.busy
    case .malformed: InspectionError.malformed(message)
    }
  }
}
