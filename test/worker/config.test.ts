import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkWorkerConfig } from '../../src/worker/config/check-config.ts';
import { readSchedule, readWorkerConfig } from '../../src/worker/config/read-config.ts';
import { fillPattern, patternProblem } from '../../src/worker/schedule/file-pattern.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { EXAMPLE } from './example-config.ts';
import { english } from '../../src/messages/message.ts';

async function read(text: string) {
  const file = join(await temporaryFolder(), 'shelflift.yaml');
  writeFileSync(file, text);
  return readWorkerConfig(file);
}

async function problemsOf(text: string): Promise<string[]> {
  try {
    await read(text);
  } catch (error) {
    return (error as Error).message.split('\n').map((line) => line.replace(/^.*shelflift\.yaml:/, ''));
  }
  return [];
}

test('the pinned example is read, with defaults for missing options', async () => {
  const config = await read(EXAMPLE);
  expect(config.schedules['accounting']).toMatchObject({
    task: { export: 'items', out: 'items-{{period.end:yyyy-MM}}.xlsx' },
    deliver: [{ folder: './out' }],
    catchUp: 'once',
  });
  expect(config.hotFolders[0]?.import).toEqual({ collection: 'Main', skipInvalid: true });
  expect(config.retries).toEqual({ tries: 5, backoff: 60_000, outage: 7 * 86_400_000 });
});

test('options of a task may be written with or without dashes', async () => {
  const dashed = await read(EXAMPLE.replace('export: items,', 'export: items, require-stable: true,'));
  const joined = await read(EXAMPLE.replace('export: items,', 'export: items, requireStable: true,'));
  expect(dashed.schedules['accounting']?.task).toEqual(joined.schedules['accounting']?.task);
});

test('a file name with a control character is reported with its line', async () => {
  const task = (out: string) => `profiles:
  main: { apiUrl: "https://api.example.test", keyEnv: SHELFLIFT_API_KEY }
schedules:
  a: { profile: main, cron: "0 6 * * *", timeZone: UTC, task: { export: items, out: "${out}" } }
`;
  for (const out of ['items\\0.csv', 'items\\n.csv', 'sub\\t/items.csv'])
    expect(await problemsOf(task(out))).toEqual([expect.stringMatching(/^4:.*control character/)]);
  expect(await problemsOf(task('items.csv'))).toEqual([]);
});

test('all problems are reported at once, each with its line and column', async () => {
  const text = `profiles:
  main: { apiUrl: "ftp://x", keyEnv: SHELFLIFT_API_KEY, key: "the-secret-itself" }
schedules:
  a:
    profile: nope
    cron: "61 * * * *"
    timeZone: Europe/Berln
    task: { export: itms, out: "x-{{period.foo}}.xlsx", bogus: 1 }
    deliver: [{ folder: 3 }, { email: { to: a@example.com } }]
    catchUp: sometimes
  b: { profile: main, cron: "0 0 30 2 *", timeZone: UTC, task: { export: items }, bogus: 2 }
hotFolders:
  - { path: ./drop, profile: mani, import: { skipInvalid: 3 } }
`;
  const problems = await problemsOf(text);
  const places = problems.map((line) => line.split(' ')[0]);
  expect(places).toEqual([
    '2:11:',
    '2:57:',
    '5:5:',
    '6:5:',
    '7:5:',
    '8:13:',
    '8:27:',
    '8:57:',
    '9:17:',
    '9:30:',
    '10:5:',
    '11:23:',
    '11:58:',
    '11:83:',
    '13:21:',
    '13:46:',
  ]);
  expect(problems.join('\n')).not.toContain('the-secret-itself');
  expect(problems[3]).toContain('schedules.a.cron: "61 * * * *" is not a valid cron expression');
  expect(problems[4]).toContain('"Europe/Berln" is not a time zone');
  expect(problems[10]).toContain('expected once, all or skip');
  expect(problems[11]).toContain('never fires');
});

test('a secret in the file is refused and not repeated, wherever it is', async () => {
  const smtp = `${EXAMPLE}smtp: { host: mail.example.com, from: a@example.com, password: hunter2 }\n`;
  const problems = await problemsOf(smtp);
  expect(problems).toEqual([expect.stringContaining('a secret does not belong in this file')]);
  const pasted = await problemsOf(EXAMPLE.replace('keyEnv: SHELFLIFT_API_KEY', 'keyEnv: sk-live-123'));
  expect(pasted).toEqual([expect.stringContaining('expected the name of an environment variable')]);
  expect([...problems, ...pasted].join('\n')).not.toMatch(/hunter2|sk-live/);
});

