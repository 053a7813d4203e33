import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/account/profiles.ts';
import { variableOrFile } from '../../src/base/key-file.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { needsRoot } from '../support/root.ts';
import { newPlace, type Place } from './run-shelflift.ts';

const KEY = 'key-of-a-profile-9f31';

function configOf(place: Place): string {
  return readFileSync(join(place.folder, '.config/shelflift/config.yaml'), 'utf8');
}

test('profile add keeps the key in a file of mode 600, and nowhere else', async () => {
  const place = newPlace();
  const added = await place.call(
    ['profile', 'add', 'main'],
    {},
    `https://inventory.example.com/api/public/v1/\n${KEY}\n`,
  );
  expect(added).toMatchObject({ code: 0 });
  expect(added.stdout).toContain('profile main: https://inventory.example.com, its key from file');
  expect(added.stdout + added.stderr).not.toContain(KEY);
  expect(configOf(place)).toContain('apiUrl: https://inventory.example.com\n');
  expect(configOf(place)).not.toContain(KEY);
  const keyFile = join(place.folder, '.config/shelflift/keys/main.key');
  expect(readFileSync(keyFile, 'utf8')).toBe(`${KEY}\n`);
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(statSync(join(keyFile, '..')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(place.folder, '.config/shelflift'))).toEqual(['config.yaml', 'keys']);

  const list = await place.call(['profile', 'list']);
  expect(list.stdout).toMatch(/^\* +main +https:\/\/inventory\.example\.com +file keys\/main\.key\n$/);
  expect(list.stdout).not.toContain(KEY);

  const twice = await place.call(['profile', 'add', 'main'], {}, `https://a.example\n${KEY}\n`);
  expect(twice.code).toBe(2);
  expect(twice.stderr).toContain('--yes');
});

test('profile add asks for the key on a terminal without echoing it', async () => {
  const place = newPlace();
  // The key is typed once it was asked for: what is typed earlier is echoed by the terminal itself.
  const line = `mkfifo in; exec 3<>in; script -qfec "shelflift profile add main --api-url https://inventory.example.com" out <in >/dev/null &
    until grep -q 'not shown' out 2>/dev/null; do sleep 0.05; done; echo ${KEY} >&3; wait $!; cat out`;
  const { stdout } = await place.shell(line);
  expect(stdout).toContain('API key (not shown):');
  expect(stdout).toContain('profile main: https://inventory.example.com');
  expect(stdout).not.toContain(KEY);
  expect(readFileSync(join(place.folder, '.config/shelflift/keys/main.key'), 'utf8')).toBe(`${KEY}\n`);
});

