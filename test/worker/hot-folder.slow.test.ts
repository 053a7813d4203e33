import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { ShelfliftError } from '../../src/base/errors.ts';
import type { WorkerEvent } from '../../src/worker/events.ts';
import type { Run } from '../../src/worker/queue/run.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { overriding } from '../support/overriding.ts';
import { claimedRun } from './claimed-run.ts';
import { DROP } from './example-config.ts';
import { mailServer } from './mail-server.ts';
import { openWorker, type WorkerPlace } from './open-worker.ts';
import { CERTIFICATE } from './test-certificate.ts';
import { asWritten } from '../support/as-written.ts';

const names = (place: WorkerPlace, folder: string) =>
  existsSync(join(place.folder, folder)) ? readdirSync(join(place.folder, folder)).sort() : [];

test('a dropped file is imported and moved to done/ with its results; the same content again adds nothing', async () => {
  await using place = await openWorker(DROP);
  const drop = place.dropper('drop');
  drop('toys.csv', 'name,release_year\nRobot,1985\nBear,99x\n');
  drop('broken.xlsx', 'no workbook\n');
  drop('unfinished.csv.part', 'name\n');
  const { exitCode } = await place.once();
  // Of 3 (rows left out) and 2 (a file that is none).
  expect(exitCode).toBe(2);
  const made = ['toys.csv', 'toys.rejects.csv', 'toys.results.csv', 'toys.warnings.txt'];
  expect(names(place, 'drop/done')).toEqual(made);
  expect(names(place, 'drop/failed')).toEqual(['broken.error.txt', 'broken.xlsx']);
  expect(names(place, 'drop/processing')).toEqual([]);
  expect(names(place, 'drop')).toContain('unfinished.csv.part');

  drop('toys.csv', 'name,release_year\nRobot,1985\nBear,99x\n');
  const again = await place.once();
  expect(again.runs[0]).toMatchObject({ state: 'done', error: { code: 'already_applied' } });
  expect(names(place, 'drop/done')).toEqual(['toys-2.csv', ...made]);
  expect(place.sandbox.control.items().map(({ name }) => name)).toEqual(['Robot']);
});

test('only the new rows of a longer file are imported, and the results name the items of the other rows', async () => {
  await using place = await openWorker(DROP);
  const drop = place.dropper('drop');
  drop('toys.csv', 'name\nRobot\nBear\n');
  await place.once();
  drop('toys.csv', 'name\nRobot\nBear\nTrain\n');
  const { exitCode, runs } = await place.once();
  expect(exitCode).toBe(0);
  expect(runs).toMatchObject([{ state: 'done' }]);
  expect(
    place.sandbox.control
      .items()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['Bear', 'Robot', 'Train']);
  const results = readFileSync(join(place.folder, 'drop/done/toys-2.results.csv'), 'utf8');
  expect(results.match(/skipped,create,[0-9a-f-]{36},already_sent/g)).toHaveLength(2);
  // As the person knows it, not where the worker had it.
  const [job] = await place.ledger.jobs.list();
  expect(job?.source.file).toBe(join(place.folder, 'drop/toys.csv'));
});

test('problems of a dropped file are reported under its original name', async () => {
  await using place = await openWorker(DROP);
  place.dropper('drop')('broken.xlsx', 'no workbook\n');
  const { runs } = await place.once();
  expect(runs[0]?.error?.message).toContain(join(place.folder, 'drop/broken.xlsx'));
  expect(runs[0]?.error?.message).not.toContain('processing');
});

test.each([
  ['before it moves anything', []],
  ['after it moved the results', ['toys.results.csv']],
  ['while it moves the results', ['toys.results.csv.part']],
])(
  'a worker that is killed while it moves a finished file, %s, leaves nothing half done',
  async (_, moved) => {
    await using place = await openWorker(DROP);
    const job = '261116-0000aaaa';
    const claimed = join(place.folder, 'drop/processing', job, 'toys.csv');
    const results = join(place.folder, 'spool', job, 'toys.results.csv');
    for (const file of [claimed, results, join(place.folder, 'drop/done/x')])
      mkdirSync(dirname(file), { recursive: true });
    writeFileSync(claimed, 'name\nRobot\n');
    writeFileSync(results, 'name,_state\nRobot,created\n');
    for (const name of moved) writeFileSync(join(place.folder, 'drop/done', name), 'half');
    const run = {
      ...claimedRun(place.folder, job),
      ending: {
        end: { kind: 'done', exitCode: 0, rows: 1, files: [results] },
        name: 'toys.csv',
      },
    } satisfies Run;
    await new Runs(place.ledger).add(run);
    const { exitCode, runs } = await place.once();
    expect([exitCode, runs[0]?.state]).toEqual([0, 'done']);
    expect(names(place, 'drop/done')).toEqual(['toys.csv', 'toys.results.csv']);
    expect(readFileSync(join(place.folder, 'drop/done/toys.results.csv'), 'utf8')).toContain('created');
    expect(names(place, 'drop/processing')).toEqual([]);
    // It was imported before the kill.
    expect(place.sandbox.control.counts().requests).toBe(0);
  },
);

