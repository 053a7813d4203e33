/** `worker --check`: the folders of this machine; with --connect, whatever a configuration leads to. */
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { checkWorkerConfig } from '../../src/worker/config/check-config.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { refusingPort } from '../support/refusing-port.ts';
import { httpsServer } from './https-server.ts';
import { mailServer } from './mail-server.ts';
import { HAS_RCLONE, rcloneServer } from './rclone-server.ts';
import { sftpServer } from './sftp-server.ts';
import { CERTIFICATE } from './test-certificate.ts';

const FOLDERS = `profiles:
  main: { apiUrl: "https://inventory.example.com", keyEnv: THE_KEY }
schedules:
  a: { profile: main, cron: "0 6 * * *", timeZone: UTC, task: { export: items, out: "made/{{period.end:yyyy}}/a.csv" } }
  b: { profile: main, cron: "0 6 * * *", timeZone: UTC, task: { export: items, out: b.csv }, deliver: [{ folder: ./out }, { folder: /nowhere/accounts }] }
  c: { profile: main, cron: "0 6 * * *", timeZone: UTC, task: { import: { url: "https://example.com/a.csv", outDir: ./imported } } }
hotFolders: [{ path: ./drop, profile: main }]
`;

/** Runs as another user than root, whom no mode stops. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

test('a folder name that is invalid in every file system is reported with its line', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'shelflift.yaml');
  const long = 'o'.repeat(300);
  writeFileSync(file, FOLDERS.replace('./out', long).replace('./drop', `./${long}`));
  const { message } = (await Promise.resolve()
    .then(() => checkWorkerConfig(file, { THE_KEY: 'x' }))
    .catch((thrown: unknown) => thrown)) as Error;
  expect(message).toContain(`schedules.b.deliver.0.folder: ${join(folder, long)}: name too long`);
  expect(message).toContain(`hotFolders.0.path: ${join(folder, long)}: name too long`);
});

test('every folder must be writable by this user; a missing folder is a warning', async () => {
  const folder = await temporaryFolder();
  chmodSync(folder, 0o755);
  const file = join(folder, 'shelflift.yaml');
  writeFileSync(file, FOLDERS);
  for (const name of ['made', 'out', 'imported', 'drop']) {
    mkdirSync(join(folder, name));
    chmodSync(join(folder, name), 0o777);
  }
  const check = () => asNobody(() => checkWorkerConfig(file, { THE_KEY: 'x' }));
  const missing = {
    path: 'schedules.b.deliver.1.folder',
    said: { code: 'folder_missing', params: { folder: '/nowhere/accounts' } },
  };
  expect((await check()).warnings).toMatchObject([missing]);
  // Nothing is left of the check.
  expect(['made', 'out', 'imported', 'drop'].flatMap((name) => readdirSync(join(folder, name)))).toEqual([]);

  for (const name of ['made', 'out', 'imported', 'drop']) chmodSync(join(folder, name), 0o555);
  onTestFinished(() => {
    for (const name of ['made', 'out', 'imported', 'drop']) chmodSync(join(folder, name), 0o755);
  });
  const error = (await check().catch((thrown: unknown) => thrown)) as Error;
  const lines = error.message.split('\n').map((line) => line.replace(/^.*?yaml:\d+:\d+: /, ''));
  expect(lines).toEqual([
    `schedules.a.task.out: ${folder}/made: this user has no permission to write there`,
    `schedules.b.deliver.0.folder: ${folder}/out: this user has no permission to write there`,
    `schedules.c.task.import.outDir: ${folder}/imported: this user has no permission to write there`,
    `hotFolders.0.path: ${folder}/drop: this user has no permission to write there`,
  ]);
});

describe.skipIf(!HAS_RCLONE)('--connect', () => {
  test('logs in to every target of the configuration, and sends nothing', async () => {
    await using api = await startSandbox();
    const [sftp, mail, cloud] = [
      await sftpServer(await temporaryFolder(), true),
      await mailServer(true),
      await rcloneServer('webdav'),
    ];
    const web = await httpsServer((_request, response) => void response.end('name\nRobot\n'));
    const dead = await refusingPort();
    const place = newPlace({
      THE_KEY: api.key,
      SFTP: 'hunter2',
      WRONG: 'hunter3',
      HOOK: 'whsec_x',
      RCLONE_CONFIG: cloud.config,
    });
    place.file('cert.pem', CERTIFICATE);
    const at = 'allowPrivate: true, caFile: cert.pem';
    const to = (password: string) =>
      `sftp: { host: 127.0.0.1, port: ${sftp.port}, user: books, hostKey: "${sftp.fingerprint}", passwordEnv: ${password} }`;
    place.file(
      'shelflift.yaml',
      `profiles:
  main: { apiUrl: "${api.url}", keyEnv: THE_KEY }
  wrong: { apiUrl: "${api.url}", keyEnv: WRONG }
schedules:
  good:
    profile: main
    cron: "0 6 * * *"
    timeZone: UTC
    task: { export: items, out: a.csv }
    deliver: [{ folder: ./out }, { ${to('SFTP')} }, { rclone: "cloud:new/folder" }, { email: { to: a@example.com } }]
    ping: { url: "${web.url}/ping", ${at} }
  stock: { profile: main, cron: "0 6 * * *", timeZone: UTC, task: { import: { url: "${web.url}/a.csv", ${at} } } }
  bad:
    profile: main
    cron: "0 6 * * *"
    timeZone: UTC
    task: { export: items, out: b.csv }
    deliver: [{ ${to('WRONG')} }, { rclone: "nowhere:x" }]
    ping: { url: "https://127.0.0.1:${dead}/", ${at} }
smtp: { host: localhost, port: ${mail.port}, from: a@example.com, caFile: cert.pem }
notify: { webhook: { url: "${web.url}/hook", secretEnv: HOOK } }
`,
    );
    const { code, stdout } = await place.call(['worker', '--check', '--connect', '--json']);
    expect(code).toBe(6);
    const { connections } = JSON.parse(stdout) as { connections: { path: string; problem?: string }[] };
    const problems = Object.fromEntries(connections.map(({ path, problem }) => [path, problem]));
    expect(problems).toEqual({
      'profiles.main': undefined,
      'profiles.wrong': expect.stringContaining('key') as string,
      'schedules.good.deliver.0': undefined,
      'schedules.good.deliver.1': undefined,
      'schedules.good.deliver.2': undefined,
      'schedules.good.deliver.3': undefined,
      'schedules.good.ping': undefined,
      'schedules.stock.task.import': undefined,
      'schedules.bad.deliver.0': expect.stringContaining('authentication') as string,
      'schedules.bad.deliver.1': expect.stringContaining("didn't find section") as string,
      'schedules.bad.ping': expect.stringContaining('cannot be reached') as string,
      smtp: undefined,
      'notify.webhook': expect.stringContaining('is a private address') as string,
    });
    // Only the source is read; a ping or a message would be one.
    expect(web.asked).toEqual(['GET /a.csv']);
    expect(mail.mails).toEqual([]);
    expect(sftp.operations).toEqual([]);
    expect(readdirSync(cloud.root)).toEqual([]);
    const shown = await place.call(['worker', '--check', '--connect']);
    expect(shown.stdout).toMatch(/schedules\.good\.deliver\.1 +sftp 127\.0\.0\.1:\. +ok/);
    expect(shown.stdout + shown.stderr + stdout).not.toMatch(/hunter|whsec/);
  });
});
