/// An error with a domain and code of the application's own.
///
/// Upstream's class of this name is subclassed; here an application either uses this value or
/// conforms a struct of its own to ``CodedError``.
public struct ClassError: CodedError, Hashable {
  /// The family that the code belongs to.
  public let domain: String

  /// The number of the error inside its domain.
  public let code: Int

  /// What went wrong, in words.
  public let description: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - domain: The family that the code belongs to.
  ///   - code: The number of the error inside its domain.
  ///   - description: What went wrong, in words.
  public init(domain: String = "default", code: Int, description: String) {
    self.domain = domain
    self.code = code
    self.description = description
  }
}