test('another file that has the same name by then is not overwritten', async () => {
  await using place = await openWorker(DROP);
  const job = '261116-0000aaaa';
  const drop = place.dropper(`drop/processing/${job}`);
  drop('toys.csv', 'name\nRobot\n');
  place.dropper('drop/done')('toys.csv', 'name\nBear\n');
  const ending = { end: { kind: 'done', exitCode: 0, rows: 1, files: [] }, name: 'toys.csv' } as const;
  await new Runs(place.ledger).add({
    ...claimedRun(place.folder, job),
    ending: { ...ending, end: { ...ending.end, files: [] } },
  });
  await place.once();
  expect(names(place, 'drop/done')).toEqual(['toys-2.csv', 'toys.csv']);
  expect(readFileSync(join(place.folder, 'drop/done/toys.csv'), 'utf8')).toContain('Bear');
});

/** Time for looking stands still, and passes when it is told to. */
function halted() {
  let shift = 0;
  let from: number | undefined = systemClock.monotonic();
  const told = { looks: 0 };
  const clock: Clock = { ...systemClock, monotonic: () => (from ?? systemClock.monotonic()) + shift };
  return {
    clock,
    emit: (event: WorkerEvent) => {
      if (event.type === 'looked') told.looks += 1;
    },
    /** Until the worker has looked once more from its beginning to its end. */
    async looked(): Promise<void> {
      const enough = told.looks + 2;
      while (told.looks < enough) await systemClock.sleep(20);
    },
    pass: (ms: number) => (shift += ms),
    goOn: () => (from = undefined),
  };
}

test('a .ready mark left by a kill does not apply to the next file of that name', async () => {
  await using place = await openWorker(DROP);
  const drop = place.dropper('drop');
  drop('toys.csv.ready', '');
  await systemClock.sleep(20);
  drop('toys.csv', 'name\nFirst\n');
  const time = halted();
  const worker = place.once({ clock: time.clock, emit: time.emit });
  await time.looked();
  // It is still being copied.
  writeFileSync(join(place.folder, 'drop/toys.csv'), 'name\nFirst\nSecond\n');
  await time.looked();
  time.pass(30_000);
  time.goOn();
  await worker;
  expect(place.sandbox.control.items()).toHaveLength(2);
  expect(names(place, 'drop').filter((name) => name.includes('ready'))).toEqual([]);
});

test('the worker waits for a file that still grows, but not for a file with a .ready mark', async () => {
  await using place = await openWorker(DROP);
  const drop = place.dropper('drop');
  drop('marked.csv', 'name\nMarked\n');
  drop('marked.csv.ready', '');
  drop('growing.csv', 'name\nFirst\n');
  const time = halted();
  const worker = place.once({ clock: time.clock, emit: time.emit });
  await time.looked();
  expect(names(place, 'drop')).not.toContain('marked.csv');
  writeFileSync(join(place.folder, 'drop/growing.csv'), 'name\nFirst\nSecond\n');
  await time.looked();
  time.pass(30_000);
  time.goOn();
  await worker;
  expect(
    place.sandbox.control
      .items()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['First', 'Marked', 'Second']);
  expect(names(place, 'drop').filter((name) => name.includes('ready'))).toEqual([]);
});

test('a file that a dead worker had claimed is taken over, whether it was recorded or not', async () => {
  await using place = await openWorker(DROP);
  for (const folder of ['drop/processing/261116-0000aaaa', 'drop/processing'])
    mkdirSync(join(place.folder, folder), { recursive: true });
  writeFileSync(join(place.folder, 'drop/processing/261116-0000aaaa/claimed.csv'), 'name\nClaimed\n');
  writeFileSync(join(place.folder, 'drop/processing/loose.csv'), 'name\nLoose\n');
  const { exitCode, runs } = await place.once();
  expect(exitCode).toBe(0);
  expect(runs.map(({ tries }) => tries)).toEqual([0, 0]);
  expect(
    place.sandbox.control
      .items()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['Claimed', 'Loose']);
  expect(names(place, 'drop/done').filter((name) => !name.includes('results'))).toEqual([
    'claimed.csv',
    'loose.csv',
  ]);
});

