/** What a plan says before anything is sent: in numbers, row by row, and as a file for a second person. */
import { describe, expect, it } from 'vitest';
import { fitTable } from '../../src/cli/show/fit-table.ts';
import { reportText, rowsText } from '../../src/cli/show/plan-text.ts';
import { changeRows } from '../../src/import/review/change-rows.ts';
import { openTable } from '../../src/sheets/open-table.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport } from '../support/open-import.ts';

const HOSTILE = `<script>alert(1)</script>"'&`;

async function changesFile(it: OpenImport): Promise<string> {
  const ids = it.sandbox.control.insertItems([
    { name: HOSTILE, status: 'keep', brand: 'Old', estimated_value: 10.1, currency: 'usd' },
    { name: '=1+1', status: 'keep', estimated_value: 0.2, currency: 'usd' },
    { name: 'c', status: 'sell', estimated_value: 5, currency: 'eur' },
    { name: 'd', status: 'sold', currency: 'jpy' },
  ]);
  const rows = [
    [ids[0] ?? '', 'sold', '<clear>', '20.20', ''],
    [ids[1] ?? '', 'sold', '', '', 'A1'],
    [ids[2] ?? '', 'sold', '', '', ''],
    [ids[3] ?? '', 'sold', '', '', ''],
    ['nonsense', 'sold', '', '', ''],
  ];
  return it.file('u.csv', csv(['id', 'status', 'brand', 'estimated_value', 'custom_fields.shelf'], rows));
}

describe('a dry run', () => {
  it('counts changes by field and by transition, adds up values by currency, and shows the number of requests', async () => {
    await using it = await openImport();
    const file = await changesFile(it);
    const { summary } = await it.import({ file, mode: 'update', dryRun: true });
    expect(summary.plan).toEqual({ create: 0, update: 3, unchanged: 1, skipped: 0, invalid: 1 });
    expect(summary.changes).toMatchObject({
      fields: [
        { field: 'status', items: 3, emptied: 0 },
        { field: 'brand', items: 1, emptied: 1 },
        { field: 'estimated_value', items: 1, emptied: 0 },
        { field: 'custom_fields.shelf', items: 1, emptied: 0 },
      ],
      transitions: [
        { field: 'status', from: 'keep', to: 'sold', items: 2 },
        { field: 'status', from: 'sell', to: 'sold', items: 1 },
      ],
      values: [
        {
          currency: 'usd',
          items: 2,
          before: '10.30',
          after: '20.40',
          difference: '10.10',
          byStatus: [
            { status: 'keep', before: '10.30', after: '0.00' },
            { status: 'sold', before: '0.00', after: '20.40' },
          ],
        },
        { currency: 'eur', before: '5.00', after: '5.00', difference: '0.00' },
      ],
      requests: { write: 3, read: 5, recheck: 3 },
      reading: { way: 'each', items: 4, requests: 4 },
    });
    const text = reportText(summary.changes ?? expect.fail('no report'));
    expect(text).toContain('transitions: keep → sold 2, sell → sold 1');
    expect(text).toContain('value of these items in USD: 10.30 → 20.40 (+10.10)');
    expect(text).toContain(
      'to send: 3 writes and about 5 reads (3 to check items again before changing them)',
    );
  });

  it('estimates the time from the rate that the API allows', async () => {
    await using it = await openImport({ rateLimit: '100/10s' });
    const { summary } = await it.import({ file: await changesFile(it), mode: 'update', dryRun: true });
    const { rate, estimatedMs } = summary.changes ?? expect.fail('no report');
    expect(rate).toBeGreaterThan(0);
    expect(estimatedMs).toBeGreaterThan(0);
  });

  it('adds up the values of creates without a currency', async () => {
    await using it = await openImport();
    const file = await it.file(
      'n.csv',
      csv(
        ['name', 'value', 'status'],
        [
          ['a', '1.10', 'sell'],
          ['b', '2.20', ''],
        ],
      ),
    );
    const { summary } = await it.import({ file, dryRun: true });
    expect(summary.changes?.values).toEqual([
      {
        currency: null,
        items: 2,
        before: '0',
        after: '3.3',
        difference: '3.3',
        byStatus: [
          { status: 'sell', before: '0', after: '1.1' },
          { status: 'keep', before: '0', after: '2.2' },
        ],
      },
    ]);
  });
});

