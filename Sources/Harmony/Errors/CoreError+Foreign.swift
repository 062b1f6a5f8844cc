public import Foundation

extension CoreError {
  /// An error of Foundation's class, with its domain and code.
  public struct NSError: CodedError, Hashable {
    /// The domain of the original error.
    public let domain: String

    /// The code of the original error.
    public let code: Int

    /// The localised description of the original error.
    public let description: String

    /// Creates a value that says what an `NSError` says.
    ///
    /// - Parameter error: The original error.
    public init(_ error: Foundation.NSError) {
      domain = error.domain
      code = error.code
      description = error.localizedDescription
    }
  }

  /// The failure of a system call that answers with a status number.
  public struct OSStatusFailure: CodedError, Hashable {
    /// The domain of all core errors.
    public static var errorDomain: String { CoreError.domain }

    /// The domain of all core errors.
    public var domain: String { CoreError.domain }

    /// The number 5, that of ``CoreError/Failed``.
    public var code: Int { 5 }

    /// The number that the system answered.
    public let status: Int32

    /// What went wrong, in words.
    public let description: String

    /// Creates the error for a status number.
    ///
    /// - Parameters:
    ///   - status: The number that the system answered.
    ///   - description: What went wrong, in words; the number is named if there are none.
    public init(_ status: Int32, _ description: String? = nil) {
      self.status = status
      self.description = description ?? "OSStatus failure with code \(status)"
    }

    /// The status number, under the key `OSStatus`.
    public func userInfo() -> [String: Any] { ["OSStatus": status] }
  }
}
