/// The errors that data sources answer with.
///
/// Each is a value of its own type, so `catch is CoreError.NotFound` picks one out.
public enum CoreError {
  /// The domain that all of these errors share.
  public static let domain = "com.mobilejazz.core.error"
}

extension CoreError {
  /// An error that nothing more is known about.
  public struct Unknown: CodedError, Hashable {
    /// The domain of all core errors.
    public static var errorDomain: String { CoreError.domain }

    /// The domain of all core errors.
    public var domain: String { CoreError.domain }

    /// The number 0.
    public var code: Int { 0 }

    /// What went wrong, in words.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter description: What went wrong, in words.
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

    /// The number 1.
    public var code: Int { 1 }

    /// What went wrong, in words.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter description: What went wrong, in words.
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

    /// The number 2.
    public var code: Int { 2 }

    /// What went wrong, in words.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter description: What went wrong, in words.
    public init(_ description: String = "Illegal Argument") {
      self.description = description
    }
  }

  /// The action does not exist in this place.
  public struct NotImplemented: CodedError, Hashable {
    /// The domain of all core errors.
    public static var errorDomain: String { CoreError.domain }

    /// The domain of all core errors.
    public var domain: String { CoreError.domain }

    /// The number 3.
    public var code: Int { 3 }

    /// What went wrong, in words.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter description: What went wrong, in words.
    public init(_ description: String = "Not Implemented") {
      self.description = description
    }
  }

  /// A value was found, and refused by its validation.
  public struct NotValid: CodedError, Hashable {
    /// The domain of all core errors.
    public static var errorDomain: String { CoreError.domain }

    /// The domain of all core errors.
    public var domain: String { CoreError.domain }

    /// The number 4.
    public var code: Int { 4 }

    /// What went wrong, in words.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter description: What went wrong, in words.
    public init(_ description: String = "Object or action not valid") {
      self.description = description
    }
  }

  /// The action was tried and did not succeed.
  public struct Failed: CodedError, Hashable {
    /// The domain of all core errors.
    public static var errorDomain: String { CoreError.domain }

    /// The domain of all core errors.
    public var domain: String { CoreError.domain }

    /// The number 5.
    public var code: Int { 5 }

    /// What went wrong, in words.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter description: What went wrong, in words.
    public init(_ description: String = "Action failed") {
      self.description = description
    }
  }

  /// The source does not understand the query.
  public struct QueryNotSupported: CodedError, Hashable {
    /// The domain of all core errors.
    public static var errorDomain: String { CoreError.domain }

    /// The domain of all core errors.
    public var domain: String { CoreError.domain }

    /// The number 6.
    public var code: Int { 6 }

    /// What went wrong, in words.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter description: What went wrong, in words.
    public init(_ description: String = "Query not supported") {
      self.description = description
    }
  }

  /// Bytes could not be turned into a value, or a value into bytes.
  public struct DataSerialization: CodedError, Hashable {
    /// The domain of all core errors.
    public static var errorDomain: String { CoreError.domain }

    /// The domain of all core errors.
    public var domain: String { CoreError.domain }

    /// The number 7.
    public var code: Int { 7 }

    /// What went wrong, in words.
    public let description: String

    /// Creates the error.
    ///
    /// - Parameter description: What went wrong, in words.
    public init(_ description: String = "Data serialization failed") {
      self.description = description
    }
  }
}
