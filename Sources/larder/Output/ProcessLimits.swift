import Foundation

/// Checks the resource limits without which larder cannot run.
enum ProcessLimits {
  /// The minimum number of files that larder opens.
  private static let fewestFiles = 6
  /// The minimum memory that its threads reserve, in bytes.
  private static let minimumMemory = 64 << 20

  /// The error of an insufficient limit; nil if there is none.
  ///
  /// Without this check, the thread library would abort the process or hang.
  static var failure: Failure? {
    var files: [Int32] = []
    defer { for file in files { close(file) } }
    for _ in 0..<fewestFiles {
      let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else {
        return .noFileLimit(String(cString: strerror(errno)))
      }
      files.append(file)
    }
    let memory = mmap(nil, minimumMemory, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard memory != MAP_FAILED else {
      return .noMemory(String(cString: strerror(errno)))
    }
    munmap(memory, minimumMemory)
    return nil
  }
}
