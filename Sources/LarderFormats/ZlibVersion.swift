import CZlib

/// The zlib that is linked.
package enum ZlibVersion {
  /// Its number, such as `1.2.13`.
  package static var number: String { String(cString: zlibVersion()) }
}
