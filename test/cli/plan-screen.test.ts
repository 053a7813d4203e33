/** A plan on a terminal: it fits the screen, whatever its size, and says how to see the rest. */
import { describe, expect, it } from 'vitest';
import { type KindShown, planScreen, titleOf } from '../../src/cli/show/plan-text.ts';
import { wrapped } from '../../src/cli/show/words.ts';
import { PLAN_KINDS, type PlanKind } from '../../src/import/review/plan-view.ts';
import type { PlanReport } from '../../src/import/review/plan-report.ts';

const END = [
  'job 261122-abcdef: planned: nothing was sent',
  '  rows: 50,000 read = 20 unchanged + 30 skipped + 50 invalid + 49,900 pending',
  '  plan: create 40,000, update 9,900, unchanged 20, skipped 30, invalid 50',
  '  rejects: /home/someone/collections/toys.rejects.csv',
  '',
  'This was a dry run: nothing was sent. To send only the valid rows: shelflift jobs apply 261122-abcdef --skip-invalid. Correct the rows in toys.rejects.csv or in the source, and import again.',
].join('\n');

function report(items: number, many: boolean): PlanReport {
  const fields = Array.from({ length: many ? 30 : 2 }, (_, index) => ({
    field: `custom_fields.shelf_${index}`,
    items,
    emptied: 1,
  }));
  return {
    fields,
    transitions: fields.map(() => ({ field: 'status', from: 'keep', to: 'sold', items })),
    values: ['usd', 'eur', 'jpy'].slice(0, many ? 3 : 1).map((currency) => ({
      currency,
      items,
      before: '123456.70',
      after: '234567.80',
      difference: '111111.10',
      byStatus: [
        { status: 'keep', before: '123456.70', after: '0.00' },
        { status: 'sold', before: '0.00', after: '234567.80' },
      ],
    })),
    requests: { write: items, read: items, recheck: items },
    rate: 10,
    estimatedMs: items * 100,
  };
}

function shownKind(kind: PlanKind, count: number, changes: number): KindShown {
  const rows = Array.from({ length: Math.min(5, count) }, (_, index) => ({
    row: index + 2,
    state: 'planned' as const,
    action: 'update' as const,
    itemId: `00000000-0000-4000-8000-00000000000${index}`,
    name: 'A tin robot with a very long name '.repeat(4),
    changes: Array.from({ length: changes }, (_each, at) => ({
      field: `field_${at}`,
      from: 'old',
      to: 'n'.repeat(90),
    })),
    issues: [],
  }));
  return { kind, count, rows };
}

describe.each([60, 80])('a plan in %i columns', (width) => {
  it.each<[string, PlanReport, KindShown[]]>([
    ['5 rows', report(5, false), [shownKind('update', 5, 1)]],
    ['50,000 rows', report(50_000, false), [shownKind('update', 50_000, 2)]],
    ['50,000 rows with many fields', report(50_000, true), [shownKind('create', 50_000, 12)]],
    ['50,000 rows of all kinds', report(50_000, true), PLAN_KINDS.map((kind) => shownKind(kind, 8333, 3))],
  ])('with %s fits the screen', (_, changes, shown) => {
    const screen = planScreen(changes, shown, { width, end: END });
    const lines = `${screen}\n${wrapped(END, width)}`.split('\n');
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(width);
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(screen).toContain('value of these items in USD: 123456.70 → 234567.80');
    expect(screen).toMatch(/to send: \S+ writes/);
    for (const { kind, count, rows } of shown) {
      expect(screen).toContain(titleOf(kind));
      if (count > rows.length) expect(screen).toContain('--verbose shows all');
    }
  });
});

it('a small plan shows rows even with only 60 columns', () => {
  const screen = planScreen(report(5, false), [shownKind('update', 5, 1)], { width: 60, end: END });
  expect(screen).toMatch(/^ROW {2}ITEM/m);
  expect(screen).toMatch(/^4 /m);
});

it('a command to paste is not wrapped', () => {
  expect(wrapped(END, 60)).toContain('shelflift jobs apply 261122-abcdef --skip-invalid');
});
