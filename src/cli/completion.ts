/**
 * `cms completion SHELL`: a script by which a shell completes commands, options and their values. It is printed from the declarations
 * that `--help` is printed from.
 */
import { table } from '../kernel/model/maps.ts';
import type { Command, Option } from 'commander';
import { examples } from './flags.ts';
import type { Io } from './io.ts';

/** One command as shells see it. */
interface Word {
  /** Words before it, `cms` left out; '' is `cms` itself. */
  readonly path: string;
  readonly commands: readonly Described[];
  readonly options: readonly Described[];
  /** Values of options, and of the first argument; null: files. */
  readonly values: Readonly<Record<string, readonly string[] | null>>;
  readonly arguments: readonly string[];
}

interface Described {
  readonly name: string;
  readonly about: string;
}

type Shell = (words: readonly Word[]) => string;

const shells: Readonly<Record<string, Shell>> = table({ bash, zsh, fish });

/** @param load  the whole program, each command with its options */
export function defineCompletion(command: Command, io: Io, load: () => Promise<Command>): void {
  command
    .addArgument(command.createArgument('<shell>', 'the shell that completes').choices(Object.keys(shells)))
    .action(async (shell: string) => io.out((shells[shell] as Shell)(wordsOf(await load()))));
  examples(
    command,
    'cms completion bash > ~/.local/share/bash-completion/completions/cms',
    'cms completion zsh > "$fpath[1]/_cms"',
    'cms completion fish > ~/.config/fish/completions/cms.fish',
  );
}

function wordsOf(command: Command, path = ''): readonly Word[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = help.visibleOptions(command).filter(({ long }) => long);
  const [first] = command.registeredArguments;
  const word: Word = {
    path,
    commands: commands.map((one) => ({ name: one.name(), about: one.description() })),
    options: options.map(({ long, description }) => ({ name: long as string, about: description })),
    values: Object.fromEntries(options.filter(({ required, optional }) => required || optional).flatMap(valuesOf)),
    arguments: first?.argChoices ?? [],
  };
  const below = commands.filter((one) => one.name() !== 'help').flatMap((one) => wordsOf(one, `${path} ${one.name()}`.trim()));
  return [word, ...below];
}

function valuesOf({ long, short, argChoices }: Option): [string, readonly string[] | null][] {
  return [long, short].flatMap((name) => (name ? [[name, argChoices ?? null] as [string, readonly string[] | null]] : []));
}

/** Names of the program alone: nothing here has a quote. */
const quoted = (words: readonly string[]): string => `'${words.join(' ')}'`;

function offered({ commands, options, arguments: given }: Word): string {
  return quoted([...commands, ...options].map(({ name }) => name).concat(given));
}

/** Rows of a `case` by command, and by command and option. */
function cases(
  words: readonly Word[],
  indent: string,
): { readonly paths: string; readonly words: string; readonly values: string } {
  const rows = (lines: readonly string[]): string => lines.map((line) => `${indent}${line} ;;`).join('\n');
  const options = words.flatMap(({ path, values }) =>
    Object.entries(values).map(([name, list]) => [`${path} ${name}`.trim(), list] as const),
  );
  return {
    paths: words.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`])).join('|'),
    words: rows(words.map((word) => `'${word.path}') words=${offered(word)}`)),
    values: rows(options.map(([name, list]) => `'${name}') ${list === null ? 'files=1' : `values=${quoted(list)}`}`)),
  };
}

function bash(words: readonly Word[]): string {
  const { paths, words: offers, values } = cases(words, '    ');
  return `# Completion of cms for bash, printed by: cms completion bash
_cms() {
  local cur=\${COMP_WORDS[COMP_CWORD]} path='' word i words='' values='' files=
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${path:+$path }\${COMP_WORDS[i]}"
    case "$word" in
    ${paths}) path=$word ;;
    esac
  done
  case "\${path:+$path }\${COMP_WORDS[COMP_CWORD - 1]}" in
${values}
  esac
  if [[ -n $values ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$cur"))
    return
  fi
  if [[ -z $files ]]; then
    case "$path" in
${offers}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    [[ \${#COMPREPLY[@]} -gt 0 || -z $path ]] && return
  fi
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}
complete -F _cms cms`;
}

function zsh(words: readonly Word[]): string {
  const { paths, words: offers, values } = cases(words, '    ');
  return `#compdef cms
# Completion of cms for zsh, printed by: cms completion zsh
_cms() {
  local at='' word words_='' values='' files=
  local -i i
  for ((i = 2; i < CURRENT; i++)); do
    word="\${at:+$at }\${words[i]}"
    case "$word" in
    ${paths}) at=$word ;;
    esac
  done
  case "\${at:+$at }\${words[CURRENT - 1]}" in
${values}
  esac
  if [[ -n $values ]]; then
    compadd -- \${=values}
    return
  fi
  if [[ -z $files ]]; then
    case "$at" in
${offers.replaceAll(' words=', ' words_=')}
    esac
    compadd -- \${=words_} && [[ -n $PREFIX || -z $at ]] && return
    [[ -z $at ]] && return
  fi
  _files
}
if [[ $funcstack[1] == _cms ]]; then _cms "$@"; else compdef _cms cms; fi`;
}

function fish(words: readonly Word[]): string {
  const text = (about: string): string => `'${about.replace(/[\\']/g, '\\$&')}'`;
  const lines = words.flatMap(({ path, commands, options, values, arguments: given }) => {
    const at = `complete -c cms -n "__cms_at '${path}'"`;
    return [
      ...commands.map(({ name, about }) => `${at} -f -a ${name} -d ${text(about)}`),
      ...options.map(({ name, about }) => {
        const list = values[name];
        const takes = list === undefined ? '' : list === null ? ' -r' : ` -x -a ${quoted(list)}`;
        return `${at} -l ${name.slice(2)}${takes} -d ${text(about)}`;
      }),
      ...(given.length === 0 ? [] : [`${at} -f -a ${quoted(given)}`]),
    ];
  });
  const paths = words.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`])).join(' ');
  return `# Completion of cms for fish, printed by: cms completion fish
function __cms_at --argument-names wanted
  set -l path ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$path $word")
    contains -- "$next" ${paths}; and set path $next
  end
  test "$path" = "$wanted"
end
${lines.join('\n')}`;
}
