import HarmonyInspection
import LarderModel

extension StoreError {
  /// Creates the error for a failure with a live source.
  ///
  /// - Parameters:
  ///   - error: The error that the client threw.
  ///   - location: The location of the store.
  init(live error: any Error, at location: StoreLocation) {
    guard let error = error as? InspectionError else {
      self.init(error)
      return
    }
    let place = location.path
    switch error {
    case .notListening(let path):
      self = .cannotOpen("\(place): no process listens at \(path); start the program")
    case .noSocket(let path):
      self = .cannotOpen("\(place): \(path) is not a socket; name the one that the program created")
    case .pathTooLong, .inUse, .system: self = .cannotOpen(error.description)
    case .stranger(let user):
      self = .cannotOpen(
        "\(place): the process that listens there belongs to another user (number \(user)); "
          + "larder talks only to your own")
    case .otherVersion:
      self = .cannotOpen(
        "\(place): the program speaks another version of the protocol; update the older one")
    case .malformed(let what):
      self = .failed("\(place): the program violates the protocol: \(what)")
    case .timedOut: self = .busy("\(place): no answer came in time; the program may be stopped")
    case .crowded: self = .busy("\(place): \(error.description)")
    case .disconnected: self = .failed("\(place): \(error.description)")
    case .busy: self = .busy("\(place): \(error.description)")
    case .tooLarge(let limit):
      self = .failed("\(place): the answer is longer than \(limit) bytes; ask for less")
    case .readOnly: self = .readOnly("\(error.description); nothing was written")
    case .unknownSource(let name):
      self = .cannotOpen("\(place): the program shows no source named \(name)")
    case .conflict: self = .conflict(current: nil)
    }
  }
}