test('files in a polled folder, such as a network share, are found', async () => {
  await using place = await openWorker(DROP.replace('profile: main', 'polling: true, profile: main'));
  const stop = new AbortController();
  const worker = place.once({ signal: stop.signal, once: false });
  place.dropper('drop')('late.csv', 'name\nLate\n');
  const old = new Date(Date.now() - 60_000);
  utimesSync(join(place.folder, 'drop/late.csv'), old, old);
  while (place.sandbox.control.items().length === 0) await systemClock.sleep(20);
  stop.abort();
  expect((await worker).exitCode).toBe(0);
  expect(readFileSync(join(place.folder, 'drop/done/late.results.csv'), 'utf8')).toContain('Late');
});

test('a name that is not UTF-8 is accepted, and read in the old encoding', async () => {
  await using place = await openWorker(DROP);
  place.dropper('drop');
  const name = Buffer.from('drop/Gr\u00fcn.csv', 'latin1');
  writeFileSync(Buffer.concat([Buffer.from(`${place.folder}/`), name]), 'name\nFrog\n');
  expect(await place.once()).toMatchObject({ exitCode: 0, runs: [{ state: 'done' }] });
  expect(names(place, 'drop/done')).toEqual(['Gr\u00fcn.csv', 'Gr\u00fcn.results.csv']);
});

test('backups, links and special files are left alone, and reported once', async () => {
  await using place = await openWorker(DROP);
  const drop = place.dropper('drop');
  drop('toys.csv', 'name\nRobot\n');
  for (const name of ['toys.csv~', '#toys.csv#', 'toys.csv.bak', 'toys.csv.swp'])
    drop(name, 'name\nOld robot\n');
  symlinkSync(join(place.folder, 'shelflift.yaml'), join(place.folder, 'drop/link.csv'));
  const told: string[] = [];
  const end = await place.once({
    emit: (event) => {
      if (event.type === 'warning') told.push(event.message);
    },
  });
  expect(end).toMatchObject({ exitCode: 0, runs: [{ state: 'done', rows: 1 }] });
  expect(place.sandbox.control.items().map(({ name }) => name)).toEqual(['Robot']);
  expect(told.sort()).toEqual(
    ['#toys.csv#', 'link.csv', 'toys.csv.bak', 'toys.csv.swp', 'toys.csv~'].map((name) =>
      expect.stringContaining(`drop/${name} is left alone: `),
    ),
  );
});

test('the worker waits for an empty file, so that early writers lose nothing; --once imports it unchanged', async () => {
  await using place = await openWorker(DROP);
  const drop = place.dropper('drop');
  drop('early.csv', '');
  const time = halted();
  const stop = new AbortController();
  const daemon = place.once({
    clock: time.clock,
    once: false,
    signal: stop.signal,
    emit: (event) => {
      time.emit(event);
      if (event.type === 'ended') stop.abort();
    },
  });
  await time.looked();
  time.pass(30_000);
  await time.looked();
  expect(names(place, 'drop')).toContain('early.csv');
  time.goOn();
  drop('early.csv', 'name\nRobot\n');
  await daemon;
  expect(names(place, 'drop/done')).toEqual(['early.csv', 'early.results.csv']);
  drop('empty.csv', '');
  expect((await place.once()).exitCode).toBe(2);
});

test('a file that cannot be claimed is reported, and does not block other files', async () => {
  await using place = await openWorker(DROP);
  const drop = place.dropper('drop');
  drop('frogs.csv', 'name\nFrog\n');
  drop('toys.csv', 'name\nRobot\n');
  const runs = overriding(place.ledger.runs, {
    add: async (run, durable) => {
      if (JSON.stringify(run).includes('frogs.csv')) throw new Error('out of order');
      return place.ledger.runs.add(run, durable);
    },
  });
  const told: string[] = [];
  const end = await place.once({
    ledger: overriding(place.ledger, { runs }),
    emit: (event) => {
      if (event.type === 'warning') told.push(event.message);
    },
  });
  expect(end).toMatchObject({ exitCode: 6, runs: [{ state: 'done' }] });
  expect(told.filter((text) => text.includes('cannot be picked up: out of order'))).toHaveLength(1);
  expect((await place.once()).exitCode).toBe(0);
  expect(place.sandbox.control.items()).toHaveLength(2);
});

