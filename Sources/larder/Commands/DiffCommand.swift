import LarderDocuments
import Harmony
import LarderModel
import LarderOperations
import LarderStores

extension Subcommand {
  static let diff = Subcommand(
    name: "diff",
    usage: [
      .word("OLD", .location), .word("NEW", .location), .optional(.prefix),
      .optional(.json),
    ],
    summary: "compare two stores, or a store with an export",
    isPaged: true,
    examples: [
      Example(
        "Show what an upgrade changed:",
        "larder export app.plist > old; …; larder diff old app.plist")
    ]
  ) { arguments, output in
    try arguments.expect(atMost: 2)
    let old = try await ComparedSide(arguments, at: 0)
    let new = try await ComparedSide(arguments, at: 1)
    guard !(old.isStream && new.isStream) else {
      throw Failure.twoStreams
    }
    let task = LongTask("compared", arguments)
    defer { task.end() }
    task.endsAtOnce()
    var command = DiffCommand(old, new, isJSON: arguments.has(.json), task.progress)
    return try await command.run(output)
  }
}

/// `larder diff`: compares two sides by reading both in key order.
struct DiffCommand {
  private let old: ComparedSide
  private let new: ComparedSide
  private let isJSON: Bool
  private let progress: Progress
  private let style: KeyStyle
  private var counts: [EntryDifference.Change: Int] = [:]
  private var same = 0
  private var unreadable = NameList()

  init(_ old: ComparedSide, _ new: ComparedSide, isJSON: Bool, _ progress: Progress) {
    self.old = old
    self.new = new
    self.isJSON = isJSON
    self.progress = progress
    let styles = [old, new].map { $0.store?.keyStyle ?? .typed }
    style = styles.contains(.typed) ? .typed : .text
  }

  mutating func run(_ output: Output) async throws -> ExitCode {
    let progress = progress
    try await EntryComparison(old, new).run { stage in
      switch stage {
      case .reading(let count): progress.set(count, as: "read")
      case .comparing(let count): progress.set(count, as: "compared")
      }
    } _: { outcome in
      switch outcome {
      case .same: same += 1
      case .differs(let difference): print(difference.change, output, forms: difference.forms)
      case .unreadable(let key, let reason): unreadable.add(unreadable: key, style, reason)
      }
    }
    progress.clear()
    output.flush()
    return report()
  }

  // MARK: Output

  private mutating func print(
    _ difference: EntryDifference, _ output: Output, forms: (old: String?, new: String?)? = nil
  ) {
    counts[difference.change, default: 0] += 1
    if isJSON {
      output.plainLine(DifferenceLine.json(difference, style, forms: forms))
    } else {
      let kept =
        forms.map {
          "  (\($0.old ?? Messages.usualForm) → \($0.new ?? Messages.usualForm))"
        } ?? ""
      output.line(DifferenceLine.text(difference, style) + kept)
    }
    // Differences can be rare, so the status line is shown between them.
    if output.isTerminal { StatusLine.aside(output.flush) }
  }

  private func report() -> ExitCode {
    let parts = [EntryDifference.Change.removed, .added, .changed].compactMap { change in
      counts[change].map { "\($0) \(change.rawValue)" }
    }
    if !parts.isEmpty { Output.complain(Messages.differences(parts, same: same)) }
    guard unreadable.count == 0 else {
      Output.complain(Messages.notCompared(unreadable))
      return .store
    }
    return parts.isEmpty ? .done : .nothing
  }
}
