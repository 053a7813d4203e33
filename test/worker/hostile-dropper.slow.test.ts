/** Whoever may only write into a watched folder makes its worker read and write nothing outside of it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeResults } from '../../src/import/results/results.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { IS_ROOT, needsRoot } from '../support/root.ts';
import { DROP } from './example-config.ts';
import { openWorker, type WorkerPlace } from './open-worker.ts';

/** Of the user that nobody is. */
const NOBODY = 65_534;

/** A place with a folder that everybody may write into, and one with a file that nobody but the worker may read. */
async function openHostile(yaml = DROP) {
  const place = await openWorker(yaml);
  const drop = join(place.folder, 'drop');
  const secret = join(place.folder, 'secret');
  chmodSync(place.folder, 0o755);
  mkdirSync(drop);
  chmodSync(drop, 0o777);
  mkdirSync(secret, { mode: 0o700 });
  const dropFile = (name: string, text: string) => {
    writeFileSync(join(drop, name), text);
    writeFileSync(join(drop, `${name}.ready`), '');
    if (IS_ROOT) chownSync(join(drop, name), NOBODY, NOBODY);
  };
  return { place, drop, secret, dropFile };
}

/** As another user, where this one may: the owner of a folder is what the worker goes by. */
function asDropper(command: string): void {
  const { status, stderr } = spawnSync('sh', ['-c', command], {
    encoding: 'utf8',
    ...(IS_ROOT ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  expect([status, stderr]).toEqual([0, '']);
}

/** Runs the worker; `attack` is made when a file has been claimed and waits for its turn. */
async function claimAndAttack(place: WorkerPlace, attack: (job: string) => void) {
  const told: string[] = [];
  const end = await place.once({
    emit: (event) => {
      if (event.type === 'queued') attack(event.run.id);
      if (event.type === 'warning') told.push(event.message);
    },
  });
  return { ...end, told };
}

const itemsOf = (place: WorkerPlace) => place.sandbox.control.items().map(({ name }) => name);
const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder).sort() : []);

test.each([
  ['a link to a folder', (drop: string, secret: string) => `ln -s ${secret} ${drop}/processing`],
  [
    'a folder with a link to a folder',
    (drop: string, secret: string, job: string) =>
      `mkdir ${drop}/processing && ln -s ${secret}/${job} ${drop}/processing/${job}`,
  ],
  [
    'a folder with a link to a file',
    (drop: string, secret: string, job: string) =>
      `mkdir -p ${drop}/processing/${job} && ln -s ${secret}/${job}/toys.csv ${drop}/processing/${job}/toys.csv`,
  ],
])('if processing/ becomes %s while a file is queued, the worker reads no other file', async (_, swap) => {
  const { place, drop, secret, dropFile } = await openHostile();
  await using _place = place;
  dropFile('toys.csv', 'name\nRobot\n');
  const { runs, exitCode, told } = await claimAndAttack(place, (job) => {
    mkdirSync(join(secret, job));
    writeFileSync(join(secret, job, 'toys.csv'), 'name\nSecret\n', { mode: 0o600 });
    asDropper(`mv ${drop}/processing ${drop}/old && ${swap(drop, secret, job)}`);
  });
  expect(itemsOf(place)).toEqual([]);
  const code =
    IS_ROOT || swap(drop, secret, '').includes(`${secret} `) ? 'unsafe_folder' : expect.any(String);
  expect(runs).toMatchObject([{ state: 'failed', error: { code } }]);
  expect(exitCode).not.toBe(0);
  expect([...told, runs[0]?.error?.message].join()).toContain(`${drop}/processing`);
  for (const folder of ['done', 'failed']) expect(namesIn(join(drop, folder))).toEqual([]);

  // Put right again, what was claimed goes on.
  rmSync(join(drop, 'processing'), { recursive: true });
  renameSync(join(drop, 'old'), join(drop, 'processing'));
  expect(await place.once()).toMatchObject({ exitCode: 0, runs: [{ state: 'done' }] });
  expect(itemsOf(place)).toEqual(['Robot']);
});

test.each(['done', 'failed'])(
  '%s/ that becomes a link does not let the worker write elsewhere',
  async (which) => {
    const { place, drop, secret, dropFile } = await openHostile();
    await using _place = place;
    dropFile('toys.csv', which === 'done' ? 'name\nRobot\n' : 'price\n1\n');
    const { runs, exitCode, told } = await claimAndAttack(place, () => {
      asDropper(
        `rmdir ${drop}/${which} 2>&- || mv ${drop}/${which} ${drop}/old; ln -s ${secret} ${drop}/${which}`,
      );
    });
    expect(namesIn(secret)).toEqual([]);
    expect(exitCode).not.toBe(0);
    expect(runs).toMatchObject([{ state: 'failed', exitCode: 2, error: { code: 'unsafe_folder' } }]);
    expect(runs[0]?.error?.message).toContain(`${drop}/${which} is a link`);
    // Nothing is claimed meanwhile, and it is told once.
    dropFile('later.csv', 'name\nLater\n');
    const later = await claimAndAttack(place, () => undefined);
    expect([later.exitCode, later.runs]).toEqual([6, []]);
    expect(later.told.filter((text) => text.includes(`${drop}/${which} is a link`))).toHaveLength(1);
    expect(told.filter((text) => text.includes('is a link')).length).toBeLessThanOrEqual(1);

    rmSync(join(drop, which));
    await place.once();
    expect(namesIn(join(drop, which)).filter((name) => name.startsWith('toys'))).toContain('toys.csv');
    expect(namesIn(secret)).toEqual([]);
  },
);

test('jobs results does not follow done/ once it is a link of another user', async (context) => {
  needsRoot(context);
  const { place, drop, secret, dropFile } = await openHostile();
  await using _place = place;
  dropFile('toys.csv', 'name\nRobot\n');
  const { runs } = await place.once();
  writeFileSync(join(secret, 'toys.results.csv'), 'private');
  asDropper(`mv ${drop}/done ${drop}/old && ln -s ${secret} ${drop}/done`);
  const job = await place.ledger.jobs.find(runs[0]?.id ?? '');
  await expect(writeResults(job, place.ledger, () => undefined)).rejects.toMatchObject({
    code: 'cannot_write',
    message: expect.stringContaining(`${drop}/done is a link`) as string,
  });
  expect(namesIn(secret)).toEqual(['toys.results.csv']);
  expect(readFileSync(join(secret, 'toys.results.csv'), 'utf8')).toBe('private');
});

test('the worker does not use a folder of another user', async (context) => {
  needsRoot(context);
  const { place, drop } = await openHostile();
  await using _place = place;
  asDropper(`mkdir ${drop}/failed`);
  const { exitCode, told } = await claimAndAttack(place, () => undefined);
  expect(exitCode).toBe(6);
  expect(told.join()).toContain(`${drop}/failed belongs to the user with the id ${NOBODY}`);
});

test.each([
  ['a link', (claimed: string, secret: string) => symlinkSync(join(secret, 'toys.csv'), claimed)],
  ['another file', (claimed: string) => writeFileSync(claimed, 'name\nSecret\n')],
  ['a hard link to a file', (claimed: string, secret: string) => linkSync(join(secret, 'toys.csv'), claimed)],
])('a claimed file that becomes %s is left alone', async (_, replace) => {
  const { place, drop, secret, dropFile } = await openHostile();
  await using _place = place;
  writeFileSync(join(secret, 'toys.csv'), 'name\nSecret\n');
  dropFile('toys.csv', 'name\nRobot\n');
  let claimed = '';
  const { runs, exitCode } = await claimAndAttack(place, (job) => {
    claimed = join(drop, 'processing', job, 'toys.csv');
    // Kept, so that its inode is not given to the next file.
    renameSync(claimed, join(place.folder, 'kept.csv'));
    replace(claimed, secret);
  });
  expect([exitCode, runs[0]?.state, runs[0]?.error?.code]).toEqual([2, 'failed', 'claim_replaced']);
  expect(runs[0]?.error?.message).toContain(claimed);
  expect((await place.once()).runs).toEqual([]);
  expect(itemsOf(place)).toEqual([]);
  // What was claimed, at its place again, goes on.
  renameSync(join(place.folder, 'kept.csv'), claimed);
  expect((await place.once()).runs).toMatchObject([{ state: 'done' }]);
  expect(itemsOf(place)).toEqual(['Robot']);
});

test('a hard link is left alone and reported until it is the only link of its file', async () => {
  const { place, drop, secret } = await openHostile();
  await using _place = place;
  writeFileSync(join(secret, 'toys.csv'), 'name\nRobot\n');
  linkSync(join(secret, 'toys.csv'), join(drop, 'toys.csv'));
  const { exitCode, told, runs } = await claimAndAttack(place, () => undefined);
  expect([exitCode, runs]).toEqual([0, []]);
  expect(told).toEqual([expect.stringMatching(/drop\/toys\.csv is left alone: .*hard link/)]);
  rmSync(join(secret, 'toys.csv'));
  await place.once();
  expect(itemsOf(place)).toEqual(['Robot']);
});

test('reports about a file are readable by everyone who may read the file', async () => {
  const { place, drop, dropFile } = await openHostile();
  await using _place = place;
  for (const [name, mode] of [
    ['private.csv', 0o600],
    ['group.csv', 0o640],
    ['open.csv', 0o644],
  ] as const) {
    dropFile(name, `name,release_year\n${name},1985\n${name},99x\n`);
    chmodSync(join(drop, name), mode);
  }
  await place.once();
  const rightsOf = (name: string) => {
    const { mode, uid } = statSync(join(drop, 'done', name));
    return [mode & 0o777, uid];
  };
  for (const [stem, mode] of [
    ['private', 0o600],
    ['group', 0o640],
    ['open', 0o644],
  ] as const)
    for (const kind of ['results', 'rejects'])
      expect(rightsOf(`${stem}.${kind}.csv`)).toEqual([
        mode,
        statSync(join(drop, 'done', `${stem}.csv`)).uid,
      ]);
});

test('the configured path may be a link, and processing/ is closed to others', async () => {
  const { place, drop, dropFile } = await openHostile(DROP.replace('./drop', './linked'));
  await using _place = place;
  symlinkSync(drop, join(place.folder, 'linked'));
  mkdirSync(join(drop, 'processing'));
  chmodSync(join(drop, 'processing'), 0o777);
  dropFile('toys.csv', 'name\nRobot\n');
  expect((await place.once()).exitCode).toBe(0);
  expect(itemsOf(place)).toEqual(['Robot']);
  expect(namesIn(join(drop, 'done'))).toEqual(['toys.csv', 'toys.results.csv']);
  expect(lstatSync(join(drop, 'processing')).mode & 0o022).toBe(0);
});

test('repeatedly swapped folders never make the worker read or write elsewhere', async (context) => {
  needsRoot(context);
  const { place, drop, secret, dropFile } = await openHostile();
  await using _place = place;
  const victim = join(place.folder, 'victim');
  mkdirSync(victim);
  const names = Array.from({ length: 30 }, (_, index) => `toys-${index}.csv`);
  for (const name of names) writeFileSync(join(secret, name), 'name\nSecret\n', { mode: 0o600 });
  // Each job\'s folder would be the one with the secrets; what is put away would lie with the victim.
  const swap = `
      count=0
      while :; do
        for name in processing done failed; do
          count=$((count + 1))
          mv -T ${drop}/$name ${drop}/.kept-$count || continue
          if [ $name = processing ]; then
            mkdir ${drop}/$name
            for job in $(ls ${drop}/.kept-$count); do ln -s ${secret} ${drop}/$name/$job; done
          else
            ln -s ${victim} ${drop}/$name
          fi
          sleep 0.01
          rm -rf ${drop}/$name
          sleep 0.02
        done
      done`;
  const attacker: ChildProcess = spawn('sh', ['-c', swap], { uid: NOBODY, gid: NOBODY, stdio: 'ignore' });
  try {
    for (const name of names) dropFile(name, `name\nRobot ${name}\n`);
    for (let round = 0; round < 60 && namesIn(drop).some((name) => name.startsWith('toys')); round += 1)
      await place.once();
  } finally {
    const ended = new Promise((resolve) => attacker.once('exit', resolve));
    attacker.kill('SIGKILL');
    await ended;
  }
  expect(itemsOf(place)).not.toContain('Secret');
  expect(namesIn(victim)).toEqual([]);
  expect(namesIn(secret)).toEqual([...names].sort());
  expect(JSON.stringify(await new Runs(place.ledger).list())).not.toContain('Secret');
});
