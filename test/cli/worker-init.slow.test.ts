import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { german } from '../../src/messages/german.ts';
import { message } from '../../src/messages/message.ts';
import { configYaml, PRESETS, type Answers, type Preset } from '../../src/worker/config/new-config.ts';
import { readWorkerConfig } from '../../src/worker/config/read-config.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { newPlace } from './run-shelflift.ts';
import { mailServer } from '../worker/mail-server.ts';
import { atTerminal } from './terminal.ts';

const ADDRESS = 'https://inventory.example.com';

test('worker init asks for tasks, times, targets and recipients, and writes a file that worker --check accepts', async () => {
  const place = newPlace();
  const { code, text } = await atTerminal(place, 'shelflift worker init', [
    ['Address of the API', 'ftp://x'],
    [/Address of the API/, ADDRESS],
    ['Where will the API key be stored?', '1'],
    ['Name of the variable', 'sk-live-1'],
    ['Name of the variable', ''],
    ['Time zone', 'Europe/Berlin'],
    ['What should the worker run?', '2'],
    ['first of each month', '25:00'],
    ['first of each month', '1:30'],
    ['Where should the file be delivered?', '2'],
    ['Address', 'books@example.com'],
    ['Anything else?', 'y'],
    ['What should the worker run?', '6'],
    ['Folder to watch', ''],
    ['Collection', 'Main: old'],
    ['Anything else?', 'n'],
    ['Who should get an e-mail', 'owner@example.com'],
    ['Mail server', 'localhost'],
    ['encrypted', '2'],
    ['Port', '70000'],
    ['Port', '1'],
    ['Sender address', 'shelflift@example.com'],
    ['User name on', ''],
    ['Variable with the password', ''],
    ['Send a test e-mail to owner@example.com, books@example.com now?', 'y'],
  ]);
  expect(text).toContain('Give the name of a variable, in capitals; not the secret itself.');
  expect(text).toContain('Before it runs, set SHELFLIFT_API_KEY and MAIL_PASSWORD.');
  // The server is not asked before there is a password.
  expect(text).toContain('The test e-mail was not sent: The configuration reads a secret from MAIL_PASSWORD');
  expect(code).toBe(0);
  const file = join(place.folder, 'shelflift.yaml');
  const yaml = readFileSync(file, 'utf8');
  expect(yaml).not.toContain('sk-live-1');
  expect(yaml.match(/^ *#/gm)?.length).toBeGreaterThan(4);
  expect(readWorkerConfig(file)).toMatchObject({
    profiles: { main: { apiUrl: ADDRESS, keyEnv: 'SHELFLIFT_API_KEY' } },
    schedules: {
      inventory: {
        cron: '30 1 1 * *',
        timeZone: 'Europe/Berlin',
        task: { report: 'inventory', out: 'inventory-{{period.start:yyyy-MM}}.xlsx' },
        deliver: [{ email: { to: ['books@example.com'] } }],
      },
    },
    hotFolders: [{ path: './drop', import: { collection: 'Main: old', skipInvalid: true } }],
    smtp: {
      host: 'localhost',
      port: 1,
      tls: 'implicit',
      user: 'shelflift@example.com',
      passwordEnv: 'MAIL_PASSWORD',
    },
    notify: { email: ['owner@example.com'] },
  });
  const checked = await place.call(['worker', '--check']);
  expect(checked.code, checked.stderr).toBe(0);
  expect(checked.stdout).toMatch(/inventory-\d{4}-\d{2}\.xlsx/);

  // It never overwrites.
  const again = await atTerminal(place, 'shelflift worker init', []);
  expect(again.code).toBe(2);
  expect(again.text).toContain('already exists');
  expect(readFileSync(file, 'utf8')).toBe(yaml);
});

test('the test mail of worker init goes to every recipient, through the server that was entered', async () => {
  const server = await mailServer(false);
  const place = newPlace();
  const { code, text } = await atTerminal(place, 'shelflift worker init', [
    ['Address of the API', ADDRESS],
    ['Where will the API key be stored?', '1'],
    ['Name of the variable', ''],
    ['Time zone', 'UTC'],
    ['What should the worker run?', '5'],
    ['first of each month', ''],
    ['Where should the file be delivered?', '2'],
    ['Address', 'books@example.com'],
    ['Anything else?', 'n'],
    ['Who should get an e-mail', 'owner@example.com'],
    ['Mail server', '127.0.0.1'],
    ['encrypted', '3'],
    ['Port', String(server.port)],
    ['Sender address', 'shelflift@example.com'],
    ['Send a test e-mail', 'y'],
  ]);
  expect(text).toContain('The mail server accepted the test e-mail.');
  expect(code).toBe(0);
  expect(server.mails).toMatchObject([{ to: ['owner@example.com', 'books@example.com'] }]);
  expect(readWorkerConfig(join(place.folder, 'shelflift.yaml')).schedules['month']).toMatchObject({
    cron: '30 0 1 * *',
    task: { report: 'month', out: '{{period.start:yyyy-MM}}.zip' },
  });
});

test('worker init in German writes a configuration whose mails are in German, and so is the test mail', async () => {
  const server = await mailServer(false);
  const place = newPlace();
  const { code } = await atTerminal(place, 'shelflift worker init --language de', [
    [german(message('ask_api_address', {})), ADDRESS],
    [german(message('ask_where_key', {})), '1'],
    [german(message('ask_key_variable', {})), ''],
    [german(message('ask_time_zone', {})), 'UTC'],
    [german(message('ask_what_to_run', {})), '5'],
    [german(message('ask_time_of_month', {})), ''],
    [german(message('ask_where_to', {})), '1'],
    [german(message('ask_folder', {})), ''],
    [german(message('ask_anything_else', {})), 'n'],
    [german(message('ask_whom_to_notify', {})), 'owner@example.com'],
    [german(message('ask_mail_server', {})), '127.0.0.1'],
    [german(message('ask_encryption', {})), '3'],
    [german(message('ask_port', {})), String(server.port)],
    [german(message('ask_sender', {})), 'shelflift@example.com'],
    [german(message('ask_test_mail', { to: ['owner@example.com'] })), 'j'],
  ]);
  expect(code).toBe(0);
  expect(readWorkerConfig(join(place.folder, 'shelflift.yaml')).notify?.language).toBe('de');
  expect(server.mails.map(({ text }) => text)).toEqual([expect.stringContaining('Dies ist ein Test.')]);
});

test('worker init refuses without a terminal, and writes nothing', async () => {
  const place = newPlace();
  const { code, stderr } = await place.run(['worker', 'init'], { stdin: `${ADDRESS}\n1\n` });
  expect([code, stderr]).toEqual([2, expect.stringContaining('needs a terminal')]);
  expect(() => readFileSync(join(place.folder, 'shelflift.yaml'))).toThrow();
});

test('a worker without a configuration reports that, and explains how to create a configuration', async () => {
  const place = newPlace({ SHELFLIFT_API_URL: ADDRESS, SHELFLIFT_API_KEY: 'key' });
  for (const more of [[], ['--once'], ['--check']]) {
    const { code, stderr } = await place.call(['worker', ...more]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('There is no shelflift.yaml in this folder.'),
    ]);
    expect(stderr).toContain('shelflift worker init');
  }
});

const TARGETS: Answers['schedules'][number]['target'][] = [
  { folder: './out: "mine"' },
  { email: 'books@example.com' },
  { rclone: 'drive:accounts' },
  { sftp: { host: 'h', user: 'u', hostKey: `SHA256:${'A'.repeat(43)}`, passwordEnv: 'P', folder: '.' } },
];

test.each(TARGETS)('every schedule that worker init writes can deliver to %j', async (target) => {
  const file = join(await temporaryFolder(), 'shelflift.yaml');
  const schedules = (Object.keys(PRESETS) as Preset[]).map((preset) => ({
    preset,
    hour: 6,
    minute: 0,
    target,
  }));
  const smtp = {
    host: 'm',
    port: 587,
    tls: 'starttls' as const,
    from: 'a@example.com',
    user: 'a',
    passwordEnv: 'M',
  };
  const answers = {
    apiUrl: ADDRESS,
    key: { keyFile: './key' },
    timeZone: 'UTC',
    drop: undefined,
    notify: undefined,
  };
  writeFileSync(file, configYaml({ ...answers, schedules, smtp }));
  for (const { deliver } of Object.values(readWorkerConfig(file).schedules)) expect(deliver).toHaveLength(1);
});
