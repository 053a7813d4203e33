/** Turns yargs' messages about a mistyped command line into helpful ones. */
import { UsageError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';

/**
 * @param message yargs' own, in English
 * @param help of the command that was recognised: its usage line and every flag it takes
 * @param argv as typed
 */
export function describeMistake(message: string, help: string, argv: readonly string[]): UsageError {
  const usage = help.split('\n', 1)[0] ?? '';
  const command = usage.replace(/ *[<[].*$/, '').trim();
  const all = /^Commands:/m.test(help) ? 'commands and flags' : 'flags';
  const remedy = `Usage: ${usage}\n  All ${all}: ${command} --help`;
  const mistake = (text: string) => new UsageError('usage', text, { remedy });

  const meant = /^Did you mean (.+)\?$/.exec(message)?.[1];
  if (meant !== undefined) return mistake(`There is no such command. Did you mean ${meant}?`);
  // Check this first: an unknown flag swallows the next word, which then seems to be missing.
  const flags = namesOfFlags(help);
  const unknownFlags = argv
    .slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length)
    .map((word) => /^--([^=]+)/.exec(word)?.[1])
    .filter((name) => name !== undefined && !flags.includes(name)) as string[];
  if (unknownFlags.length > 0)
    return mistake(unknownFlags.map((name) => unknownFlag(name, flags)).join('\n'));
  const unknown = /^Unknown (?:argument|command)s?: (.+)$/.exec(message)?.[1];
  if (unknown !== undefined) return mistake(`Unknown argument: ${unknown}.`);
  if (message.startsWith('Not enough non-option arguments'))
    return mistake(`${command} needs more arguments.`);
  const incomplete = /^Not enough arguments following: (.+)$/.exec(message)?.[1];
  if (incomplete !== undefined) return mistake(`--${incomplete} needs a value.`);
  const choice = /Argument: (.+), Given: "(.*)", Choices: (.+)/.exec(message);
  if (choice !== null) {
    const [, name = '', given = '', choices = ''] = choice;
    const words = choices.split(', ').map((word) => word.replaceAll('"', ''));
    const near = nearest(given, words);
    const hint = near === undefined ? '' : `. Did you mean ${near}?`;
    return mistake(`${name} is "${given}", expected ${words.join(', ')}${hint}`);
  }
  return mistake(message.trim());
}

/** A flag is at the start of a line; wrapped lines are descriptions. */
function namesOfFlags(help: string): string[] {
  return [...help.matchAll(/^\s+(?:-\w, )?--([\w-]+)/gm)].map((match) => match[1] ?? '');
}

function unknownFlag(name: string, flags: readonly string[]): string {
  const near = nearest(name, flags);
  return `There is no flag --${name} here.${near === undefined ? '' : ` Did you mean --${near}?`}`;
}
