/** Turns yargs' messages about a mistyped command line into helpful ones. */
import { UsageError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { byHand, message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';

/**
 * @param text the message of yargs, in English
 * @param help help of the recognised command: its usage line and every flag it takes
 * @param argv as typed
 */
export function describeMistake(text: string, help: string, argv: readonly string[]): UsageError {
  const usage = help.split('\n', 1)[0] ?? '';
  const command = usage.replace(/ *[<[].*$/, '').trim();
  const remedy = byHand('usage_is', {
    usage,
    help: `${command} --help`,
    hasCommands: /^Commands:/m.test(help),
  });
  const mistake = (said: Message) => new UsageError('usage', said, { actions: [remedy] });

  const meant = /^Did you mean (.+)\?$/.exec(text)?.[1];
  if (meant !== undefined) return mistake(message('no_such_command', { meant }));
  // Check this first: an unknown flag swallows the next word, which then seems to be missing.
  const flags = namesOfFlags(help);
  const unknownFlags = argv
    .slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length)
    .map((word) => /^--([^=]+)/.exec(word)?.[1])
    .filter((name) => name !== undefined && !flags.includes(name)) as string[];
  if (unknownFlags.length > 0)
    return mistake(
      message('several_mistakes', { problems: unknownFlags.map((name) => unknownFlag(name, flags)) }),
    );
  const unknown = /^Unknown (?:argument|command)s?: (.+)$/.exec(text)?.[1];
  if (unknown !== undefined) return mistake(message('unknown_argument', { argument: unknown }));
  if (text.startsWith('Not enough non-option arguments'))
    return mistake(message('needs_arguments', { command }));
  const incomplete = /^Not enough arguments following: (.+)$/.exec(text)?.[1];
  if (incomplete !== undefined) return mistake(message('needs_value', { option: `--${incomplete}` }));
  const choice = /Argument: (.+), Given: "(.*)", Choices: (.+)/.exec(text);
  if (choice !== null) {
    const [, name = '', given = '', choices = ''] = choice;
    const words = choices.split(', ').map((word) => word.replaceAll('"', ''));
    const near = nearest(given, words);
    return mistake(
      message('bad_choice', { option: name, given, words, ...(near === undefined ? {} : { near }) }),
    );
  }
  return mistake(message('verbatim', { text: text.trim() }));
}

/** A flag is at the start of a line; wrapped lines are descriptions. */
function namesOfFlags(help: string): string[] {
  return [...help.matchAll(/^\s+(?:-\w, )?--([\w-]+)/gm)].map((match) => match[1] ?? '');
}

function unknownFlag(name: string, flags: readonly string[]): Message {
  const near = nearest(name, flags);
  return message('no_such_flag', {
    option: `--${name}`,
    ...(near === undefined ? {} : { meant: `--${near}` }),
  });
}
