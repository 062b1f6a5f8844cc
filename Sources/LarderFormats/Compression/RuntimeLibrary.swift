import Foundation

/// A shared library that is loaded at run time, so that larder builds and runs without it.
///
/// The library stays loaded.
struct RuntimeLibrary {
  /// The error if the library or one of its functions is missing.
  struct Missing: Error {}

  private let handle: UnsafeMutableRawPointer

  /// Loads a library by its file name.
  init(_ name: String) throws(Missing) {
    guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { throw Missing() }
    self.handle = handle
  }

  /// Returns a function of the library; the type must be that of a C function pointer.
  func function<Function>(_ name: String) throws(Missing) -> Function {
    guard let address = dlsym(handle, name),
      MemoryLayout<Function>.size == MemoryLayout<UnsafeMutableRawPointer>.size
    else { throw Missing() }
    return unsafeBitCast(address, to: Function.self)
  }
}
