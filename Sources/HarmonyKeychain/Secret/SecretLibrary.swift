#if Keychain
import CLibSecret

/// libsecret and what it stands on, which are loaded when a keychain is first used: programs start
/// without them, and run where they are not installed.
enum SecretLibrary {
  // Never changed once it is there, so that any thread may read it.
  private nonisolated(unsafe) static let loaded:
    (functions: UnsafePointer<CKLibrary>, isComplete: Bool) = {
      let functions = UnsafeMutablePointer<CKLibrary>.allocate(capacity: 1)
      functions.initialize(to: CKLibrary())
      let isComplete = ck_load(functions) != 0
      return (UnsafePointer(functions), isComplete)
    }()

  /// Whether the library is there; nothing of it may be called otherwise.
  static var isLoaded: Bool { loaded.isComplete }

  /// Its functions, for those that call them in C; they stay where they are.
  static var functions: UnsafePointer<CKLibrary> { loaded.functions }

  /// The type of services that live on a connection of their own.
  static let serviceType = ck_service_type(functions)
}

/// The functions of libsecret and GLib, by their own names.
///
/// ``SecretConnection`` calls nothing where they are not there. Inlined, so that a call reads the one
/// that it calls and copies none of the others.
@inline(__always) var libsecret: CKLibrary { SecretLibrary.functions.pointee }
#endif
