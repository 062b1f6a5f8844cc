#if Keychain
import CLibSecret

/// libsecret and its dependencies, which are loaded when a keychain is first used, so that programs
/// also run where they are not installed.
enum SecretLibrary {
  // Immutable after initialization, so any thread may read it.
  private nonisolated(unsafe) static let loaded:
    (functions: UnsafePointer<CKLibrary>, isComplete: Bool) = {
      let functions = UnsafeMutablePointer<CKLibrary>.allocate(capacity: 1)
      functions.initialize(to: CKLibrary())
      let isComplete = ck_load(functions) != 0
      return (UnsafePointer(functions), isComplete)
    }()

  /// Whether the library is available; otherwise none of its functions may be called.
  static var isLoaded: Bool { loaded.isComplete }

  /// The function table, for C code; its address never changes.
  static var functions: UnsafePointer<CKLibrary> { loaded.functions }

  /// The type of services with their own connection.
  static let serviceType = ck_service_type(functions)
}

/// The functions of libsecret and GLib by their own names.
///
/// ``SecretConnection`` calls none of them if the library is not available. Inlined, so that a call
/// loads only the function that it uses.
@inline(__always) var libsecret: CKLibrary { SecretLibrary.functions.pointee }
#endif
