import CZlib

/// The version of the linked zlib library.
package enum ZlibVersion {
  /// The version number, such as `1.2.13`.
  package static var number: String { String(cString: zlibVersion()) }
}