test('dates in file names are in the time zone of the schedule', () => {
  const period = {
    start: Date.UTC(2026, 11, 31, 20),
    end: Date.UTC(2026, 11, 31, 23),
    timeZone: 'Europe/Berlin',
  };
  expect(fillPattern('a-{{period.end:yyyy-MM-dd HHmm}}-{{period.start:yy}}.csv', period)).toBe(
    'a-2027-01-01 0000-26.csv',
  );
  expect(fillPattern('{{ period.end }}.csv', period)).toBe('2027-01-01.csv');
  expect(patternProblem('{{period.end:yyyy}}')).toBeUndefined();
  expect(english(patternProblem('{{period.end:YYYY}}')!)).toContain('"YYYY" is not one of yyyy');
  expect(english(patternProblem('{{today}}')!)).toContain('is unknown');
  expect(english(patternProblem('{{period.end')!)).toContain('without');
});

test('two problems of the same value are both reported', async () => {
  const problems = await problemsOf(
    EXAMPLE.replace('items-{{period.end:yyyy-MM}}.xlsx', '../{{period.foo}}.xlsx'),
  );
  expect(problems).toEqual([
    expect.stringContaining('{{period.foo}} is unknown'),
    expect.stringContaining('expected a name inside the delivery folder'),
  ]);
});

test('a mail server gets a password without encryption only on this machine', async () => {
  const smtp = (more: string) => problemsOf(`profiles: {}\nsmtp: { from: "a@example.com", ${more} }\n`);
  const problem = /^2:\d+: smtp\.tls: sends the password to .* unencrypted: .* starttls or implicit/;
  for (const host of [
    'mail.example.com',
    '192.168.1.5',
    'localhost.example.com',
    '127.0.0.1.example.com',
    '"::2"',
  ])
    for (const password of ['passwordEnv: THE_PASSWORD', 'passwordFile: ./password'])
      expect(await smtp(`host: ${host}, tls: none, user: a, ${password}`), host).toEqual([
        expect.stringMatching(problem),
      ]);
  for (const allowed of [
    'host: mail.example.com, tls: none',
    'host: mail.example.com, user: a, passwordEnv: THE_PASSWORD',
    ...['localhost', '127.0.0.1', '"::1"'].map(
      (host) => `host: ${host}, tls: none, user: a, passwordEnv: THE_PASSWORD`,
    ),
  ])
    expect(await smtp(allowed), allowed).toEqual([]);
});

