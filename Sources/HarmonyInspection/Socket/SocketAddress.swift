import Foundation

/// The address of a socket in the file system.
struct SocketAddress: Sendable {
  /// The maximum length of a path in bytes: one less than the field, for the terminating NUL.
  static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  private let address: sockaddr_un

  init(_ path: String) throws(InspectionError) {
    let bytes = Array(path.utf8)
    guard bytes.count <= Self.longestPath else { throw .pathTooLong(path) }
    // A NUL byte would truncate the path, and an empty path is an abstract name.
    guard !bytes.isEmpty, !bytes.contains(0) else { throw .noSocket(path) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    self.address = address
  }

  /// Returns whether there is a socket at a path.
  static func isSocket(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK
  }

  /// Performs a system call with this address.
  func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
