import LarderFiles
import Foundation
public import LarderModel
public import LarderJournal
import LarderStoreBase

/// The entry point for opening locations as stores of any kind.
///
/// ```swift
/// let open = try await Stores.open("users.db#people")
/// let store = try await open.store("people")
/// ```
public enum Stores {
  /// The descriptions of all kinds of store.
  public static var kinds: [StoreKind] { StoreKinds.all }

  /// Returns whether a file is a store, judging by its content; false if it cannot be read.
  public static func recognizes(file path: String) -> Bool {
    guard let probe = try? StoreProbe(StoreLocation(path: path)),
      case .file = probe.target
    else { return false }
    return StoreKinds.known.contains { $0.recognize(probe) != nil }
  }

  /// Returns the location for text typed by a user.
  ///
  /// `#NAME` selects a collection, unless a file with that exact path exists. A URL such as
  /// `file:///home/ada/app.db` is converted to its path.
  ///
  /// - Parameter text: The location as typed.
  /// - Returns: The location.
  /// - Throws: ``StoreError`` if a file URL does not refer to a local path.
  public static func location(fromText text: String) throws(StoreError) -> StoreLocation {
    let exists = { (text: String) -> Bool in
      let scheme = StoreKinds.scheme(of: text)
      let path = scheme.map { String(text.dropFirst($0.count + 1)) } ?? text
      return !path.isEmpty && FileManager.default.fileExists(atPath: path)
    }
    if exists(text) { return StoreLocation(path: text) }
    return StoreLocation(try FileURL.path(text) ?? HomePath.expanded(text), exists: exists)
  }

  /// Opens a location after recognizing its kind by its content.
  ///
  /// Nothing is written or locked.
  ///
  /// - Parameters:
  ///   - text: The location as typed.
  ///   - options: The options, such as whether writing is allowed and how long to wait for locks.
  ///   - journal: The journal to record changes in before they are made, or nil for none.
  ///   - password: The password of a server, as the user has entered it; nil if none was asked for.
  /// - Returns: The opened store, with the collections inside.
  /// - Throws: ``StoreError`` if the location cannot be opened.
  public static func open(
    _ text: String, options: OpenOptions = OpenOptions(), journal: Journal? = nil,
    password: String? = nil
  ) async throws(StoreError) -> OpenStore {
    var options = options
    if let password { options.passwordPrompt = PasswordPrompt(entered: password) }
    return try await open(try location(fromText: text), options: options, journal: journal)
  }

  /// Opens a location after recognizing its kind by its content.
  ///
  /// Nothing is written or locked.
  ///
  /// - Parameters:
  ///   - location: The location. Its collection is not checked; it may not exist.
  ///   - options: The options, such as whether writing is allowed and how long to wait for locks.
  ///   - journal: The journal to record changes in before they are made, or nil for none.
  /// - Returns: The opened store, with the collections inside.
  /// - Throws: ``StoreError`` if the location cannot be opened.
  @concurrent public static func open(
    _ location: StoreLocation, options: OpenOptions = OpenOptions(), journal: Journal? = nil
  ) async throws(StoreError) -> OpenStore {
    let found = try await StoreRecognition.find(location)
    var open = try await found.kind.open(found.probe, evidence: found.evidence, options: options)
    open.location.collection = location.collection ?? open.location.collection
    let original = open.opening
    if !found.kind.answersTrees {
      open.opening = { try await original($0, $1).summarisingPrefixes() }
    }
    if case .scheme = found.probe.target {
      open.resolvedPath = try found.kind.resolved(location)?.path
      return journal.map { open.recording(in: $0) } ?? open
    }
    // The file itself may be missing: a preferences store can consist of only a backup.
    open.resolvedPath = ResolvedPath.evenIfMissing(location.path)
    return journal.map { open.recording(in: $0) } ?? open
  }
}
