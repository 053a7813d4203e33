/**
 * Loaded into a process before it begins (`--import`): kills it at step KILL_AT, the first being 1. Before and after
 * each change of what exports, runs and deliveries keep in the store, and each rename of their files, is a step.
 */
import fs from 'node:fs/promises';
import { flushCompileCache, syncBuiltinESMExports } from 'node:module';
import { SqlKeyValues } from '../../src/ledger/sql/key-values.ts';

const at = Number(process.env['KILL_AT']);
const SPACES = /^(?:export-changes|export-pages:|runs$|delivered$)/;
const FILES = /changes\.ndjson/;
let steps = 0;

function step(): void {
  steps += 1;
  if (steps !== at) return;
  // Node stores what it has compiled as a process ends by itself: each of the next ones would compile it anew.
  flushCompileCache();
  process.kill(process.pid, 'SIGKILL');
}

type Method = (this: unknown, first: string, ...rest: unknown[]) => Promise<unknown>;

/** @param isMeant whether a call, by its first argument, is one of those that are steps */
function between(owner: object, name: string, isMeant: (first: string) => boolean): void {
  const methods = owner as Record<string, Method>;
  const method = methods[name];
  if (method === undefined) throw new Error(`there is no ${name}`);
  methods[name] = async function (first, ...rest) {
    if (!isMeant(first)) return method.call(this, first, ...rest);
    step();
    const result = await method.call(this, first, ...rest);
    step();
    return result;
  };
}

for (const name of ['put', 'putIfAbsent', 'putMissing', 'replace', 'remove'])
  between(SqlKeyValues.prototype, name, (space) => SPACES.test(space));
between(fs, 'rename', (path) => FILES.test(path));
syncBuiltinESMExports();
