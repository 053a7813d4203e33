/** The mail that brings a file says what it is, from when, how much, and how complete. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PREMISES, ReportManifest } from '../../src/export/verify/manifest.ts';
import { verifyExport } from '../../src/export/verify/verify.ts';
import { coverText } from '../../src/worker/delivery/cover-text.ts';
import { DAY, TUESDAY } from './example-config.ts';
import { mailServer, partsOf } from './mail-server.ts';
import { openWorker, type WorkerPlace } from './open-worker.ts';
import { CERTIFICATE } from './test-certificate.ts';

const CONFIG = (port: number, task: string, email = '') => `
smtp: { host: localhost, port: ${port}, from: "shelflift@example.com", caFile: cert.pem }
notify: { email: owner@example.com }
schedules:
  books:
    profile: main
    cron: "0 6 * * *"
    timeZone: Europe/Berlin
    task: { ${task} }
    deliver: [{ email: { to: books@example.com${email} } }]
`;

/** A worker that mails a file each day, and the text and files of its mails so far. */
async function mailing(task: string, email?: string) {
  const server = await mailServer(true);
  const place = await openWorker(CONFIG(server.port, task, email));
  writeFileSync(join(place.folder, 'cert.pem'), CERTIFICATE);
  await place.once({ now: TUESDAY });
  const day = async (count: number) => {
    await place.once({ now: TUESDAY + count * DAY });
    const mail = server.mails.at(-1)?.text ?? '';
    const [text, ...files] = partsOf(mail);
    return { head: mail.slice(0, mail.indexOf('\r\n\r\n')), text: text?.content.toString() ?? '', files };
  };
  return { place, day, mails: server.mails };
}

/** The values of a label, with the lines below it. */
function valueOf(text: string, label: string): string[] {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((line) => line.startsWith(`${label}:`));
  const more = lines.slice(at + 1).findIndex((line) => !line.startsWith('  '));
  return [lines[at]?.slice(label.length + 1) ?? '', ...lines.slice(at + 1, at + 1 + more)].map((line) =>
    line.trim(),
  );
}

/** Saves the attachments as a person would. */
function saved({ folder }: WorkerPlace, files: readonly { filename: string; content: Buffer }[]): string {
  mkdirSync(join(folder, 'saved'), { recursive: true });
  for (const { filename, content } of files) writeFileSync(join(folder, 'saved', filename), content);
  return join(folder, 'saved', files[0]?.filename ?? '');
}

test('a mail names schedule, time zone, rows, totals and completeness, and its attachments verify', async () => {
  const { place, day } = await mailing('export: items, out: "items.csv"');
  await using _ = place;
  place.sandbox.control.insertItems([
    { name: 'A', estimated_value: 1234.5, currency: 'eur', status: 'keep' },
    { name: 'B', estimated_value: 0.25, currency: 'eur', status: 'sold' },
    { name: 'C', estimated_value: 700, currency: 'jpy', status: 'keep' },
  ]);
  const { head, text, files } = await day(1);
  expect(head).toContain('Reply-To: owner@example.com');
  expect(valueOf(text, 'Schedule')).toEqual(['books']);
  expect(valueOf(text, 'Period')).toEqual(['16 June 2026 at 06:00 to 17 June 2026 at 06:00 (Europe/Berlin)']);
  expect(valueOf(text, 'Read')[0]).toMatch(/^17 June 2026 at 07:00 \(Europe\/Berlin\), http/);
  expect(valueOf(text, 'Rows')).toEqual(['3']);
  expect(valueOf(text, 'By status')).toEqual(['keep 2, sold 1']);
  expect(valueOf(text, 'Estimated values')).toEqual(['EUR 1,234.75', 'JPY 700']);
  expect(valueOf(text, 'Complete')[0]).toMatch(/^Yes\. The list was counted/);
  expect(valueOf(text, 'Questions to')).toEqual(['owner@example.com']);
  expect(files.map(({ filename }) => filename)).toEqual(['items.csv', 'items.csv.manifest.json']);
  expect(await verifyExport(saved(place, files))).toMatchObject({ verified: true, rows: 3 });
});

test('the first mail about sold items says that an empty file only sets the starting point', async () => {
  const { place, day } = await mailing(
    'export: items, changedSinceLast: sold, became: sold, out: "sold.csv"',
    ', language: de, contact: "Erika Muster <erika@example.com>"',
  );
  await using _ = place;
  place.sandbox.control.insertItems([{ name: 'Before', status: 'sold', estimated_value: 5 }]);
  const first = await day(1);
  expect(first.text).toContain('Sie legt den Ausgangspunkt fest; die Datei hat deshalb nur Überschriften');
  expect(valueOf(first.text, 'Zeilen')).toEqual(['0']);
  place.sandbox.control.insertItems([
    { name: 'After', status: 'sold', estimated_value: 1234.5, currency: 'eur' },
  ]);
  const { head, text } = await day(2);
  expect(head).toContain('Reply-To: Erika Muster <erika@example.com>');
  expect(valueOf(text, 'Inhalt')[0]).toBe(
    'Stücke, die zwischen dem Stand vom 17. Juni 2026 um 07:00 und diesem den Status „verkauft“ bekommen haben.',
  );
  expect(valueOf(text, 'Schätzwerte')).toEqual(['EUR 1.234,50']);
  expect(valueOf(text, 'Vollständig')[0]).toMatch(/^Ja\./);
});

