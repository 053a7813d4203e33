/**
 * A program: imports a file, and is killed (SIGKILL) at a step that is named to it. It stands behind the import's
 * own ports, so that nothing in src knows of it: `node crashing-import.ts '{"step": …}'`.
 */
import { flushCompileCache } from 'node:module';
import { type ApiClient, createClient } from '../../src/api/client.ts';
import { RequestMeter } from '../../src/api/meter.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { importFile } from '../../src/import/run.ts';
import type { Jobs, KnownItems, Lanes, Ledger, Rows } from '../../src/ledger/ledger.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import type { CrashStep } from './crash-steps.ts';
import { overriding } from './overriding.ts';

export interface CrashingImport {
  step: CrashStep;
  apiUrl: string;
  key: string;
  store: string;
  file: string;
  /** How it is imported, if not as a plain file of new items. */
  how?: Pick<ImportRequest, 'mode' | 'match'>;
}

const NEVER = new Promise<never>(() => undefined);

function die(): Promise<never> {
  // Node stores what it has compiled as a process ends by itself: each of the next ones would compile it anew.
  flushCompileCache();
  process.kill(process.pid, 'SIGKILL');
  return NEVER;
}

/** Dies at the step; `when` is known from the call, `before` or `after` its effect. */
function crashing(ledger: Ledger, step: CrashStep): Ledger {
  const at = async <T>(
    name: CrashStep,
    holds: boolean,
    when: 'before' | 'after',
    call: () => Promise<T>,
  ): Promise<T> => {
    if (name !== step || !holds) return call();
    if (when === 'after') await call();
    return die();
  };
  const through = <T>(call: () => Promise<T>, ...points: [CrashStep, boolean, 'before' | 'after'][]) =>
    points.reduce(
      (inner, [name, holds, when]) =>
        () =>
          at(name, holds, when, inner),
      call,
    )();
  const rows: Partial<Rows> = {
    stage: (id, staged) => through(() => ledger.rows.stage(id, staged), ['rows staged', true, 'after']),
    takeOver: (id, longerMs) =>
      through(() => ledger.rows.takeOver(id, longerMs), ['taken over', true, 'after']),
    move: (id, moves, options) => {
      const some = (test: (move: (typeof moves)[number]) => boolean) => moves.some(test);
      return through(
        () => ledger.rows.move(id, moves, options),
        ['intent made', some(({ to }) => to === 'sending'), 'before'],
        ['intent committed', some(({ to }) => to === 'sending'), 'after'],
        ['outcome known', some(({ to, from }) => to === 'done' && from === undefined), 'before'],
        ['outcome committed', some(({ to, from }) => to === 'done' && from === undefined), 'after'],
        ['lost answer committed', some(({ to }) => to === 'unknown'), 'after'],
        ['settling has found it', some(({ to, from }) => to === 'done' && from === 'unknown'), 'before'],
        [
          'what settling found committed',
          some(({ to, from }) => to === 'done' && from === 'unknown'),
          'after',
        ],
        [
          'settling has not found it',
          some(({ to, from }) => to === 'planned' && from === 'unknown'),
          'before',
        ],
        ['release committed', some(({ to, from }) => to === 'planned' && from === 'unknown'), 'after'],
      );
    },
  };
  const jobs: Partial<Jobs> = {
    finishStaging: (id, patch) =>
      through(() => ledger.jobs.finishStaging(id, patch), ['job visible', true, 'after']),
    noteFile: (sha256, id) =>
      through(() => ledger.jobs.noteFile(sha256, id), ['results written', true, 'after']),
    update: (id, patch) =>
      through(
        () => ledger.jobs.update(id, patch),
        ['plan committed', patch.fingerprint !== undefined, 'after'],
        ['what was learned committed', patch.learned?.server !== undefined, 'after'],
        ['job ended', patch.state === 'done', 'before'],
        ['end of the job committed', patch.state === 'done', 'after'],
        ['results noted', patch.files !== undefined, 'after'],
      ),
  };
  const acquire: Lanes['acquire'] = (lane, id) =>
    through(() => ledger.lanes.acquire(lane, id), ['lane taken', true, 'after']);
  const noteSeen: KnownItems['noteSeen'] = (url, ids) =>
    through(() => ledger.items.noteSeen(url, ids), ['head of the list seen', true, 'after']);
  return overriding(ledger, {
    jobs: overriding(ledger.jobs, jobs),
    rows: overriding(ledger.rows, rows),
    items: overriding(ledger.items, { noteSeen }),
    lanes: overriding(ledger.lanes, { acquire }),
  });
}

function crashingClient(client: ApiClient, step: CrashStep): ApiClient {
  const createItem: ApiClient['createItem'] = async (body, options) => {
    if (step === 'request about to leave') return die();
    const answer = client.createItem(body, options);
    if (step === 'request under way') {
      // The sandbox takes longer than this to answer.
      await systemClock.sleep(20);
      return die();
    }
    const value = await answer;
    return step === 'answer received' ? die() : value;
  };
  return overriding(client, { createItem });
}

const { step, apiUrl, key, store, file, how = {} } = JSON.parse(process.argv[2] ?? '') as CrashingImport;
const meter = new RequestMeter();
await using client = createClient({ apiUrl, key, onRequest: meter.onRequest });
await using ledger = openSqliteLedger(store);
await importFile(
  { ...how, file, collection: 'Main', run: { quietPeriodMs: 60 } },
  {
    client: crashingClient(client, step),
    ledger: crashing(ledger, step),
    meter,
    clock: systemClock,
    signal: new AbortController().signal,
    emit: () => undefined,
  },
);