test('profile use sets the default, and keeps the comments of the file', async () => {
  const place = newPlace();
  await place.call(['profile', 'add', 'main', '--api-url', 'https://a.example', '--key-env', 'A_KEY']);
  const file = join(place.folder, '.config/shelflift/config.yaml');
  place.file('.config/shelflift/config.yaml', `# ours\n${readFileSync(file, 'utf8')}`);
  await place.call(['profile', 'add', 'other', '--api-url', 'https://b.example', '--key-env', 'B_KEY']);
  const used = await place.call(['profile', 'use', 'other', '--json']);
  expect(JSON.parse(used.stdout)).toEqual({ default: 'other', apiUrl: 'https://b.example' });
  expect(configOf(place)).toMatch(/^# ours\n/);
  const { profiles } = JSON.parse((await place.call(['profile', 'list', '--json'])).stdout) as {
    profiles: { name: string; default: boolean; key: string }[];
  };
  expect(profiles).toMatchObject([
    { name: 'main', default: false, key: 'variable A_KEY' },
    { name: 'other', default: true, key: 'variable B_KEY' },
  ]);
  const none = await place.call(['profile', 'use', 'nobody']);
  expect(none).toMatchObject({ code: 2 });
  expect(none.stderr).toContain('The profiles are main, other.');
});

test('a profile provides address and key; the environment overrides the default profile, but not --profile', async () => {
  await using mine = await startSandbox({ key: KEY });
  await using other = await startSandbox({ key: 'key-of-the-environment' });
  const place = newPlace();
  const add = ['profile', 'add', 'mine', '--api-url', mine.url];
  expect(await place.call(add, {}, `${KEY}\n`)).toMatchObject({ code: 0 });
  const environment = { SHELFLIFT_API_URL: other.url, SHELFLIFT_API_KEY: other.key };
  const doctor = async (argv: string[], environment?: NodeJS.ProcessEnv) =>
    (await place.call(['doctor', ...argv], environment)).stdout;
  expect(await doctor([])).toContain(`${mine.url} answers`);
  expect(await doctor([], environment)).toContain(`${other.url} answers`);
  expect(await doctor(['--profile', 'mine'], environment)).toContain(`${mine.url} answers`);

  // The profile's key belongs to the profile's address: it is not sent elsewhere.
  other.control.resetCounts();
  const elsewhere = await place.call(['doctor', '--api-url', other.url]);
  expect(elsewhere.code).toBe(2);
  expect(elsewhere.stdout).toContain('No API key is set.');
  expect(other.control.counts().requests).toBe(0);
});

test('a key file that others can read is refused, with the command that makes it private', async () => {
  const place = newPlace();
  await place.call(['profile', 'add', 'main', '--api-url', 'https://a.example'], {}, `${KEY}\n`);
  const keyFile = join(place.folder, '.config/shelflift/keys/main.key');
  chmodSync(keyFile, 0o640);
  const run = await place.call(['export', 'sales']);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('Other users can read the key file');
  expect(run.stderr).toContain(`chmod 600 ${keyFile}`);
});

test.each([
  ['profilez: {}', ':1:1: profilez: is unknown'],
  ['profiles:\n  main: { apiUrl: 7, keyEnv: KEY }', ':2:11: profiles.main.apiUrl: expected the base address'],
  ['profiles:\n  main: { apiUrl: "https://a.example" }', 'expected either keyEnv or keyFile'],
  ['profiles:\n  main: { apiUrl: "https://a.example", key: secret }', ':2:40: profiles.main.key: is unknown'],
  ['profiles:\n  main: { apiUrl: "https://a.example", keyEnv: "sk-live-1" }', 'not the secret itself'],
  ['defaultProfile: gone', ':1:1: defaultProfile: there is no profile "gone"'],
  ['profiles: [', ':1:'],
])('%j is refused with the position of the mistake', async (text, place) => {
  const here = newPlace();
  mkdirSync(join(here.folder, '.config/shelflift'), { recursive: true });
  here.file('.config/shelflift/config.yaml', text);
  const error = await (async () => readConfig(here.environment))().catch((error: unknown) => error);
  expect(error).toMatchObject({ code: 'bad_config', exitCode: 2 });
  expect(String(error)).toContain('config.yaml');
  expect(String(error)).toContain(place);
  expect(String(error)).not.toContain('sk-live-1');
});

test('an invalid profile is not saved', async () => {
  const place = newPlace();
  for (const [stdin, ...argv] of [
    [KEY, '../x', '--api-url', 'https://a.example'],
    [KEY, 'main', '--api-url', 'http://a.example'],
    ['two words', 'main', '--api-url', 'https://a.example'],
    ['', 'main', '--api-url', 'https://a.example'],
    ['', 'main', '--api-url', 'https://a.example', '--key-env', 'sk_live_1'],
  ] as const) {
    expect(await place.call(['profile', 'add', ...argv], {}, stdin), argv.join(' ')).toMatchObject({
      code: 2,
    });
  }
  expect((await place.call(['profile', 'list'])).stdout).toContain('There are no profiles yet');
});

test('a systemd credential that its group may read is accepted as a key file', async (context) => {
  needsRoot(context);
  const folder = await temporaryFolder();
  chmodSync(folder, 0o755);
  const file = join(folder, 'api-key');
  writeFileSync(file, 'the-key\n', { mode: 0o440 });
  chmodSync(file, 0o440);
  // Of root, and read by another user.
  process.seteuid?.(65_534);
  try {
    expect(variableOrFile('A_KEY', { A_KEY_FILE: file })).toBe('the-key');
    expect(variableOrFile('A_KEY', { A_KEY: 'mine', A_KEY_FILE: file })).toBe('mine');
    expect(variableOrFile('A_KEY', {})).toBeUndefined();
  } finally {
    process.seteuid?.(0);
  }
  chmodSync(file, 0o444);
  expect(() => variableOrFile('A_KEY', { A_KEY_FILE: file })).toThrow('Other users can read the key file');
});
