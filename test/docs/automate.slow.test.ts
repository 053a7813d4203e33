/** The examples of docs/automate.md run as printed, against servers of this machine. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { createClient } from '../../src/api/client.ts';
import { readWorkerConfig } from '../../src/worker/config/read-config.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { mailServer } from '../worker/mail-server.ts';
import { openWorker } from '../worker/open-worker.ts';
import { sftpServer } from '../worker/sftp-server.ts';
import { CERTIFICATE } from '../worker/test-certificate.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/automate.md'), 'utf8');
const BLOCKS = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = '']) => block);

interface Example {
  smtp?: Record<string, unknown>;
  schedules: Record<string, { deliver?: { sftp?: Record<string, unknown> }[] }>;
}

/** The example with a schedule of that name, with hosts of this machine. */
function exampleOf(schedule: string, hosts: { smtp?: object; sftp?: object }): string {
  const block = BLOCKS.find((each) => each.includes(`  ${schedule}:\n`)) ?? '';
  const example = parse(block) as Example;
  if (example.smtp !== undefined) Object.assign(example.smtp, hosts.smtp);
  for (const { sftp } of example.schedules[schedule]?.deliver ?? [])
    if (sftp !== undefined) Object.assign(sftp, hosts.sftp);
  return stringify(example);
}

const berlin = (text: string) => Date.parse(`${text}:30+01:00`);

test('every configuration on the page is valid', async () => {
  const folder = await temporaryFolder();
  for (const [at, block] of BLOCKS.entries()) {
    const example = parse(block.replaceAll('SHA256:…', `SHA256:${'A'.repeat(43)}`)) as Partial<Example>;
    // Where the page shows a part, what it shows beside it stands for the rest.
    const schedules = Object.entries(example.schedules ?? {}).filter(([, each]) => 'task' in each);
    const whole = {
      profiles: { main: { apiUrl: 'https://inventory.example.com', keyEnv: 'SHELFLIFT_API_KEY' } },
      ...example,
      schedules: Object.fromEntries(schedules),
    };
    const file = join(folder, `${at}.yaml`);
    writeFileSync(file, stringify(whole));
    expect(() => readWorkerConfig(file), block).not.toThrow();
  }
  expect(BLOCKS.length).toBeGreaterThanOrEqual(6);
});

test('the items sold since the last mail are mailed each month', async () => {
  const mail = await mailServer(true);
  const smtp = { host: 'localhost', port: mail.port, caFile: 'cert.pem' };
  await using place = await openWorker(exampleOf('sold', { smtp }));
  writeFileSync(join(place.folder, 'cert.pem'), CERTIFICATE);
  const environment = { MAIL_PASSWORD: 'hunter2' };
  const [robot = ''] = place.sandbox.control.insertItems([{ name: 'Robot' }, { name: 'Bear' }]);
  await place.once({ now: berlin('2026-11-30T12:00'), environment });
  const first = await place.once({ now: berlin('2026-12-01T06:00'), environment });
  expect(first.runs[0]).toMatchObject({ state: 'done', rows: 0 });
  await using client = createClient({ apiUrl: place.sandbox.url, key: place.sandbox.key });
  await client.updateItem(robot, { status: 'sold' });
  const second = await place.once({ now: berlin('2027-01-01T06:00'), environment });
  expect(second.runs[0]).toMatchObject({ state: 'done', rows: 1 });
  expect(mail.mails.map(({ text }) => /filename=(\S+)/.exec(text)?.[1])).toEqual([
    'sold-2026-11.xlsx',
    'sold-2026-12.xlsx',
  ]);
  expect(mail.mails[1]?.text).toContain('Subject: Sold in 2026-12');
});

test('the inventory is delivered to an SFTP server and a folder at the end of the year', async () => {
  const root = await temporaryFolder();
  const server = await sftpServer(root, true);
  const sftp = { host: '127.0.0.1', port: server.port, user: 'books', hostKey: server.fingerprint };
  await using place = await openWorker(exampleOf('inventory', { sftp }), { seed: 7, seedItems: 5 });
  const environment = { SFTP_PASSWORD: 'hunter2' };
  await place.once({ now: berlin('2026-12-30T12:00'), environment });
  const { runs } = await place.once({ now: berlin('2026-12-31T23:00'), environment });
  expect(runs[0]).toMatchObject({ state: 'done', deliveries: [{ done: true }, { done: true }] });
  expect(readdirSync(join(root, 'from-us'))).toEqual([
    'inventory-2026.xlsx',
    'inventory-2026.xlsx.manifest.json',
  ]);
  const [there, here] = [join(root, 'from-us'), join(place.folder, 'out')].map((folder) =>
    readFileSync(join(folder, 'inventory-2026.xlsx')),
  );
  expect(here?.equals(there ?? Buffer.of())).toBe(true);
});

test('the listings are delivered to a folder each week', async () => {
  await using place = await openWorker(exampleOf('listings', {}), { seed: 7, seedItems: 20 });
  await place.once({ now: berlin('2026-11-01T12:00') });
  for (const day of ['02', '09'])
    expect((await place.once({ now: berlin(`2026-11-${day}T06:00`) })).runs[0]?.state).toBe('done');
  const files = readdirSync(join(place.folder, 'out')).filter((name) => name.endsWith('.csv'));
  expect(files.sort()).toEqual(['listings-2026-11-02.csv', 'listings-2026-11-09.csv']);
});
