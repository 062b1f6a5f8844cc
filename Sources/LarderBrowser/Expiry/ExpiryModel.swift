package import Foundation
package import LarderModel
import LarderFormats
import LarderOperations

/// A prompt for the expiry of entries.
package struct ExpiryModel: PromptWork {
  /// The store of the entries.
  package var store: StoreReference
  /// The keys of the entries, which are ignored if there is a prefix.
  package var keys: [EntryKey]
  /// The prefix of the keys of all entries to change.
  package var prefix: String?
  /// The fingerprints of the entries as displayed, if they had been read.
  package var fingerprints: [EntryKey: Fingerprint]
  /// The name of the entries for messages.
  package var title: String
  /// The current time once it is known, for displaying the resulting expiry.
  package var now: Date?
  /// The reason to doubt the expiry, as a clause, or `nil` if there is none.
  package var doubt: String?
  /// Whether the prompt is for more than one entry.
  var isOfSeveral: Bool { prefix != nil || keys.count > 1 }
  /// The reason that the expiry cannot be set, as far as it is known.
  package var problem: String?
  /// The token of the change in progress.
  package var running: Int?

  package var label: String { Messages.Label.expires }
  var progress: String { Messages.writing }

  func plan(for line: PromptModel) -> PromptModel.Notice {
    let wanted = ExpiryText(line.buffer.text).map {
      Messages.plan(title, $0.spoken + moment(of: $0))
    }
    let question = Messages.askExpiry(title, isOfSeveral: isOfSeveral)
    let doubt = doubt.map(Messages.note) ?? ""
    return PromptModel.Notice(text: (wanted ?? question) + doubt, isDangerous: self.doubt != nil)
  }

  /// Returns the date that a duration results in, as the rest of a sentence.
  private func moment(of text: ExpiryText) -> String {
    guard let now, let moment = text.date(from: now) else { return "" }
    switch text {
    case .at: return moment <= now ? Messages.isPast : ""
    case .after(let duration) where duration > .zero:
      return Messages.moment(moment)
    default: return ""
    }
  }

  package func submit(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.setExpiry()
  }

  package func left(_ line: PromptModel, in state: inout BrowserState) -> Effects {
    state.say(Messages.nothing("written"))
    return []
  }
}
