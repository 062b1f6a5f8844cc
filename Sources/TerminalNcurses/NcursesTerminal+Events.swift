import CNcurses
import Dispatch
import Glibc
import TerminalUI

extension NcursesTerminal {
  /// Calls a function on the main actor whenever a descriptor has something to read.
  func listen(
    to descriptor: Int32, _ read: @escaping @MainActor (NcursesTerminal) -> Void
  ) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        TerminalGuard.coverThread()
        guard let self else { return }
        read(self)
      }
    }
    sources.append(source)
    source.activate()
  }

  /// Reads what there is and reports it.
  func readInput() {
    guard receive != nil, let window else { return }
    var tokens: [InputToken] = []
    var hasRead = false
    while true {
      // A byte, or the number of a key, which is none.
      let result = wgetch(window)
      if result == ERR { break }
      hasRead = true
      if let byte = UInt8(exactly: result) {
        tokens += decoder.take(byte).map { .scalar($0) }
      } else if let token = NcursesKeys.token(result) {
        tokens += decoder.end().map { .scalar($0) }
        tokens.append(token)
      }
    }
    for event in parser.parse(tokens) { receive?(event) }
    if !hasRead, isInputClosed { close(.hangUp) }
  }

  /// Whether there is nothing to read and never will be.
  private var isInputClosed: Bool {
    var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, 0) > 0 else { return false }
    var waiting: Int32 = 0
    guard ioctl(input, UInt(FIONREAD), &waiting) == 0 else { return true }
    return waiting == 0
  }

  /// Sees to the signals that have come.
  func readNotices() {
    for signal in TerminalGuard.takeNotices() {
      guard receive != nil, !isClosed else { return }
      switch signal {
      case SIGWINCH:
        updateSize()
        guard size != reportedSize else { continue }
        reportedSize = size
        receive?(.resized(size))
      case SIGTSTP:
        suspend()
      case SIGCONT:
        reassert()
      default:
        close(signal == SIGHUP ? .hangUp : .signal(signal))
      }
    }
  }

  /// Takes the terminal over again after something stopped the process without asking, and the
  /// shell used the terminal meanwhile.
  private func reassert() {
    guard let last = painter?.shown, window != nil else { return }
    endwin()
    painter?.forget()
    if description.takesControlSequences { write(ControlSequence.inputOn) }
    present(last)
    TerminalGuard.notify(SIGWINCH)
  }

  /// Reports the end and listens no more.
  func close(_ reason: TerminalEvent.CloseReason) {
    guard let receive, !isClosed else { return }
    isClosed = true
    if reason == .hangUp { TerminalGuard.noteHangUp() }
    stopListening()
    receive(.closed(reason))
  }

  /// Lets go of everything that reports.
  func stopListening() {
    for source in sources { source.cancel() }
    sources = []
    hangUpWatch = nil
  }
}