test('an invalid value is reported with the expected form, and never repeated', async () => {
  const problems = await problemsOf(`profiles:
  main: { apiUrl: "https://inventory.example.com", keyEnv: SHELFLIFT_API_KEY }
  "a b": { apiUrl: "https://inventory.example.com", keyEnv: SHELFLIFT_API_KEY }
  empty:
schedules:
  a:
    profile: main
    cron: 5
    timeZone: 3
    task: { export: items, out: a.csv, colunms: id }
    deliver: [{ ftp: hunter2 }, { folder: a, email: { to: b@example.com } }, 5, { sftp: { host: h } }, {}]
  b: 7
hotFolders:
  - hunter2
  - { path: ./drop, profil: main }
  - { path: drop/, profile: main }
retries: { tries: 0, backoff: 5 }
notify: { email: [] }
smtp: { host: h, from: f, port: hunter2, tls: hunter2 }
parallel: hunter2
`);
  expect(problems.map((line) => line.replace(/^\d+:\d+: /, ''))).toEqual([
    'profiles.a b: expected letters, digits, - . or _',
    'profiles.empty: expected a map of keys, found null',
    'schedules.a.cron: expected a cron expression, such as "0 6 1 * *"',
    'schedules.a.timeZone: expected a time zone, such as Europe/Berlin',
    expect.stringMatching(/^schedules.a.task.colunms: is unknown: expected export, report, import, out/),
    expect.stringMatching(/^schedules.a.deliver.0: expected one of \{ folder/),
    'schedules.a.deliver.0.ftp: is unknown: expected folder, mounted, sftp, rclone, email',
    expect.stringMatching(/^schedules.a.deliver.1: expected one of \{ folder/),
    'schedules.a.deliver.2: expected a map of keys, found 5',
    'schedules.a.deliver.3.sftp.user: is missing: expected text',
    'schedules.a.deliver.3.sftp.hostKey: is missing: expected text',
    expect.stringMatching(/^schedules.a.deliver.4: expected one of \{ folder/),
    'schedules.b: expected a map of keys, found 7',
    'hotFolders.0: expected a map of keys, found text',
    'hotFolders.1.profile: is missing: expected text',
    'hotFolders.1.profil: is unknown: expected path, profile, import, polling, ready, alertShare',
    'hotFolders.2.path: this folder is already being watched',
    'retries.tries: expected at least 1, found 0',
    'retries.backoff: expected a number with a unit, such as 500ms, 10s, 5m or 24h',
    'notify.email: expected at least 1 entry, found a list of 0 entries',
    'smtp.port: expected a number, found text',
    'smtp.tls: expected one of starttls, implicit, none, found text',
    'parallel: expected a number, found text',
  ]);
});

test('--check reports all problems of options, folders and key files at once', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'shelflift.yaml');
  for (const name of ['open.key', 'empty.key', 'a-file']) writeFileSync(join(folder, name), '');
  writeFileSync(join(folder, 'open.key'), 'k', { mode: 0o644 });
  chmodSync(join(folder, 'open.key'), 0o644);
  chmodSync(join(folder, 'empty.key'), 0o600);
  writeFileSync(
    file,
    `profiles:
  open: { apiUrl: "http://localhost:1", keyFile: open.key }
  empty: { apiUrl: "http://localhost:1", keyFile: empty.key }
schedules:
  a:
    profile: open
    cron: "0 0 1 13 *"
    cron: "0 0 1 1 *"
    timeZone: UTC
    task: { export: items, out: a.csv, status: "keep,nostatus", columns: "id,nope", template: nope, locale: "-" }
  b: { profile: open, cron: "0 0 * * *", timeZone: UTC, task: { report: sales, out: b.xlsx, currency: nope } }
  c: { profile: open, cron: "0 0 * * *", timeZone: UTC, task: { export: sales, out: c.csv, columns: brand } }
  d: { profile: open, cron: "0 0 * * *", timeZone: UTC, task: { export: items, out: d.html, columns: nope } }
  e: { profile: open, cron: "0 0 * * *", timeZone: UTC, task: { report: sales, require-stable: true } }
hotFolders:
  - { path: ./drop, profile: open, import: { template: nope, map: { nme: Name } } }
  - { path: drop/, profile: open }
  - { path: ./drop/done/late, profile: open }
  - { path: a-file, profile: open }
`,
  );
  const error = await checkWorkerConfig(file, {}).catch((thrown: unknown) => thrown as Error);
  const lines = (error as Error).message
    .split('\n')
    .map((line) => line.slice(file.length + 1).replace(/^(\d+:\d+): (.{0,60}).*/, '$1 $2'));
  expect(lines).toEqual([
    expect.stringMatching(/^2:41 profiles.open.keyFile: Other users can read the key file .*/),
    expect.stringMatching(/^3:42 profiles.empty.keyFile: /),
    expect.stringMatching(/^8:5 this key is already in the map/),
    expect.stringMatching(/^10:40 schedules.a.task.status: There is no status "nostatus"/),
    expect.stringMatching(/^10:65 schedules.a.task.columns: /),
    expect.stringMatching(/^10:85 schedules.a.task.template: /),
    expect.stringMatching(/^10:101 schedules.a.task.locale: /),
    expect.stringMatching(/^11:93 schedules.b.task.currency: /),
    expect.stringMatching(/^12:92 schedules.c.task.columns: /),
    expect.stringMatching(/^13:80 schedules.d.task.out: expected a name that ends in \.csv/),
    expect.stringMatching(/^13:93 schedules.d.task.columns: /),
    expect.stringMatching(/^14:57 schedules.e.task: needs out/),
    expect.stringMatching(/^14:80 schedules.e.task.require-stable: is not an option of report/),
    expect.stringMatching(/^16:46 hotFolders.0.import.template: /),
    expect.stringMatching(/^16:69 hotFolders.0.import.map.nme: there is no field "nme"/),
    expect.stringMatching(/^17:7 hotFolders.1.path: this folder is already being watched/),
    expect.stringMatching(/^18:7 hotFolders.2.path: is inside a folder that /),
    expect.stringMatching(/^19:7 hotFolders.3.path: /),
  ]);
});

test('--check only warns of things missing on this machine, because the worker may run on another', async () => {
  const file = join(await temporaryFolder(), 'shelflift.yaml');
  writeFileSync(
    file,
    `${EXAMPLE.replace('schedules:', '  other: { apiUrl: "http://localhost:1", keyFile: none.key }\nschedules:')}
smtp: { host: mail.example.com, from: a@example.com, user: a, passwordEnv: MAIL_PASSWORD }
`,
  );
  const { warnings } = await checkWorkerConfig(file, {});
  expect(warnings).toMatchObject([
    {
      path: 'profiles.main.keyEnv',
      line: 2,
      column: 52,
      said: { params: { variable: 'SHELFLIFT_API_KEY' } },
    },
    {
      path: 'profiles.other.keyFile',
      line: 3,
      said: { code: 'is_not_there', params: { file: expect.stringContaining('none.key') } },
    },
    { path: 'smtp.passwordEnv', said: { params: { variable: 'MAIL_PASSWORD' } } },
  ]);
  const set = { SHELFLIFT_API_KEY: 'k', MAIL_PASSWORD: 'p' };
  expect((await checkWorkerConfig(file, set)).warnings).toHaveLength(1);
});

test('<< merges maps, and an unknown alias is reported as such', async () => {
  const merged = await read(`profiles:
  main: &main { apiUrl: "http://localhost:1", keyEnv: SHELFLIFT_API_KEY }
  slow: { <<: *main, maxRate: 1 }
`);
  expect(merged.profiles['slow']).toMatchObject({ keyEnv: 'SHELFLIFT_API_KEY', maxRate: 1 });
  expect(await problemsOf('profiles: *none\n')).toEqual([expect.stringMatching(/^1:1: Unresolved alias/)]);
});

test('a file that nobody reviews cannot archive missing items', async () => {
  const imports = EXAMPLE.replace('skipInvalid: true', 'mode: upsert, missing: archive');
  expect(imports).not.toBe(EXAMPLE);
  expect(await problemsOf(imports)).toEqual([
    expect.stringMatching(
      /^\d+:\d+: hotFolders\.0\.import\.missing: archives items, so a person must review/,
    ),
  ]);
  const fetched = EXAMPLE.replace(
    /task: \{.*\}/,
    'task: { import: { url: "https://example.com/s.csv", mode: upsert, missing: archive } }',
  );
  expect(await problemsOf(fetched)).toContainEqual(
    expect.stringMatching(/^\d+:\d+: schedules\.accounting\.task\.import\.missing: archives items/),
  );
  const task = EXAMPLE.replace('export: items,', 'export: items, missing: archive,');
  expect(await problemsOf(task)).toEqual([
    expect.stringMatching(/^\d+:\d+: schedules\.accounting\.task\.missing: archives items, so a person/),
  ]);
});

test.each([
  ['an alias inside its own value', 'profiles: &a\n  main: *a\n', /an alias contains itself/],
  ['ten thousand unclosed lists', `profiles: ${'['.repeat(10_000)}`, /levels deep/],
  ['nested keys', '? '.repeat(3000), /expected a text key/],
  [
    'a secret in place of a variable name',
    'profiles:\n  main: { apiUrl: "https://a.example.com", keyEnv: toString }\n',
    undefined,
  ],
])('a configuration with %s is quickly refused with a message', async (_, text, problem) => {
  const file = join(await temporaryFolder(), 'shelflift.yaml');
  writeFileSync(file, text);
  const checked = checkWorkerConfig(file, process.env);
  if (problem === undefined)
    expect((await checked).warnings).toMatchObject([{ said: { code: 'is_not_set' } }]);
  else
    await expect(checked).rejects.toMatchObject({
      code: 'bad_config',
      message: expect.stringMatching(problem),
    });
});

test('one schedule is read even if others are invalid; its own mistakes are reported with their position', async () => {
  const file = join(await temporaryFolder(), 'shelflift.yaml');
  writeFileSync(file, EXAMPLE.replace('schedules:', 'schedules:\n  broken: { cron: never }'));
  expect(readSchedule(file, 'accounting')).toEqual((await read(EXAMPLE)).schedules['accounting']);
  expect(() => readSchedule(file, 'broken')).toThrow(
    /shelflift\.yaml:\d+:\d+: schedules\.broken\.cron: "never" is not a valid cron/,
  );
  writeFileSync(file, EXAMPLE);
  for (const name of ['other', 'constructor'])
    expect(() => readSchedule(file, name)).toThrow(`There is no schedule "${name}".`);
});

test('the error suggests the most similar of many names', async () => {
  const file = join(await temporaryFolder(), 'shelflift.yaml');
  const names = Array.from({ length: 200 }, (_, index) => index);
  const profiles = names.map((index) => `  p${index}: { apiUrl: "https://api.example", keyEnv: KEY }\n`);
  const schedules = names.map(
    (index) =>
      `  s${index}: { profile: p${index}, cron: "0 6 * * *", timeZone: UTC, task: { export: items, out: a.csv } }\n`,
  );
  const text = `profiles:\n${profiles.join('')}schedules:\n${schedules.join('')}`;
  writeFileSync(file, text);
  expect(() => readSchedule(file, 's177x')).toThrow(
    expect.objectContaining({
      remedy: expect.stringMatching(/^The schedules are s177, s\d+, s\d+ and 197 others\.$/),
    }),
  );
  writeFileSync(file, text.replace('profile: p7,', 'profile: p7x,'));
  expect(() => readSchedule(file, 's7')).toThrow(
    /: schedules\.s7\.profile: there is no profile "p7x"; known profiles: p7, p\d+, p\d+ and 197 others$/,
  );
});
