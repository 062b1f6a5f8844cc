import Foundation
import Harmony
import HarmonyInspection
import LarderModel
import LarderStores

/// Sends arbitrary data to both ends of the inspection protocol.
///
/// Nothing may trap, the server must keep answering other clients, and the client must finish. The
/// first byte of an input selects how the rest is sent: raw, as one message, or as one message per
/// line.
package enum InspectionExercise {
  /// A violation of the protocol.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private static let greeting = Array("HINS".utf8) + [0, 1, 0, 3]

  private static let folder: String = {
    let path = "/tmp/inspect-" + UUID().uuidString.prefix(12)
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }()

  // MARK: The server

  private struct Shown {
    let inspector: Inspector
    let path: String
    let texts: TimedCacheDataSource<String, InMemoryDataSource<String>>
    let numbers: InMemoryDataSource<[Int]>
    let blobs: InMemoryDataSource<Data>
  }

  private static let shown: Shown? = {
    let path = folder + "/server.sock"
    let limits = InspectionLimits(messageSize: 1 << 20, patience: 10)
    guard let inspector = try? Inspector(socket: path, limits: limits) else { return nil }
    let shown = Shown(
      inspector: inspector, path: path, texts: TimedCacheDataSource(InMemoryDataSource<String>()),
      numbers: InMemoryDataSource<[Int]>(), blobs: InMemoryDataSource<Data>())
    inspector.expose(shown.texts, as: "texts", isWritable: true)
    inspector.expose(shown.numbers, as: "numbers", isWritable: true)
    inspector.expose(shown.blobs, as: "blobs")
    return shown
  }()

  /// Sends data to a process that exposes its sources.
  package static func server(_ bytes: [UInt8]) throws(Failure) {
    guard let shown else { throw Failure(description: "nothing can listen at \(folder)") }
    fill(shown)
    guard let peer = RawSocket.connected(to: shown.path) else {
      throw Failure(description: "connections are refused")
    }
    let rest = bytes.dropFirst()
    switch (bytes.first ?? 0) % 3 {
    case 0:
      peer.send(rest)
      shutdown(peer.number, Int32(SHUT_WR))
      // The server must close the connection eventually.
      while true {
        switch peer.receive(65_536) {
        case .bytes: continue
        case .end: break
        case .nothingInTime: throw Failure(description: "it is held open")
        }
        break
      }
    case 1:
      peer.send(greeting)
      peer.send(message: rest)
      try askAfter(peer)
    default:
      peer.send(greeting)
      for line in rest.split(separator: UInt8(ascii: "\n")).prefix(12) { peer.send(message: line) }
      try askAfter(peer)
    }
  }

  /// Checks that a well-formed request is still answered after any other messages.
  private static func askAfter(_ peer: RawSocket) throws(Failure) {
    peer.send(message: Array(#"{"id":77,"action":"sources"}"#.utf8))
    guard peer.bytes(8) != nil else { throw Failure(description: "a greeting is not answered") }
    let wanted = Array(#""id":77"#.utf8)
    while let message = peer.message() {
      if message.firstRange(of: wanted) != nil { return }
    }
    throw Failure(description: "a question after others is not answered")
  }

  /// Fills the sources with a fixed set of entries.
  private static func fill(_ shown: Shown) {
    shown.texts.evictAll()
    for source in ["a", "b"] {
      _ = shown.texts.put(source, in: IdQuery(source))
      _ = shown.numbers.put([1, 2], in: IdQuery(source))
    }
    if shown.numbers.keys.count > 64 { _ = shown.numbers.delete(AllObjectsQuery()) }
    _ = shown.texts.putAll(["1", "2"], in: IdQuery("list"))
    _ = shown.blobs.put(Data([0, 255]), in: IdQuery("a"))
  }

  // MARK: The client

  /// The data to send to the next client.
  private static let script = Locked<[UInt8]>([])

  private static let listener: String? = {
    let path = folder + "/client.sock"
    guard let socket = RawSocket.listening(at: path) else { return nil }
    Thread.detachNewThread {
      while let peer = socket.accepted() {
        let script = script.withLock { $0 }
        Thread.detachNewThread { answer(peer, script) }
      }
    }
    return path
  }()

  private static func answer(_ peer: RawSocket, _ script: [UInt8]) {
    guard peer.bytes(8) != nil else { return }
    let rest = script.dropFirst()
    switch (script.first ?? 0) % 3 {
    case 0: peer.send(rest)
    case 1:
      peer.send(Array("HINS".utf8) + [0, 3, 0, 0])
      _ = peer.message()
      peer.send(message: rest)
    default:
      peer.send(Array("HINS".utf8) + [0, 3, 0, 0])
      // Each line answers one request and gets the number of that request.
      for (number, line) in rest.split(separator: UInt8(ascii: "\n")).enumerated() {
        guard peer.message() != nil else { return }
        peer.send(message: Array(#"{"id":\#(number + 1),"#.utf8) + Array(line))
      }
    }
  }

  /// Sends data to a client as its answers.
  package static func client(_ bytes: [UInt8]) async throws(Failure) {
    guard let path = listener else { throw Failure(description: "nothing can listen at \(folder)") }
    script.withLock { $0 = bytes }
    let client = InspectionClient(socket: path, timeLimit: 20, sizeLimit: 1 << 20)
    let source = client.source("texts")
    _ = try? await client.sources().getCancelling()
    _ = try? await source.entries(KeySelection(), preview: 10).getCancelling()
    _ = try? await source.entry("a").getCancelling()
    _ = try? await source.getKeys(AllObjectsQuery()).getCancelling()
    _ = try? await source.expire("a", in: 1).getCancelling()
    _ = try? await source.exchange(
      "a", for: .init(.text("a"), stored: 1, expires: 2), expecting: .nothing
    ).getCancelling()
    _ = try? await source.statistics().getCancelling()
    _ = try? await source.get(IdQuery("a")).getCancelling()
    // The browser's own client code, which computes with the received values.
    await browse("unix:" + path)
  }

  private static func browse(_ location: String) async {
    let options = OpenOptions(busyTimeout: .seconds(20))
    guard let open = try? await Stores.open(location, options: options),
      let store = try? await open.store(open.collections.first?.name)
    else { return }
    let source = store.source
    for detail in [EntryPageQuery.Detail.keys, .summary, .values] {
      _ = try? await source.getAll(EntryPageQuery(limit: 600, detail: detail)).getCancelling()
    }
    let sorted = EntryPageQuery(order: EntryOrder(.expires), limit: 5, detail: .summary)
    _ = try? await source.getAll(sorted).getCancelling()
    _ = try? await source.get(CountQuery(measures: true)).getCancelling()
    _ = try? await source.get(EntryQuery(.text("a"))).getCancelling()
    _ = try? await store.cache?.backing(.text("a"))
    _ = try? await store.cache?.tally()
    if let entry = try? await source.get(EntryQuery(.text("a"))).getCancelling() {
      let held = CachedValue(entry)
      let exchange = CacheExchange(entry.key, expecting: held, new: held)
      _ = try? await store.cache?.exchange([exchange]) { _ in }
    }
  }
}
