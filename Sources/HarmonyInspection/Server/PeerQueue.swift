import Dispatch

/// Runs what is done for one of those who look, on a thread that nobody else waits for.
///
/// A source that blocks would otherwise hold one of the few threads that all tasks of the program
/// share.
final class PeerQueue: TaskExecutor {
  private let queue = DispatchQueue(label: "inspector peer", qos: .utility)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
