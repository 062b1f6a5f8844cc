import Foundation
import Harmony

/// The loop that serves clients on one thread, which never blocks on a client or a source.
struct InspectionLoop {
  private let socket: ListeningSocket
  private let alarm: Alarm
  private let hub: InspectionHub
  private var peers: [Int: InspectionPeer] = [:]
  private var lastNumber = 0
  /// The time to accept connections again after the system ran out of descriptors.
  private var pause: Double?

  init(_ socket: ListeningSocket, _ alarm: Alarm, _ hub: InspectionHub) {
    self.socket = socket
    self.alarm = alarm
    self.hub = hub
  }

  private var limits: InspectionLimits { hub.limits }

  /// Runs until the hub is closed.
  mutating func run() {
    while let answers = hub.takeAnswers() {
      for answer in answers { take(answer) }
      for number in Array(peers.keys) { flush(number) }
      wait()
    }
    for peer in peers.values { peer.tasks.values.forEach { $0.cancel() } }
    socket.close()
  }

  private var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

  /// Waits for events and handles them.
  private mutating func wait() {
    let listed = peers.values.sorted { $0.number < $1.number }
    let isOpen = peers.count < limits.connections && (pause ?? 0) <= now
    var waits = [
      pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isOpen ? socket.descriptor.number : -1, events: Int16(POLLIN), revents: 0),
    ]
    for peer in listed {
      let events =
        (peer.isReadable(limits) ? Int16(POLLIN) : 0)
        | (peer.outgoing.isEmpty ? 0 : Int16(POLLOUT))
      waits.append(pollfd(fd: peer.descriptor.number, events: events, revents: 0))
    }
    guard poll(&waits, nfds_t(waits.count), patience) >= 0 else { return }
    if waits[0].revents != 0 { alarm.reset() }
    if waits[1].revents != 0 { accept() }
    for (peer, wait) in zip(listed, waits.dropFirst(2)) where wait.revents != 0 {
      if wait.revents & Int16(POLLIN) != 0 {
        read(peer.number)
      } else if wait.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 {
        remove(peer.number)
      }
    }
    dismiss(at: now)
  }

  /// Disconnects clients that have missed their deadlines.
  private mutating func dismiss(at now: Double) {
    for peer in peers.values where (peer.deadline ?? .infinity) <= now { remove(peer.number) }
  }

  /// The time to wait in milliseconds; -1 for no limit.
  private var patience: Int32 {
    let first = (peers.values.compactMap(\.deadline) + [pause].compactMap { $0 }).min()
    guard let first else { return -1 }
    return Int32(min(max((first - now) * 1_000, 0).rounded(.up), 1e9))
  }

  private mutating func accept() {
    pause = nil
    let number = Foundation.accept(socket.descriptor.number, nil, nil)
    guard number >= 0 else {
      // The pending connection would be reported again immediately.
      if errno == EMFILE || errno == ENFILE || errno == ENOMEM { pause = now + 1 }
      return
    }
    let descriptor = Descriptor(number)
    // Child processes must not inherit the descriptor.
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    guard (try? descriptor.stopWaiting()) != nil,
      (try? descriptor.checkPeer(isClient: false)) != nil
    else {
      return
    }
    lastNumber += 1
    peers[lastNumber] = InspectionPeer(lastNumber, descriptor, limits, now: now)
  }

  private mutating func read(_ number: Int) {
    guard var peer = peers[number] else { return }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(peer.descriptor.number, &buffer, buffer.count, 0)
    guard count > 0 else {
      if count == 0 || (errno != EAGAIN && errno != EINTR) { remove(number) }
      return
    }
    let (isGreeted, tasks) = (peer.greeting == nil, peer.taskNumber)
    do {
      try greet(&peer, buffer[..<count])
      peers[number] = peer
      try answer(number)
    } catch {
      remove(number)
    }
    // A few bytes do not extend the deadline; otherwise a client could send one at a time forever.
    update(
      number,
      hasMoved: isGreeted != (peer.greeting == nil) || tasks != peers[number]?.taskNumber)
  }

  /// Adds bytes that have arrived, starting with the greeting.
  private func greet(
    _ peer: inout InspectionPeer, _ bytes: ArraySlice<UInt8>
  ) throws(InspectionError) {
    guard let greeting = peer.greeting else { return peer.messages.append(bytes) }
    let all = greeting + bytes
    guard all.count >= InspectionVersion.size else {
      peer.greeting = all
      return
    }
    let (reply, version) = try InspectionVersion.answer(Data(all.prefix(InspectionVersion.size)))
    peer.greeting = nil
    peer.outgoing.append(reply)
    peer.isLeaving = version == nil
    peer.messages.append(all.dropFirst(InspectionVersion.size))
  }

  /// Starts processing the messages of a client, up to the limit.
  private mutating func answer(_ number: Int) throws(InspectionError) {
    while var peer = peers[number], peer.isReadable(limits), let message = try peer.messages.next()
    {
      defer { peers[number] = peer }
      peer.taskNumber += 1
      let (task, hub) = (peer.taskNumber, self.hub)
      peer.tasks[task] = Task(executorPreference: peer.queue) {
        let answer = await hub.answer(message)
        hub.send(InspectionHub.Answer(peer: number, task: task, message: answer))
      }
    }
  }

  /// Queues an answer for a client, which may have disconnected.
  private mutating func take(_ answer: InspectionHub.Answer) {
    let number = answer.peer
    guard peers[number] != nil else { return }
    peers[number]?.tasks[answer.task] = nil
    peers[number]?.outgoing.append(answer.message)
    // Processes messages that arrived while the limit was reached.
    do {
      try self.answer(number)
    } catch {
      remove(number)
    }
  }

  private mutating func flush(_ number: Int) {
    guard var peer = peers[number] else { return }
    let hasMoved = peer.flush()
    peers[number] = peer
    guard let hasMoved else { return remove(number) }
    if peer.isLeaving, peer.outgoing.isEmpty { return remove(number) }
    update(number, hasMoved: hasMoved)
  }

  /// Updates the deadline of a client.
  private mutating func update(_ number: Int, hasMoved: Bool) {
    guard var peer = peers[number] else { return }
    if !peer.isAwaited(limits) {
      peer.deadline = nil
    } else if hasMoved || peer.deadline == nil {
      peer.deadline = now + limits.patience
    }
    peers[number] = peer
  }

  private mutating func remove(_ number: Int) {
    peers.removeValue(forKey: number)?.tasks.values.forEach { $0.cancel() }
  }
}
