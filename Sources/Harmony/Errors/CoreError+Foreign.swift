public import Foundation

extension CoreError {
  /// A value with the domain and code of an `NSError`.
  public struct NSError: CodedError, Hashable {
    /// The domain of the original error.
    public let domain: String

    /// The code of the original error.
    public let code: Int

    /// The localized description of the original error.
    public let description: String

    /// Creates a value from an `NSError`.
    ///
    /// - Parameter error: The original error.
    public init(_ error: Foundation.NSError) {
      domain = error.domain
      code = error.code
      description = error.localizedDescription
    }
  }

  /// The failure of a system call that returned a status code.
  public struct OSStatusFailure: CodedError, Hashable {
    /// The domain of all core errors.
    public static var errorDomain: String { CoreError.domain }

    /// The domain of all core errors.
    public var domain: String { CoreError.domain }

    /// The error code, 5, as of ``CoreError/Failed``.
    public var code: Int { 5 }

    /// The status code of the system.
    public let status: Int32

    /// A description of what went wrong.
    public let description: String

    /// Creates an error for a status code.
    ///
    /// - Parameters:
    ///   - status: The status code of the system.
    ///   - description: A description of what went wrong; by default one that contains the status
    ///     code.
    public init(_ status: Int32, _ description: String? = nil) {
      self.status = status
      self.description = description ?? "OSStatus failure with code \(status)"
    }

    /// Returns the status code under the key `OSStatus`.
    public func userInfo() -> [String: Any] { ["OSStatus": status] }
  }
}
