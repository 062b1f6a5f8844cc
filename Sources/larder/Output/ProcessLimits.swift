import Foundation

/// The limits of the process under which nothing can run.
enum ProcessLimits {
  /// How many files larder opens at least.
  private static let fewestFiles = 6
  /// How much memory its threads reserve at least.
  private static let leastMemory = 64 << 20

  /// What is missing, as a sentence; nil where nothing is.
  ///
  /// The library of the threads ends the process, or waits for ever, where it gets none.
  static var problem: String? {
    var files: [Int32] = []
    defer { for file in files { close(file) } }
    for _ in 0..<fewestFiles {
      let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else {
        return "too few files may be open at once: \(String(cString: strerror(errno))). "
          + "Allow more with ulimit -n, such as 256"
      }
      files.append(file)
    }
    let memory = mmap(nil, leastMemory, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard memory != MAP_FAILED else {
      return "there is too little memory: \(String(cString: strerror(errno))). "
        + "Allow more with ulimit -v, or end other programs"
    }
    munmap(memory, leastMemory)
    return nil
  }
}
