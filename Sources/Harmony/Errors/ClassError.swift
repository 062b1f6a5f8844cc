/// An error with a custom domain and code.
///
/// Upstream's class of this name is subclassed; here an application uses this value or conforms its
/// own struct to ``CodedError``.
public struct ClassError: CodedError, Hashable {
  /// The domain of the code.
  public let domain: String

  /// The code of the error in its domain.
  public let code: Int

  /// A description of what went wrong.
  public let description: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - domain: The domain of the code.
  ///   - code: The code of the error in its domain.
  ///   - description: A description of what went wrong.
  public init(domain: String = "default", code: Int, description: String) {
    self.domain = domain
    self.code = code
    self.description = description
  }
}
