import Dispatch

/// A task executor with a separate thread for the requests of a client.
///
/// Otherwise a source that blocks would occupy one of the few threads that all tasks of the program
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
