import CFuzzer
import Dispatch
import InspectionExercise

/// Says to one end of the inspection protocol what libFuzzer thinks of.
///
/// `--side=server` or `--side=client` is the end, everything else the options of libFuzzer and the
/// corpus.
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

  /// Answers whoever looks, and waits until he has come to an end; libFuzzer has a limit for that.
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
      // A trap is what libFuzzer takes for a finding and saves.
      fatalError("\(error)")
    }
    return 0
  }
}
