/**
 * What every bad input owes the person who gave it: the exit code and error code that scripts depend on, exactly
 * one JSON object, words that name the place and the remedy, no stack trace, no key, and nothing sent.
 */
import { expect } from 'vitest';
import { EXIT_OF } from '../../src/base/error-codes.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace, type Place, type Run } from '../cli/run-shelflift.ts';

export interface BadInput {
  /** The name used in the design. */
  name: string;
  /** Puts the files in place, and gives the words of the command; `--json` is added. */
  make: (at: Place) => string[] | Promise<string[]>;
  environment?: NodeJS.ProcessEnv;
  exit: number;
  /** `error.code`; absent where the exit carries none (0, 3, 4). */
  code?: string;
  /** What the words on stderr must hold: what was found, what was expected, what to do. */
  says: (string | RegExp)[];
  /** What may not be shown, beside the key. */
  secrets?: string[];
  /** Of the summary. */
  state?: string;
  rows?: Record<string, number>;
  /** Items that may be created; 0 where it is not given. */
  sends?: number;
  /** A process of its own; without it the same command runs in this one, which saves its start. */
  real?: boolean;
  /** Not even a read may be asked for, but that of the collection. */
  asksNothing?: boolean;
}

/** Runs the real command line against `sandbox` and holds it to `bad`. */
export async function check(bad: BadInput, sandbox: Sandbox): Promise<Run & { at: Place }> {
  const at = newPlace({
    SHELFLIFT_API_URL: sandbox.url,
    SHELFLIFT_API_KEY: sandbox.key,
    SHELFLIFT_STORE: 'l.db',
  });
  const argv = await bad.make(at);
  sandbox.control.resetCounts();
  const before = sandbox.control.items().length;
  const words = [...argv, '--json'];
  const run =
    bad.real === true
      ? await at.run(words, bad.environment === undefined ? {} : { environment: bad.environment })
      : await at.call(words, bad.environment);
  checkWords(
    bad,
    run,
    [sandbox.key, bad.environment?.['SHELFLIFT_API_KEY'] ?? '', ...(bad.secrets ?? [])].filter(
      (key) => key !== '',
    ),
  );
  const json = oneObject(run.stdout);
  if (bad.code === undefined) expect(json).not.toHaveProperty('error');
  else {
    expect(json).toMatchObject({ error: { code: bad.code } });
    expect(EXIT_OF).toHaveProperty(bad.code, bad.exit);
    // What a script reads and what a person reads are the same message.
    expect(run.stderr).toContain(firstLine((json['error'] as { message: string }).message));
  }
  if (bad.state !== undefined) expect(json).toMatchObject({ state: bad.state });
  if (bad.rows !== undefined) expect(json).toMatchObject({ rows: bad.rows });
  const { byOperation, requests } = sandbox.control.counts();
  expect(sandbox.control.items().length - before, 'items created').toBe(bad.sends ?? 0);
  expect(byOperation, 'changes').not.toHaveProperty('updateItem');
  const lists = Object.values(byOperation.listCollections ?? {});
  const listed = lists.reduce((sum: number, count) => sum + (count ?? 0), 0);
  if (bad.asksNothing === true) expect(requests - listed, 'requests').toBe(0);
  return { ...run, at };
}

/** Exit code and words of one run, whatever it ran against. */
export function checkWords(bad: Pick<BadInput, 'exit' | 'says'>, run: Run, secrets: readonly string[]): void {
  const all = `${run.stdout}${run.stderr}`;
  expect(run.code, all).toBe(bad.exit);
  for (const words of bad.says) expect(run.stderr).toMatch(words);
  expect(all, 'a stack trace').not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
  for (const secret of secrets) expect(all, 'the key').not.toContain(secret);
  expect(all).not.toMatch(/\[object |undefined|NaN ms/);
}

/** stdout as the one JSON object that it must be. */
export function oneObject(stdout: string): Record<string, unknown> {
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout) as Record<string, unknown>;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
