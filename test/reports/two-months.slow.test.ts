/**
 * Two months of a shop, night by night: purchases, sales, revaluations, moves, restated sales, a missed night at the turn
 * of a month, and workers that are killed. Each package adds up, begins where the last one ended, and shows what an
 * independent script computes from the server's own log.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { ItemStatus } from '../../src/api/schemas.ts';
import { verifyExport } from '../../src/export/verify/verify.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, newPlace } from '../cli/run-shelflift.ts';
import { random } from '../support/seed.ts';
import { type Night, runNight } from './month-worker.ts';
import { find, runProgram } from './programs.ts';

const DAY = 86_400_000;
const python = find('python3');
const soffice = find('soffice', 'libreoffice');
const CURRENCIES = ['usd', 'eur', 'jpy'] as const;

const CONFIG = (url: string) => `
profiles: { main: { apiUrl: "${url}", keyEnv: THE_KEY } }
retries: { backoff: 1ms }
schedules:
  nightly: { profile: main, cron: "0 2 * * *", timeZone: Europe/Berlin, task: { report: inventory, out: inventory.csv }, deliver: [{ folder: ./out }] }
  sales: { profile: main, cron: "0 2 * * *", timeZone: Europe/Berlin, task: { report: sales, out: sales.csv }, deliver: [{ folder: ./out }] }
  again: { profile: main, cron: "1 2 * * *", timeZone: Europe/Berlin, task: { report: sales, out: again.csv }, deliver: [{ folder: ./out }] }
  journal: { profile: main, cron: "30 0 1 * *", timeZone: Europe/Berlin, task: { export: items, changedSinceLast: csv, became: sold, template: ./journal.yaml, out: "journal-{{period.start:yyyy-MM}}.csv" }, deliver: [{ folder: ./out }] }
  journalBook: { profile: main, cron: "30 0 1 * *", timeZone: Europe/Berlin, task: { export: items, changedSinceLast: xlsx, became: sold, template: ./journal.yaml, out: "journal-{{period.start:yyyy-MM}}.xlsx" }, deliver: [{ folder: ./out }] }
  month: { profile: main, cron: "30 0 1 * *", timeZone: Europe/Berlin, task: { report: month, currency: usd, out: "{{period.start:yyyy-MM}}.zip" }, deliver: [{ folder: ./out }] }
`;

/** A bookkeeper's own accounts and tax codes, with dates and amounts as their program imports them. */
const JOURNAL = `
name: own
columns:
  - { title: Belegdatum, field: _became_by, format: date, pattern: dd.MM.yyyy, required: true }
  - { title: Beleg, field: id }
  - { title: Konto, constant: "1200" }
  - { title: Gegenkonto, field: collection_name, words: { Main: "8400", Books: "8300" }, required: true }
  - { title: Steuer, field: collection_name, words: { Main: "3", Books: "2" }, required: true }
  - { title: "Umsatz (custom_fields.sold_price)", field: custom_fields.sold_price, format: money, required: true, total: true }
  - { title: WKZ, field: currency, words: { eur: EUR, usd: USD, jpy: JPY }, required: true }
where: status=sold
delimiter: ";"
decimal: comma
`;

/** A shop whose clock a test moves, and the log of its server. */
async function openShop() {
  const log: object[] = [];
  let shift = 0;
  const now = () => Date.now() + shift;
  const sandbox = await startSandbox({
    seed: 36,
    seedItems: 0,
    now,
    onRequest: ({ operation, status, answer }) => {
      if (status === 200 && operation === 'getSalesSummary')
        log.push({ at: now(), sales: JSON.parse(answer) as unknown });
      if (
        ['createItem', 'updateItem', 'getItem'].includes(operation ?? '') &&
        (status === 200 || status === 201)
      )
        log.push({ at: now(), item: JSON.parse(answer) as unknown });
    },
  });
  const { folder } = newPlace();
  writeFileSync(join(folder, 'shelflift.yaml'), CONFIG(sandbox.url));
  writeFileSync(join(folder, 'journal.yaml'), JOURNAL);
  const client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
  return {
    sandbox,
    client,
    folder,
    log,
    setTime: (time: number) => {
      shift = time - Date.now();
    },
    night: (): Night => ({ folder, key: sandbox.key, shift }),
  };
}

const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const price = () => Math.round(random() * 100_000) / 100;