test('a file whose import was parked continues that import when it is dropped again, and its results are next to it', async () => {
  await using place = await openWorker(`${DROP}retries: { tries: 1 }\n`);
  const dropAgain = (name: string, text: string) => {
    place.dropper('drop')(name, text);
    place.dropper('drop')(`${name}.ready`, '');
  };
  const { secret } = place.sandbox.control.addKey(['items:read', 'items:write', 'collections:read']);
  const text = `name\n${Array.from({ length: 60 }, (_, row) => `Toy ${row}\n`).join('')}`;
  dropAgain('toys.csv', text);
  const parked = await place.once({
    environment: { THE_KEY: secret },
    emit: (event) => {
      // The key is withdrawn in the middle.
      if (event.type === 'request' && place.sandbox.control.items().length >= 5)
        place.sandbox.control.revokeKey(secret);
    },
  });
  expect(parked).toMatchObject({ exitCode: 5, runs: [{ state: 'parked_poison' }] });
  const sent = place.sandbox.control.items().length;
  expect(sent).toBeLessThan(60);
  expect(names(place, 'drop/failed')).toEqual(['toys.csv', 'toys.error.txt', 'toys.results.csv']);

  renameSync(join(place.folder, 'drop/failed/toys.csv'), join(place.folder, 'drop/toys.csv'));
  place.dropper('drop')('toys.csv.ready', '');
  const again = await place.once();
  expect(again).toMatchObject({ exitCode: 0, runs: [{ state: 'done', rows: 60 }] });
  expect(new Set(place.sandbox.control.items().map(({ name }) => name)).size).toBe(60);
  expect(place.sandbox.control.items()).toHaveLength(60);
  expect(names(place, 'drop/done')).toEqual(['toys.csv', 'toys.results.csv']);
  const jobs = await place.ledger.jobs.list();
  expect(jobs).toMatchObject([
    { state: 'done', files: { results: { path: join(place.folder, 'drop/done/toys.results.csv') } } },
  ]);
  expect(
    readFileSync(join(place.folder, 'drop/done/toys.results.csv'), 'utf8').match(/,created,/g),
  ).toHaveLength(60);
});

test('a kill between the last row and the results loses no results', async () => {
  await using place = await openWorker(DROP);
  const id = '261116-0000cccc';
  const folder = join(place.folder, 'drop/processing', id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'toys.csv'), 'name\nRobot\nRocket\n');
  let killed = false;
  const ledger = overriding(place.ledger, {
    jobs: overriding(place.ledger.jobs, {
      noteFile: async (sha256, jobId) => {
        if (!killed) {
          killed = true;
          throw new ShelfliftError('store_failed', asWritten('killed here'));
        }
        return place.ledger.jobs.noteFile(sha256, jobId);
      },
    }),
  });
  const { runs } = await place.once({ ledger });
  expect([killed, runs.map(({ state }) => state)]).toEqual([true, ['done']]);
  expect(names(place, 'drop/done')).toEqual(['toys.csv', 'toys.results.csv']);
  expect(place.sandbox.control.items()).toHaveLength(2);
});

test('a run that invalid rows stopped reports the reason and the location of the rejects', async () => {
  await using place = await openWorker(DROP.replace(', skipInvalid: true', ''));
  place.dropper('drop')('toys.csv', 'name,release_year\nRobot,1985\nRocket,soon\n');
  place.dropper('drop')('toys.csv.ready', '');
  const { exitCode, runs } = await place.once();
  expect([exitCode, runs[0]?.state]).toEqual([3, 'failed']);
  const told = readFileSync(join(place.folder, 'drop/failed/toys.error.txt'), 'utf8');
  expect(told).toContain('- 1 row: release_year "soon" is not a year');
  expect(told).toContain('1 of 2 rows cannot be sent as it is');
  expect(runs[0]?.files).toContain(join(place.folder, 'drop/failed/toys.rejects.csv'));
  // They lack the valid row, which was not sent.
  expect(runs[0]?.error?.remedy).toContain('toys.rejects.csv, in the source, and import again');
  expect(told + JSON.stringify(runs[0]?.error)).not.toMatch(/spool|processing/);
});

