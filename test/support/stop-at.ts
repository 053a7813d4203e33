/**
 * Stops a worker of this process at one of its steps, as a kill would: that step and all that follow never happen.
 *
 * Each change of a watched folder, and of what the store keeps of runs, is a step.
 */
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { overriding } from './overriding.ts';

type Method = (...rest: unknown[]) => Promise<unknown>;

const CHANGES = ['mkdir', 'link', 'rename', 'unlink', 'rm', 'rmdir'] as const;
/** A folder that is held open (held-folder.ts). */
const HELD = '/proc/self/fd/';
const WRITES = ['put', 'putIfAbsent', 'putMissing', 'replace', 'remove'] as const;
const QUEUES = /^queue:/;

export interface StoppedAt extends Disposable {
  /** With the steps that are calls of the store. */
  ledger: Ledger;
  /** What was done, and last what was not. */
  steps: readonly string[];
  /** Once the worker has come to that step. */
  reached: Promise<void>;
  /** Calls of the file system are steps no longer. */
  [Symbol.dispose](): void;
  /** Fails what has stopped, so that its worker ends. */
  end(): void;
}

/**
 * @param at the first step is 1
 * @param watched the folder whose changes are steps
 */
export function stopAt(at: number, ledger: Ledger, watched: string): StoppedAt {
  const steps: string[] = [];
  const reached = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  const before = async (name: string, doIt: () => Promise<unknown>) => {
    if (steps.length >= at) return ended.promise;
    steps.push(name);
    if (steps.length < at) return doIt();
    reached.resolve();
    return ended.promise;
  };
  const stepping = (owner: object, name: string, isStep: (first: string) => boolean): Method => {
    const method = (owner as Record<string, Method>)[name];
    if (method === undefined) throw new Error(`there is no ${name}`);
    return (...given) => {
      const call = () => method.apply(owner, given);
      return isStep(String(given[0])) ? before(`${name} ${String(given[0])}`, call) : call();
    };
  };
  const originals = Object.fromEntries(CHANGES.map((name) => [name, fs[name]]));
  const isWatched = (path: string) => path.startsWith(HELD) || path.startsWith(watched);
  for (const name of CHANGES) Object.assign(fs, { [name]: stepping(fs, name, isWatched) });
  syncBuiltinESMExports();
  const writes = WRITES.map((name) => [name, stepping(ledger.values, name, (space) => QUEUES.test(space))]);
  const records = ['add', 'replace'].map((name) => [name, stepping(ledger.runs, name, () => true)]);
  return {
    steps,
    ledger: overriding(ledger, {
      values: overriding(ledger.values, Object.fromEntries(writes)),
      runs: overriding(ledger.runs, Object.fromEntries(records)),
    }),
    reached: reached.promise,
    end: () => ended.reject(new Error('killed')),
    [Symbol.dispose]() {
      Object.assign(fs, originals);
      syncBuiltinESMExports();
    },
  };
}