test.skipIf(python === undefined)(
  'each monthly report of a shop adds up, and begins where the previous one ended',
  async () => {
    const { sandbox, client, folder, log, setTime, night } = await openShop();
    await using _ = sandbox;
    await using __ = client;
    const collections = ['Main', 'Books'].map((name) => {
      const collection = sandbox.control.addCollection(name);
      log.push({ at: 0, collection });
      return collection.id;
    });
    const own: string[] = [];
    const buy = async () => {
      const currency = pick(CURRENCIES);
      const value = random() < 0.1 ? null : currency === 'jpy' ? Math.round(price()) : price();
      const item = {
        name: `Toy ${own.length}`,
        currency,
        estimated_value: value,
        collection_id: pick(collections),
      };
      const [id = ''] = sandbox.control.insertItems([
        { ...item, status: pick(['keep', 'sell', 'trade'] as const) },
      ]);
      await client.getItem(id);
      own.push(id);
    };
    const change = async () => {
      const id = pick(own);
      const { value: item } = await client.getItem(id);
      const value = item.currency === 'jpy' ? Math.round(price()) : price();
      const moved = (): { status: ItemStatus; custom_fields?: { sold_price: string } } => {
        const status = pick(['keep', 'sell', 'sold', 'sold', 'archived'] as const);
        const paid = item.currency === 'jpy' ? Math.round(price()) : price();
        return status === 'sold' ? { status, custom_fields: { sold_price: String(paid) } } : { status };
      };
      await client.updateItem(
        id,
        pick([
          { estimated_value: value },
          moved(),
          { ...moved(), estimated_value: value },
          { collection_id: pick(collections) },
        ]),
      );
    };
    // At 02:05 in Berlin, which leaves summer time in the second month.
    const nightOf = (day: number) => Date.UTC(2026, 7, 31 + day, day < 55 ? 0 : 1, 5);
    const missed = new Set([16, 31]);
    for (let day = 0; day <= 62; day += 1) {
      setTime(nightOf(day) - DAY / 2);
      for (let count = day === 0 ? 40 : random() * 4; count > 0; count -= 1) await buy();
      for (let count = random() * 5; count > 0; count -= 1) await change();
      setTime(nightOf(day));
      if (missed.has(day)) continue;
      if (day === 62)
        for (const dieAt of ['page', 'delivering', 'delivered'] as const) {
          const killed = spawn(process.execPath, [
            join(import.meta.dirname, 'month-worker.ts'),
            JSON.stringify({ ...night(), dieAt }),
          ]);
          expect((await ended(killed)).code).not.toBe(0);
        }
      await runNight(night());
    }

    const out = join(folder, 'out');
    const packages = readdirSync(out).filter((name) => name.endsWith('.zip'));
    expect(packages).toEqual(['2026-08.zip', '2026-09.zip', '2026-10.zip']);
    for (const name of packages) expect((await verifyExport(join(out, name))).problems).toEqual([]);
    const journals = readdirSync(out).filter((name) => /^journal.*(csv|xlsx)$/.test(name));
    expect(journals).toHaveLength(6);
    const problemsIn = async (script: string, names: readonly string[], entries: readonly object[]) => {
      const lines = join(folder, 'log.ndjson');
      writeFileSync(lines, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      const files = names.map((name) => join(out, name));
      return (await runProgram(python ?? '', [join(import.meta.dirname, script), lines, ...files])).trim();
    };
    for (const [script, names] of [
      ['month-totals.py', packages],
      ['journal-totals.py', journals],
    ] as const) {
      expect(await problemsIn(script, names, log)).toBe('');
      // The script would notice: of another month's log it agrees with nothing.
      expect(await problemsIn(script, names, log.slice(0, -40))).not.toBe('');
    }

    const files = unzipSync(readFileSync(join(out, '2026-10.zip')));
    expect(Buffer.from(files['sales-restatements.csv'] ?? []).toString()).toMatch(/Net payout.*-\d/);
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
    for (const name of Object.keys(files).filter((each) => !each.endsWith('.manifest.json')))
      expect((await verifyExport(join(folder, name))).problems).toEqual([]);
    if (soffice === undefined) return;
    for (const [name, to] of [
      ['cover.xlsx', 'pdf'],
      ['roll-forward.csv', 'xlsx'],
      ['out/journal-2026-10.xlsx', 'csv'],
    ] as const) {
      const { code, stderr } = await ended(
        spawn(soffice, [
          '--headless',
          '--norestore',
          `-env:UserInstallation=${pathToFileURL(join(folder, 'office')).href}`,
          '--convert-to',
          to,
          '--outdir',
          join(folder, 'read'),
          join(folder, name),
        ]),
      );
      // It would like a Java, which it does not need.
      const told = stderr.split('\n').filter((line) => line !== '' && !line.includes('javaldx'));
      expect([name, code, told]).toEqual([name, 0, []]);
    }
    expect(readdirSync(join(folder, 'read')).sort()).toEqual([
      'cover.pdf',
      'journal-2026-10.csv',
      'roll-forward.xlsx',
    ]);
    const calc = readFileSync(join(folder, 'read/journal-2026-10.csv'), 'utf8').trim().split('\n');
    const ours = readFileSync(join(out, 'journal-2026-10.csv'), 'utf8').trim().split('\r\n');
    const cells = (lines: readonly string[], separator: string) =>
      lines.slice(1).map((line) => {
        const row = line
          .replaceAll('"', '')
          .replace(/,(\d+;...)$/, '.$1')
          .split(separator);
        return row.with(5, String(Number(row[5]))).join(';');
      });
    expect(ours.length).toBeGreaterThan(5);
    expect(cells(calc, ',').sort()).toEqual(cells(ours, ';').sort());
  },
);