describe('the rows of a plan', () => {
  it('fit the terminal, whatever values the items have', async () => {
    await using it = await openImport();
    const [id = ''] = it.sandbox.control.insertItems([
      { name: `\u001b[2J${'long '.repeat(50)}`, brand: 'x'.repeat(300) },
    ]);
    const file = await it.file('u.csv', csv(['id', 'brand'], [[id, 'y'.repeat(300)]]));
    const { summary } = await it.import({ file, mode: 'update', dryRun: true });
    const rows = (await Array.fromAsync(changeRows({ id: summary.job }, it.ledger))).flat();
    for (const width of [60, 80, 200]) {
      const lines = rowsText(rows, width).split('\n');
      expect(lines).toHaveLength(2);
      for (const line of lines) expect([...line].length).toBeLessThanOrEqual(width);
      expect(lines.join('')).not.toContain('\u001b');
    }
  });

  it('show one tag with a comma differently from two tags, on the terminal and in the file', async () => {
    await using it = await openImport();
    const ids = it.sandbox.control.insertItems([
      { name: 'a', tags: ['fair', 'boxed'] },
      { name: 'b', tags: ['fair, boxed'] },
    ]);
    const [one = '', other = ''] = ids;
    const rows = [
      [one, 'fair, boxed'],
      [other, 'fair; boxed'],
    ];
    const file = await it.file('u.csv', csv(['id', 'tags'], rows));
    const plan = `${it.folder}/plan.html`;
    const { summary } = await it.import({ file, mode: 'update', dryRun: true, run: { plan } });
    const changed = (await Array.fromAsync(changeRows({ id: summary.job }, it.ledger))).flat();
    const lines = rowsText(changed, 200).split('\n');
    expect(lines[1]).toContain('fair; boxed → "fair, boxed"');
    expect(lines[2]).toContain('"fair, boxed" → fair; boxed');
    expect(await it.read(plan)).toContain('fair; boxed → &quot;fair, boxed&quot;');
  });

  it('are unchanged in a table that fits', () => {
    expect(
      fitTable(
        [
          ['A', 'BB'],
          ['aaa', 'b'],
        ],
        80,
      ),
    ).toBe('A    BB\naaa  b');
  });
});

describe('--plan', () => {
  it.each(['xlsx', 'html'])(
    'writes a %s in which changed cells are marked and no text can run as a formula',
    async (ending) => {
      await using it = await openImport();
      const plan = `${it.folder}/plan.${ending}`;
      const { summary } = await it.import({
        file: await changesFile(it),
        mode: 'update',
        dryRun: true,
        run: { plan },
      });
      expect(summary.files.plan).toBe(plan);
      if (ending === 'html') {
        const page = await it.read(plan);
        expect(page).toContain("default-src 'none'");
        expect(page).not.toContain('<script');
        expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
        expect(page).toContain('<td class="emptied">Old → (blank)</td>');
        expect(page).toContain('<td class="changed">keep → sold</td>');
        expect(page).toContain('<td class="added">(blank) → A1</td>');
        return;
      }
      const table = await openTable(plan, {});
      expect(table.headers).toEqual([
        'row',
        'what',
        'item',
        'name',
        'status',
        'brand',
        'estimated_value',
        'custom_fields.shelf',
        'note',
      ]);
      const rows = (await Array.fromAsync(table.batches)).flat();
      expect(rows[0]?.cells.slice(3, 7)).toEqual([HOSTILE, 'keep → sold', 'Old → (blank)', '10.1 → 20.2']);
      expect(rows[1]?.cells[3]).toBe('=1+1');
      expect(rows.map((row) => row.cells[1])).toEqual(['update', 'update', 'update', 'unchanged', 'invalid']);
    },
  );

  it('writes the plan before anything is sent, or refuses to run if it cannot', async () => {
    await using it = await openImport();
    const file = await changesFile(it);
    for (const plan of [`${it.folder}/plan.csv`, file]) {
      const wrong = it.import({ file, mode: 'update', run: { plan } });
      await expect(wrong).rejects.toMatchObject({ exitCode: 2 });
    }
    const nowhere = it.import({ file, mode: 'update', run: { plan: `${it.folder}/no/such/plan.html` } });
    await expect(nowhere).rejects.toMatchObject({ code: 'cannot_write' });
    expect(await it.ledger.jobs.list()).toEqual([]);
    expect(it.sandbox.control.counts().byOperation.updateItem).toBeUndefined();
  });

  it('replaces an earlier plan, but no file that a person has written or edited', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', 'name\nCar\n');
    const plan = `${it.folder}/plan.xlsx`;
    const rehearse = () => it.import({ file, collection: 'Main', dryRun: true, run: { plan } });
    await rehearse();
    await rehearse();
    await it.file('plan.xlsx', 'remarks of a reviewer');
    await expect(rehearse()).rejects.toMatchObject({ code: 'not_our_file', exitCode: 2 });
    expect(await it.read(plan)).toBe('remarks of a reviewer');
  });
});
