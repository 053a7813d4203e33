import { createHash } from 'node:crypto';
import * as fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { message } from '../../src/messages/message.ts';
import { htmlPage } from '../../src/reports/html/page.ts';
import { COLLECTIONS, inventoryReport, itemOf, reportOf } from './support.ts';
import { salesReport } from '../../src/reports/sales.ts';

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus='alert(1)' autofocus='",
  '</title></svg></style><h1>',
  '&lt;b&gt; &amp; <!-- ]]>',
  '\u202Eeman desrever\u0000\u0007\uD800',
  '=HYPERLINK("http://evil.example")',
  'a'.repeat(255),
];

function pageOf(name: string, brand: string): string {
  const items = [10, 20].map((estimated_value) => itemOf({ name, brand, estimated_value, condition: brand }));
  return htmlPage({
    ...inventoryReport(items),
    warnings: [message('verbatim', { text: name })],
    facts: [['Read from', brand]],
    title: name,
  });
}

/** Tags and attributes of a page: where text was escaped, no text changes their number. */
function skeleton(page: string): string {
  return (page.match(/<[^>]*>/g) ?? []).join('\n').replaceAll(/"[^"]*"/g, '""');
}

test('no text of the data becomes an HTML tag or attribute', () => {
  const plain = skeleton(pageOf('name', 'brand'));
  for (const text of HOSTILE) expect(skeleton(pageOf(text, text)), text).toBe(plain);
  fc.assert(
    fc.property(fc.string({ unit: fc.anyCodePoint, minLength: 1 }), (text) => {
      fc.pre(text.trim() !== '');
      expect(skeleton(pageOf(text, text))).toBe(plain);
    }),
    { numRuns: 20 },
  );
});

test('a page contains neither invalid characters nor characters that change the direction of text', () => {
  const page = pageOf(HOSTILE.join(' '), 'x');
  // Built from text: a linter takes control characters for a slip of the pen.
  expect(page).not.toMatch(new RegExp(String.raw`[\u0000\u0007\u202E\uD800-\uDFFF]`));
  expect(page.isWellFormed()).toBe(true);
});

test('the policy allows the page’s own style and script by their hashes, and nothing else', () => {
  const page = pageOf('name', 'brand');
  const hash = (tag: string) => {
    const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? '';
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
  expect(policy).toBe(
    `default-src 'none'; style-src ${hash('style')}; script-src ${hash('script')}; base-uri 'none'; form-action 'none'`,
  );
  // Whatever the policy would stop has no business in the page either.
  expect(page).not.toMatch(/ style=| on\w+=|src=|https?:\/\/(?!www\.w3\.org)/);
});

test('each chart has a title and a description, and a table next to it', () => {
  const page = pageOf('name', 'brand');
  const charts = [...page.matchAll(/<svg role="img" aria-labelledby="([^ ]+) ([^"]+)"/g)];
  expect(charts.length).toBe(0);
  const items = ['Acme', 'Bolt', 'Crux'].map((brand, index) => itemOf({ brand, estimated_value: index + 1 }));
  const more = htmlPage(inventoryReport(items));
  const [chart] = [...more.matchAll(/<svg role="img" aria-labelledby="([^ ]+) ([^"]+)"/g)];
  expect(more).toContain(`<title id="${chart?.[1]}">Value by brand, USD</title>`);
  expect(more).toContain(`<desc id="${chart?.[2]}">Value: Crux 3.00; Bolt 2.00; Acme 1.00.`);
  expect(more.match(/<figure>/g)?.length).toBeLessThanOrEqual(more.match(/<table>/g)?.length ?? 0);
});

test('a long table shows a hundred rows and the sum of the others, and its total stays the same', () => {
  const items = Array.from({ length: 250 }, (_, index) =>
    itemOf({ brand: `Brand ${index}`, estimated_value: 2 }),
  );
  const page = htmlPage(inventoryReport(items));
  const section = page.slice(page.indexOf('id="by_brand"'), page.indexOf('id="by_decade"'));
  expect(section.match(/<tr>/g)).toHaveLength(1 + 100 + 2);
  expect(section).toContain('150 more, combined');
  expect(section).toMatch(
    /Total<\/th><td class="n" data-v="250">250<\/td><td class="n" data-v="500.00">500.00</,
  );
});

test('each currency gets a table, and unknown codes are marked', () => {
  const items = ['usd', 'jpy', 'zzz'].map((currency) => itemOf({ currency, estimated_value: 1.25 }));
  const page = htmlPage(inventoryReport(items));
  expect(page).toContain('<h3>JPY</h3>');
  expect(page).toContain('Value (ZZZ)');
  expect(page).toContain('<span class="name">Value, ZZZ</span><span class="value">1.25</span>');
  expect(page).toContain('<span class="name">Value, JPY</span><span class="value">1</span>');
});

test('an empty inventory gives a valid page', () => {
  expect(COLLECTIONS.size).toBe(2);
  expect(htmlPage(inventoryReport([]))).toContain('There are no items.');
});

test('points of a line chart are placed by their times', () => {
  const readings = [1, 2, 11].map((day) => ({
    object: 'sales_summary' as const,
    completed_count: day,
    gross_cents: day * 100,
    fee_cents: 0,
    net_payout_cents: day * 50,
    reported_at: `2026-07-${String(day).padStart(2, '0')}T00:00:00.000Z`,
  }));
  const [first, second, last] = readings;
  if (first === undefined || second === undefined || last === undefined) throw new Error('three readings');
  const { sections, figures } = salesReport([first, second, last], 'usd');
  const page = htmlPage(reportOf(sections, { name: 'sales', title: 'Sales', figures }));
  expect(page).toMatch(/points="0\.0,[\d.]+ 100\.0,[\d.]+ 1000\.0,0\.0"/);
});
