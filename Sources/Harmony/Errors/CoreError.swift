/// A namespace for the errors of data sources.
///
/// Each error has its own type, so that `catch is CoreError.NotFound` matches a specific one.
public enum CoreError {
  /// The domain that all of these errors share.
  public static let domain = "com.mobilejazz.core.error"
}

extension CoreError {
  /// An error without further information.
  public struct Unknown: CodedError, Hashable {
    /// The domain of all core errors.
    public static var errorDomain: String { CoreError.domain }

    /// The domain of all core errors.
    public var domain: String { CoreError.domain }

    /// The error code, 0.
    public var code: Int { 0 }

    /// A description of what went wrong.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter description: A description of what went wrong.
    public init(_ description: String = "Unknown Error") {
      self.description = description
    }
  }

  /// There is no value for the query.
  public struct NotFound: CodedError, Hashable {
    /// The domain of all core errors.
    public static var errorDomain: String { CoreError.domain }

    /// The domain of all core errors.
    public var domain: String { CoreError.domain }

    /// The error code, 1.
    public var code: Int { 1 }

    /// A description of what went wrong.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter description: A description of what went wrong.
    public init(_ description: String = "Not Found") {
      self.description = description
    }
  }

  /// An argument cannot be used, such as a missing value.
  public struct IllegalArgument: CodedError, Hashable {
    /// The domain of all core errors.
    public static var errorDomain: String { CoreError.domain }

    /// The domain of all core errors.
    public var domain: String { CoreError.domain }

    /// The error code, 2.
    public var code: Int { 2 }

    /// A description of what went wrong.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter description: A description of what went wrong.
    public init(_ description: String = "Illegal Argument") {
      self.description = description
    }
  }

  /// The operation is not implemented by this source.
  public struct NotImplemented: CodedError, Hashable {
    /// The domain of all core errors.
    public static var errorDomain: String { CoreError.domain }

    /// The domain of all core errors.
    public var domain: String { CoreError.domain }

    /// The error code, 3.
    public var code: Int { 3 }

    /// A description of what went wrong.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter description: A description of what went wrong.
    public init(_ description: String = "Not Implemented") {
      self.description = description
    }
  }

  /// A value was found but did not pass validation.
  public struct NotValid: CodedError, Hashable {
    /// The domain of all core errors.
    public static var errorDomain: String { CoreError.domain }

    /// The domain of all core errors.
    public var domain: String { CoreError.domain }

    /// The error code, 4.
    public var code: Int { 4 }

    /// A description of what went wrong.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter description: A description of what went wrong.
    public init(_ description: String = "Object or action not valid") {
      self.description = description
    }
  }

  /// The operation failed.
  public struct Failed: CodedError, Hashable {
    /// The domain of all core errors.
    public static var errorDomain: String { CoreError.domain }

    /// The domain of all core errors.
    public var domain: String { CoreError.domain }

    /// The error code, 5.
    public var code: Int { 5 }

    /// A description of what went wrong.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter description: A description of what went wrong.
    public init(_ description: String = "Action failed") {
      self.description = description
    }
  }

  /// The source does not support the query.
  public struct QueryNotSupported: CodedError, Hashable {
    /// The domain of all core errors.
    public static var errorDomain: String { CoreError.domain }

    /// The domain of all core errors.
    public var domain: String { CoreError.domain }

    /// The error code, 6.
    public var code: Int { 6 }

    /// A description of what went wrong.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter description: A description of what went wrong.
    public init(_ description: String = "Query not supported") {
      self.description = description
    }
  }

  /// A value could not be encoded to or decoded from bytes.
  public struct DataSerialization: CodedError, Hashable {
    /// The domain of all core errors.
    public static var errorDomain: String { CoreError.domain }

    /// The domain of all core errors.
    public var domain: String { CoreError.domain }

    /// The error code, 7.
    public var code: Int { 7 }

    /// A description of what went wrong.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter description: A description of what went wrong.
    public init(_ description: String = "Data serialization failed") {
      self.description = description
    }
  }
}
