/** The flags of the commands from flags.generated.ts: for the parser, for --help, and as types. */
import type { Argv } from 'yargs';
import { FLAGS, GLOBAL_FLAGS, GROUPS } from './flags.generated.ts';

/** A flag in the generated file. */
export interface FlagSpec {
  type?: 'string' | 'number' | 'boolean';
  choices?: readonly string[];
  describe: string;
  group: (typeof GROUPS)[number];
  positional?: true;
  array?: true;
  repeatable?: true;
  demandOption?: true;
  default?: string | number;
}

type Single<F> = F extends { choices: readonly (infer C)[] }
  ? C
  : F extends { type: 'number' }
    ? number
    : F extends { type: 'boolean' }
      ? boolean
      : string;
type Value<F> = F extends { array: true }
  ? Single<F>[]
  : F extends { repeatable: true }
    ? Single<F> | Single<F>[]
    : Single<F>;
type Given<S> = {
  [K in keyof S as S[K] extends { demandOption: true } ? K : never]: Value<S[K]>;
} & { [K in keyof S as S[K] extends { demandOption: true } ? never : K]?: Value<S[K]> };

export type Command = keyof typeof FLAGS;
/** The global flags as parsed. */
export type GlobalFlags = Given<typeof GLOBAL_FLAGS>;
/** The flags and words of a command as parsed. */
export type FlagsOf<C extends Command> = GlobalFlags & Given<(typeof FLAGS)[C]>;

/** Replaces a `-` that stands for a file, because the parser drops a `-` that belongs to no flag. */
export const STDIN_WORD = '/dev/stdin';

/** The words of the command line, with each `-` that is not a flag's value replaced. */
export function withStdinNamed(argv: readonly string[]): string[] {
  if (!argv.includes('-')) return [...argv];
  const all: Readonly<Record<string, FlagSpec>>[] = [GLOBAL_FLAGS, ...Object.values(FLAGS)];
  const takesValue = (word: string | undefined) => {
    const spec = word?.startsWith('--') === true ? all.map((flags) => flags[word.slice(2)]) : [];
    return spec.some((each) => each !== undefined && each.type !== 'boolean' && each.positional !== true);
  };
  return argv.map((word, at) => (word === '-' && !takesValue(argv[at - 1]) ? STDIN_WORD : word));
}

/** @param isHidden true to leave them out of the help of a command */
export function addGlobalFlags<T>(yargs: Argv<T>, isHidden: boolean): Argv<T> {
  return add(yargs, GLOBAL_FLAGS, isHidden);
}

/** Adds the command's own flags, in their groups; --help shows them before the global flags. */
export function addFlags<C extends Command>(yargs: Argv<object>, command: C): Argv<FlagsOf<C>> {
  return add(yargs, FLAGS[command]) as unknown as Argv<FlagsOf<C>>;
}

function add<T>(yargs: Argv<T>, flags: Readonly<Record<string, FlagSpec>>, hidden = false): Argv<T> {
  const place = ({ positional, group }: FlagSpec) => (positional === true ? -1 : GROUPS.indexOf(group));
  const byGroup = Object.entries(flags).toSorted(([, a], [, b]) => place(a) - place(b));
  for (const [name, { positional, repeatable: _, group, ...spec }] of byGroup) {
    if (positional === true) yargs.positional(name, { ...spec, type: 'string' });
    else
      yargs.option(name, {
        ...spec,
        hidden,
        ...(spec.type === 'boolean' || spec.choices !== undefined ? {} : { requiresArg: true }),
        group: `${group}:`,
      });
  }
  return yargs;
}
