/** Turns yargs' messages about a mistyped command line into helpful ones. */
import { UsageError } from '../errors.ts';

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

/**
 * The known name that was most likely meant: at most two letters off (one in short words), or one that it is a
 * part of (`--rate` → `--max-rate`). Undefined if nothing is close.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const typed = word.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  const allowed = typed.length <= 4 ? 1 : 2;
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const name of known) {
    const distance = editDistance(typed, name);
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best ?? (typed.length >= 3 ? known.find((name) => name.split('-').includes(typed)) : undefined);
}

/** Letters to add, drop, change or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
