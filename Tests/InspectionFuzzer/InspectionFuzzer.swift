import CFuzzer
import Dispatch
import InspectionExercise

/// Fuzzes one end of the inspection protocol with libFuzzer.
///
/// `--side=server` or `--side=client` selects the end; all other arguments are passed to libFuzzer.
@main enum InspectionFuzzer {
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    if CommandLine.arguments.contains("--side=server") {
      LLVMFuzzerRunDriver(&count, &arguments) { start, size in
        InspectionFuzzer.call(InspectionExercise.server, start, size)
      }
    } else {
      LLVMFuzzerRunDriver(&count, &arguments) { start, size in
        InspectionFuzzer.call(InspectionFuzzer.client, start, size)
      }
    }
  }

  /// Answers a client and waits until it has finished, within libFuzzer's time limit.
  private static func client(_ bytes: [UInt8]) throws(InspectionExercise.Failure) {
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      do {
        try await InspectionExercise.client(bytes)
      } catch {
        fatalError("\(error)")
      }
      done.signal()
    }
    done.wait()
  }

  private static func call(
    _ exercise: ([UInt8]) throws(InspectionExercise.Failure) -> Void,
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
