public import Foundation
public import Harmony

/// Sample errors for tests.
public enum ErrorMother {
  /// The errors of this library, in the order of their codes.
  public static let core: [any CodedError] = [
    CoreError.Unknown(), CoreError.NotFound(), CoreError.IllegalArgument(),
    CoreError.NotImplemented(), CoreError.NotValid(), CoreError.Failed(),
    CoreError.QueryNotSupported(), CoreError.DataSerialization(),
  ]

  /// An error of an application.
  public static let own = ClassError(domain: "app", code: 7, description: "An error of the app")

  /// An error of Foundation.
  public static var foreign: NSError {
    NSError(
      domain: NSCocoaErrorDomain, code: 4, userInfo: [NSLocalizedDescriptionKey: "No such file"])
  }

  /// All of the above.
  public static var all: [any Error] { core + [own, foreign] }
}
