import LarderModel
import Foundation
import Harmony
import LarderBrowser
import LarderStores

extension Subcommand {
  static let watch = Subcommand(
    name: "watch", usage: [.location, .optional(.prefix), .optional(.json)],
    summary: "report changes made by other programs"
  ) { arguments, output in
    try arguments.expect(atMost: 1)
    return try await WatchCommand(OpenedLocation(arguments), arguments).run(output)
  }
}

/// `larder watch`: reports changes by other programs as they happen.
struct WatchCommand {
  private let location: OpenedLocation
  private let prefix: String
  private let isJSON: Bool
  /// The maximum duration of the last read after a signal, in seconds.
  private static let patience = 5.0

  init(_ location: OpenedLocation, _ arguments: Arguments) {
    self.location = location
    prefix = arguments[.prefix] ?? ""
    isJSON = arguments.has(.json)
  }

  /// Runs until a signal arrives or watching fails for good.
  func run(_ output: Output) async throws -> ExitCode {
    let store = location.store
    guard store.capabilities.contains(.changeFeed) else {
      throw Failure.notWatchable(store)
    }
    let doubt = location.doubt(Messages.expiriesNotReported)
    let stop = Future<Int32>()
    let interruption = Interruption()
    // There is nothing to report before the first read ends, which may never happen.
    interruption?.react { exit(Interruption.code(of: $0).rawValue) }
    var watcher = StoreWatcher(
      store, prefix: prefix,
      expires: { [location] in doubt == nil ? location.timed($0).expires : nil },
      sleep: { try await Task.sleep(for: $0) }, stop: stop)
    let extent = try await watcher.begin()
    interruption?.react { signal in
      // Changes made before the signal are still reported, if they can be read soon.
      stop.set(signal)
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) {
        Output.close(patience: 0.3)
        exit(Interruption.code(of: signal).rawValue)
      }
    }
    switch extent {
    case .entries(let count):
      Output.complain(Messages.watching(count, of: store.location))
    case .more(let count):
      Output.complain(Messages.watchingLargeStore(store.location, maximum: count))
    }
    if let doubt { Output.complain(doubt) }
    if let limitation = watcher.limitation { Output.complain(limitation) }
    while true {
      let isUnnamed = try await watcher.next { error in
        Output.complain(Messages.notReread(error))
      } _: { difference in
        output.line(
          isJSON
            ? DifferenceLine.json(difference, store.keyStyle)
            : DifferenceLine.text(difference, store.keyStyle))
        output.flush()
      }
      if isUnnamed {
        output.line(isJSON ? #"{"change":"unknown"}"# : Messages.unknownChange)
      }
      output.flush()
      if let signal = interruption?.signal { return Interruption.code(of: signal) }
    }
  }
}
