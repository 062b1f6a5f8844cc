import LarderModel

extension Subcommand {
  static let completions = Subcommand(
    name: "completions",
    usage: [
      .word(
        CompletionScript.all.map(\.shell).joined(separator: "|"),
        .choices(CompletionScript.all.map(\.shell)))
    ],
    summary: "print a shell completion script"
  ) { arguments, output in
    try arguments.expect(atMost: 1)
    let shells = CompletionScript.all.map(\.shell)
    guard let shell = arguments.words.first else { throw Failure.missingShell(shells) }
    guard let script = CompletionScript.all.first(where: { $0.shell == shell }) else {
      throw Failure.unknownShell(shell, shells)
    }
    output.write(script.text)
    output.flush()
    return .done
  }
}

/// A shell script that makes the shell ask larder for completions.
struct CompletionScript {
  /// The name of the shell.
  let shell: String
  /// The script.
  let text: String

  static let all = [bash, zsh, fish]

  private static let bash = CompletionScript(
    shell: "bash",
    text: #"""
      # Completion of larder for bash. In ~/.bashrc: source <(larder completions bash)
      _larder() {
        local line
        COMPREPLY=()
        while IFS= read -r line; do
          COMPREPLY+=("$line")
        done < <(larder --complete bash "$COMP_LINE" "$COMP_POINT" "$COMP_WORDBREAKS" 2> /dev/null)
        # A word that ends so goes on.
        if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[/:=] ]]; then
          compopt -o nospace
        fi
      }
      complete -F _larder larder

      """#)

  private static let zsh = CompletionScript(
    shell: "zsh",
    text: #"""
      #compdef larder
      # Completion of larder for zsh. In ~/.zshrc, after compinit: source <(larder completions zsh)
      _larder() {
        local -a ended endedHelp open openHelp
        local text help
        while IFS=$'\t' read -r text help; do
          if [[ $text == *[/:=] ]]; then
            open+=("$text")
            openHelp+=("$text${help:+  -- $help}")
          else
            ended+=("$text")
            endedHelp+=("$text${help:+  -- $help}")
          fi
        done < <(larder --complete words "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2> /dev/null)
        (( ${#ended} )) && compadd -d endedHelp -a ended
        (( ${#open} )) && compadd -S '' -d openHelp -a open
      }
      if [[ $funcstack[1] == _larder ]]; then _larder "$@"; else compdef _larder larder; fi

      """#)

  private static let fish = CompletionScript(
    shell: "fish",
    text: #"""
      # Completion of larder for fish. In ~/.config/fish/config.fish: larder completions fish | source
      function __larder_complete
        set -l before (commandline -opc)
        set -e before[1]
        set -l typed (commandline -ct)
        larder --complete fish $before "$typed" 2> /dev/null
      end
      complete -c larder -f -a '(__larder_complete)'

      """#)
}