test('the mail of an inventory report has its figures and the changes since the last report', async () => {
  const { place, day } = await mailing('report: inventory, out: "inventory.xlsx"');
  await using _ = place;
  place.sandbox.control.insertItems([{ name: 'A', estimated_value: 10 }, { name: 'B' }]);
  const first = await day(1);
  expect(valueOf(first.text, 'Items owned')).toEqual(['2']);
  expect(valueOf(first.text, 'Value')).toEqual(['USD 10.00']);
  expect(valueOf(first.text, 'Value unknown')).toEqual(['1']);
  expect(valueOf(first.text, 'Changes')[0]).toMatch(/^This is the first report/);
  expect(await verifyExport(saved(place, first.files))).toMatchObject({ verified: true });
  place.sandbox.control.insertItems([{ name: 'C', estimated_value: 2.5 }]);
  const { text } = await day(2);
  expect(valueOf(text, 'Changes')).toEqual([
    'Since the report of 17 June 2026 at 07:00:',
    'USD: new 1 (USD 2.50)',
  ]);
  expect(valueOf((await day(3)).text, 'Changes')[1]).toBe('USD: none');
});

test('the mail of a sales report shows amounts without a currency as minor units', async () => {
  const { place, day } = await mailing('report: sales, out: "sales.html"');
  await using _ = place;
  const { text } = await day(1);
  expect(valueOf(text, 'Gross')).toEqual(['0 (minor units; the API does not name the currency)']);
  expect(valueOf(text, 'Contents')[0]).toContain('does not say which period');
});

test('a mail contains the warnings and the command that checks its file, in the language of the mail', async () => {
  const { place, day } = await mailing(
    'export: items, columns: [name, custom_fields.shelf], out: "items.csv"',
    ', language: de',
  );
  await using _ = place;
  place.sandbox.control.insertItems([{ name: 'A' }]);
  const { text } = await day(1);
  expect(text).toContain(
    'Zum Prüfen beide Anhänge in einen Ordner speichern: shelflift export verify items.csv',
  );
  expect(valueOf(text, 'Warnungen')).toEqual(['Keine Zeile hat custom_fields.shelf; die Spalte ist leer.']);
});

test('the mail of a report for a period names that period, and groups figures of the same name', () => {
  const cover = (language: 'en' | 'de', report: string) =>
    coverText(
      {
        name: 'x.zip',
        schedule: 'books',
        period: { start: TUESDAY, end: TUESDAY + DAY, timeZone: 'Europe/Berlin' },
        contact: undefined,
        language,
        command: undefined,
      },
      ReportManifest.parse({
        manifest: 1,
        shelflift: '0',
        report,
        file: 'x.zip',
        command: '',
        format: 'zip',
        bytes: 1,
        sha256: '0',
        dataSha256: '0',
        rows: 9,
        figures: ['eur', 'jpy'].map((currency) => ({
          label: 'Value',
          value: '1234',
          kind: 'money',
          currency,
        })),
        period: {
          name: '2026-05',
          from: '2026-04-30T22:00:00.000Z',
          to: '2026-05-31T22:00:00.000Z',
          timeZone: 'Europe/Berlin',
        },
        comparedWith: '2026-04-30T22:45:00.000Z',
        filters: {},
        team: null,
        premise: PREMISES.items,
        explanation: '',
        apiUrl: 'http://x',
        startedAt: '2026-05-31T22:30:00.000Z',
        endedAt: '2026-05-31T22:30:00.000Z',
        requests: { first: null, last: null },
        consistency: 'stable',
        passes: 1,
        warnings: [],
      }),
    );
  const month = cover('de', 'month');
  expect(valueOf(month, 'Zeitraum')).toEqual([
    '1. Mai 2026 um 00:00 bis 1. Juni 2026 um 00:00 (Europe/Berlin)',
  ]);
  expect(valueOf(month, 'Dateien')).toEqual(['9']);
  expect(valueOf(month, 'Schätzwert')).toEqual(['EUR 1.234,00', 'JPY 1.234']);
  const sales = cover('en', 'sales');
  expect(valueOf(sales, 'Contents')[0]).toContain('from the reading of 1 May 2026 at 00:45 to the one');
  expect(sales).not.toContain('Changes:');
});

test('a notice of rows that a layout left out names its schedule once', async () => {
  const { place, day, mails } = await mailing(
    'export: items, changedSinceLast: j, became: sold, template: journal, out: "journal.csv"',
    ', language: de',
  );
  await using _ = place;
  await day(1);
  place.sandbox.control.insertItems([
    { name: 'Priced', status: 'sold', custom_fields: { sold_price: '5' } },
    { name: 'Unpriced', status: 'sold' },
  ]);
  await day(2);
  const notice = mails.at(-1)?.text.replaceAll(/=\r?\n/g, '') ?? '';
  expect(notice).toContain('Subject: shelflift: books left rows out');
  expect(notice.match(/books/g)).toHaveLength(2);
});

test('a notice says that the totals of a layout lack values that are texts', async () => {
  const { place, day, mails } = await mailing('export: items, template: paid.yaml, out: "paid.csv"');
  await using _ = place;
  writeFileSync(
    join(place.folder, 'paid.yaml'),
    'name: paid\ncolumns: [name, { title: Paid, field: custom_fields.paid, format: number, total: true }]\ntotals: Sum\n',
  );
  place.sandbox.control.insertItems([{ name: 'Bear', custom_fields: { paid: '12,50' } }]);
  await day(1);
  await day(2);
  const notice = mails.at(-1)?.text.replaceAll(/=\r?\n/g, '') ?? '';
  expect(notice).toContain('The totals lack 1 value that is not a number.');
});
