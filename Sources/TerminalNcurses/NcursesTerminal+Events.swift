import CNcurses
import Dispatch
import Glibc
import TerminalUI

extension NcursesTerminal {
  /// Calls a function on the main actor whenever a descriptor is readable.
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

  /// Reads the available input and reports its events.
  func readInput() {
    guard receive != nil, let window else { return }
    var tokens: [InputToken] = []
    var hasRead = false
    while true {
      // The result is a byte, or a key code that does not fit into one.
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

  /// Whether the input has ended.
  private var isInputClosed: Bool {
    var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, 0) > 0 else { return false }
    var waiting: Int32 = 0
    guard ioctl(input, UInt(FIONREAD), &waiting) == 0 else { return true }
    return waiting == 0
  }

  /// Handles the signals that have arrived.
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

  /// Takes control of the terminal again after the process was stopped by another program and the
  /// shell used the terminal.
  private func reassert() {
    guard let last = painter?.shown, window != nil else { return }
    endwin()
    painter?.forget()
    if description.takesControlSequences { write(ControlSequence.inputOn) }
    present(last)
    TerminalGuard.notify(SIGWINCH)
  }

  /// Reports the end and stops listening.
  func close(_ reason: TerminalEvent.CloseReason) {
    guard let receive, !isClosed else { return }
    isClosed = true
    if reason == .hangUp { TerminalGuard.noteHangUp() }
    stopListening()
    receive(.closed(reason))
  }

  /// Cancels all sources of events.
  func stopListening() {
    for source in sources { source.cancel() }
    sources = []
    hangUpWatch = nil
  }
}