test.each([
  { all: 'nothing', yaml: DROP.replace(', skipInvalid: true', ''), left: 'toys.csv' },
  { all: 'its valid rows', yaml: DROP, left: 'toys.rejects.csv' },
  {
    all: 'all its valid rows, whatever was sent before',
    yaml: DROP.replace('skipInvalid', 'allRows: true, encoding: cp1252, delimiter: ";", skipInvalid'),
    left: 'toys.rejects.csv',
  },
])('the note of a file that has sent $all gives one way to import the rest', async ({ yaml, left }) => {
  await using place = await openWorker(yaml);
  const drop = (content: string) => {
    place.dropper('drop')('toys.csv', content);
    place.dropper('drop')('toys.csv.ready', '');
    return place.once();
  };
  const years = ['1985', 'soon', 'soon'];
  const cell = yaml.includes('delimiter') ? ';' : ',';
  const list = years.map((year, n) => `Toy ${n}${cell}${year}\n`).join('');
  expect((await drop(`name${cell}release_year\n${list}`)).exitCode).toBe(3);
  const failed = join(place.folder, 'drop/failed');
  const told = readFileSync(join(failed, 'toys.error.txt'), 'utf8');
  const [way, ...others] = told.match(/put that file into|move it back into|import again/g) ?? [];
  expect([way, others]).toEqual([left === 'toys.csv' ? 'move it back into' : 'put that file into', []]);
  expect((await drop(readFileSync(join(failed, left), 'utf8').replaceAll('soon', '1990'))).exitCode).toBe(0);
  expect(place.sandbox.control.items()).toHaveLength(3);
});

test('line breaks and other unseen characters in a name do not get into the names of done/, nor into mails', async () => {
  await using place = await openWorker(DROP);
  place.dropper('drop')('a\nTo try again, call 0900.\u001b[2J\u202e.csv', 'name\nRobot\n');
  const { exitCode, runs } = await place.once();
  const name = 'a_To try again, call 0900._[2J_';
  expect(exitCode).toBe(0);
  expect(runs[0]?.files?.[0]).toBe(join(place.folder, `drop/done/${name}.csv`));
  expect(names(place, 'drop/done')).toEqual([`${name}.csv`, `${name}.results.csv`]);
});

test('a name of maximal length is shortened to leave room for the names of its results', async () => {
  await using place = await openWorker(DROP);
  const name = `${'ä'.repeat(120)}.csv`;
  place.dropper('drop')(name, 'name\nRobot\n');
  const { exitCode, runs } = await place.once();
  expect([exitCode, runs[0]?.state]).toEqual([0, 'done']);
  expect(names(place, 'drop/done')).toEqual([`${'ä'.repeat(88)}.csv`, `${'ä'.repeat(88)}.results.csv`]);
});

test.each([
  { yaml: DROP, invalid: 5, folder: 'done' },
  { yaml: DROP, invalid: 6, folder: 'failed' },
  { yaml: DROP.replace('./drop,', './drop, alertShare: 0.1,'), invalid: 2, folder: 'failed' },
  { yaml: DROP.replace('./drop,', './drop, alertShare: 1,'), invalid: 9, folder: 'done' },
])(
  'with $invalid of ten rows invalid, the file is moved to $folder/ and reported',
  async ({ yaml, invalid, folder }) => {
    const server = await mailServer(true);
    await using place = await openWorker(
      `smtp: { host: localhost, port: ${server.port}, from: "shelflift@example.com", caFile: cert.pem }\nnotify: { email: owner@example.com }\n${yaml}`,
    );
    writeFileSync(join(place.folder, 'cert.pem'), CERTIFICATE);
    const rows = Array.from({ length: 10 }, (_, row) => `Toy ${row},${row < invalid ? '99x' : 1985}\n`);
    place.dropper('drop')('toys.csv', `name,release_year\n${rows.join('')}`);
    place.dropper('drop')('toys.csv.ready', '');
    const { exitCode, runs } = await place.once();
    const failed = folder === 'failed';
    expect(exitCode).toBe(3);
    expect(runs).toMatchObject([
      failed ? { state: 'failed', error: { code: 'mostly_rejected' } } : { state: 'done' },
    ]);
    const note = failed ? 'toys.error.txt' : 'toys.warnings.txt';
    expect(names(place, `drop/${folder}`)).toEqual(
      ['toys.csv', note, 'toys.rejects.csv', 'toys.results.csv'].sort(),
    );
    const message = `${invalid} of 10 rows were not imported: ${invalid} invalid.`;
    expect(readFileSync(join(place.folder, 'drop', folder, note), 'utf8')).toContain(message);
    // What was good is in, whatever became of the file.
    expect(place.sandbox.control.items()).toHaveLength(10 - invalid);
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]?.text).toContain(failed ? 'drop fails' : 'left rows out');
    expect(server.mails[0]?.text.replaceAll(/=\r?\n/g, '')).toContain(message);
    // The next one, without a mistake, tells nothing but that it works.
    place.dropper('drop')('bears.csv', 'name\nBear\n');
    place.dropper('drop')('bears.csv.ready', '');
    expect((await place.once()).exitCode).toBe(0);
    expect(server.mails).toHaveLength(failed ? 2 : 1);
  },
);
