import CFuzzer
import DocumentExercise
import RealmExercise

/// Fuzzes the parsers of documents and Realm files with libFuzzer.
///
/// `--format=json` selects the format; all other arguments are passed to libFuzzer.
@main enum DocumentFuzzer {
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    if CommandLine.arguments.contains("--format=json") {
      LLVMFuzzerRunDriver(&count, &arguments) { start, size in
        DocumentFuzzer.call(DocumentExercise.json, start, size)
      }
    } else if CommandLine.arguments.contains("--format=image") {
      LLVMFuzzerRunDriver(&count, &arguments) { start, size in
        DocumentFuzzer.call(DocumentExercise.image, start, size)
      }
    } else if CommandLine.arguments.contains("--format=realm") {
      LLVMFuzzerRunDriver(&count, &arguments) { start, size in
        RealmExercise.read(Array(UnsafeBufferPointer(start: start, count: size)))
        return 0
      }
    } else {
      LLVMFuzzerRunDriver(&count, &arguments) { start, size in
        DocumentFuzzer.call(DocumentExercise.propertyList, start, size)
      }
    }
  }

  private static func call(
    _ exercise: ([UInt8]) throws(DocumentExercise.Failure) -> Void,
    _ start: UnsafePointer<UInt8>?, _ size: Int
  ) -> CInt {
    do {
      try exercise(Array(UnsafeBufferPointer(start: start, count: size)))
    } catch {
      // libFuzzer records a trap as a finding.
      fatalError("\(error)")
    }
    return 0
  }
}
