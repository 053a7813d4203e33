/** The pages in a real browser, wide and narrow, light and dark, on paper. */
import { writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { message } from '../../src/messages/message.ts';
import { writeReportFile } from '../../src/reports/report.ts';
import { htmlPage } from '../../src/reports/html/page.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { createClient } from '../../src/api/client.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import { startBrowser } from '../ui/tour.ts';
import { find, runProgram } from './programs.ts';
import { inventoryReport, itemOf } from './support.ts';

const chromium = find('chromium', 'chromium-browser', 'google-chrome');
const pdftotext = find('pdftotext');
const NAMES = ['inventory', 'listings', 'sales'] as const;

describe.skipIf(chromium === undefined || pdftotext === undefined)('in Chromium', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser(chromium ?? '');
  });
  afterAll(() => browser.close());

  /** Opens a page, and collects what should not happen. */
  async function open(file: string, width: number, scheme: 'light' | 'dark') {
    const page = await browser.newPage();
    const troubles: string[] = [];
    page.on('console', (message) => troubles.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => troubles.push(`error: ${String(error)}`));
    page.on('dialog', (dialog) => {
      troubles.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (request.url() !== pathToFileURL(file).href) troubles.push(`request: ${request.url()}`);
    });
    await page.setViewport({ width, height: 800 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.goto(pathToFileURL(file).href);
    return { page, troubles };
  }

  /** Three reports, with something to compare and enough for charts. */
  async function writeReports(folder: string): Promise<string[]> {
    await using sandbox = await startSandbox({ seed: 7, seedItems: 400 });
    await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
    await using ledger = openSqliteLedger(join(folder, 'ledger.db'));
    const files: string[] = [];
    for (const report of NAMES) {
      const out = join(folder, `${report}.html`);
      for (const _ of [1, 2])
        await writeReportFile(
          { report, out, ...(report === 'sales' ? { currency: 'usd' } : {}) },
          { client, values: ledger.values },
        );
      files.push(out);
    }
    return files;
  }

  test('a report loads without errors or requests, and fits every screen from 360 px, in light and dark', async () => {
    for (const file of await writeReports(newPlace().folder)) {
      for (const width of [360, 768, 1280]) {
        for (const scheme of ['light', 'dark'] as const) {
          const { page, troubles } = await open(file, width, scheme);
          expect(troubles, `${file} ${width} ${scheme}`).toEqual([]);
          const { across, wide, paper, charts, unnamed } = await look(page);
          expect(across, `${file} ${width}`).toBeLessThanOrEqual(width);
          expect(wide, `${file} ${width}`).toEqual([]);
          expect(paper).toBe(scheme === 'light' ? 'rgb(245, 245, 241)' : 'rgb(18, 22, 25)');
          expect(charts).toBeGreaterThan(0);
          expect(unnamed).toBe(0);
          await page.close();
        }
      }
    }
  });

  /** What a person would see of a page; runs in the browser. */
  function look(page: Page) {
    return page.evaluate(`(() => {
      const width = document.documentElement.clientWidth;
      const inScroll = (element) => element.closest('.scroll') !== null && !element.classList.contains('scroll');
      const wide = [...document.querySelectorAll('body *')]
        .filter((element) => !inScroll(element) && element.getBoundingClientRect().right > width + 1)
        .map((element) => element.outerHTML.slice(0, 80));
      const charts = [...document.querySelectorAll('svg[role=img]')];
      return {
        across: document.documentElement.scrollWidth,
        wide,
        paper: getComputedStyle(document.body).backgroundColor,
        charts: charts.filter((chart) => chart.getBoundingClientRect().width > 200).length,
        unnamed: charts.filter((chart) => !chart.querySelector('title')?.textContent || !chart.querySelector('desc')?.textContent).length,
      };
    })()`) as Promise<{ across: number; wide: string[]; paper: string; charts: number; unnamed: number }>;
  }

  test('a heading sorts its table down and up, with blanks last and the total at the bottom', async () => {
    const place = newPlace();
    const items = [
      ['Acme', 9],
      ['Bolt', 1000],
      ['Crux', null],
      ['Dart', 50],
    ].map(([brand, value]) => itemOf({ brand: brand as string, estimated_value: value as number | null }));
    const file = join(place.folder, 'page.html');
    await writeFile(file, htmlPage(inventoryReport(items)));
    const { page, troubles } = await open(file, 1280, 'light');
    const brands = () =>
      page.$$eval('#by_brand tbody tr', (rows) => rows.map((row) => row.cells[0]?.textContent));
    const value = await page.$('#by_brand thead th:nth-child(3) [role=button]');
    expect(await brands()).toEqual(['Bolt', 'Dart', 'Acme', 'Crux']);
    await value?.click();
    expect(await brands()).toEqual(['Bolt', 'Dart', 'Acme', 'Crux']);
    await value?.click();
    expect(await brands()).toEqual(['Acme', 'Dart', 'Bolt', 'Crux']);
    expect(await page.$eval('#by_brand thead th:nth-child(3)', (head) => head.ariaSort)).toBe('ascending');
    await (await page.$('#by_brand thead th:nth-child(1) [role=button]'))?.press('Enter');
    expect(await brands()).toEqual(['Acme', 'Bolt', 'Crux', 'Dart']);
    expect(await page.$eval('#by_brand tfoot', (foot) => foot.textContent)).toContain('Total');
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('hostile names are shown as text', async () => {
    const place = newPlace();
    const name = '</script><script>alert(1)</script><img src=x onerror=alert(2)>"\' onclick=alert(3)';
    const items = [
      ...[1, 2].map((value) => itemOf({ name, brand: `${name}${value}`, estimated_value: value })),
      itemOf({ brand: '漢字'.repeat(60), name: 'W'.repeat(255), estimated_value: 1.5e300 }),
    ];
    const file = join(place.folder, 'page.html');
    await writeFile(
      file,
      htmlPage({ ...inventoryReport(items), title: name, warnings: [message('verbatim', { text: name })] }),
    );
    const { page, troubles } = await open(file, 360, 'light');
    expect(await page.$eval('h1', (head) => head.textContent)).toBe(name);
    expect(await page.title()).toContain(name);
    expect(await page.$$eval('img', (images) => images.length)).toBe(0);
    expect(troubles).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.close();
  });

  test('thousands of brands, long names and figures, and right-to-left names stay readable', async () => {
    const place = newPlace();
    const long = 'The name of a maker that somebody has written down in full, with all of its '.repeat(3);
    const items = Array.from({ length: 3200 }, (_, index) =>
      itemOf({
        brand: index === 0 ? long : index === 1 ? 'דינוזאור!' : `Brand ${index}`,
        estimated_value: 9_876_543_210 - index,
        currency: ['usd', 'eur', 'jpy', 'kwd'][index % 4] ?? '',
      }),
    );
    const file = join(place.folder, 'page.html');
    await writeFile(file, htmlPage(inventoryReport(items)));
    for (const width of [360, 1280]) {
      const { page, troubles } = await open(file, width, 'light');
      expect(troubles).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      // A long table scrolls in its place, under its heading and above its total.
      const seen = (await page.evaluate(`(() => {
        const scroll = document.querySelector('#by_brand .scroll');
        scroll.scrollTop = 500;
        const box = scroll.getBoundingClientRect();
        const at = (what) => scroll.querySelector(what).getBoundingClientRect();
        const [hebrew] = [...document.querySelectorAll('#by_brand tbody th')].filter((cell) => cell.textContent.startsWith('ד'));
        const range = document.createRange();
        range.setStart(hebrew.firstChild, hebrew.firstChild.length - 1);
        range.setEnd(hebrew.firstChild, hebrew.firstChild.length);
        return {
          height: box.height,
          heading: at('thead th').top - box.top,
          total: box.bottom - at('tfoot tr:last-child th').bottom,
          // The mark at the end of a name stands where its letters end: at the left.
          mark: range.getBoundingClientRect().left - hebrew.getBoundingClientRect().left,
          tall: [...document.querySelectorAll('.figures .value')].filter((each) => each.getBoundingClientRect().height > 60).length,
        };
      })()`)) as { height: number; heading: number; total: number; mark: number; tall: number };
      expect(seen.height).toBeLessThanOrEqual(640);
      expect(Math.abs(seen.heading)).toBeLessThan(2);
      expect(seen.total).toBeLessThan(20);
      expect(seen.mark).toBeLessThan(12);
      expect(seen.tall).toBe(0);
      await page.close();
    }
  });

  test('the policy blocks everything that does not belong to the page', async () => {
    const place = newPlace();
    const file = join(place.folder, 'page.html');
    let hits = 0;
    const server = createServer((_, answer) => {
      hits += 1;
      answer.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const smuggled = htmlPage(inventoryReport([itemOf()])).replace(
      '</main>',
      `<script>document.title = "run"</script><img src="http://127.0.0.1:${port}/x.png"></main>`,
    );
    await writeFile(file, smuggled);
    const { page, troubles } = await open(file, 360, 'light');
    expect(await page.title()).not.toBe('run');
    expect(troubles.filter((trouble) => trouble.includes('Content Security Policy'))).toHaveLength(2);
    expect(hits).toBe(0);
    await page.close();
  });

  test('a printed page is complete, has a white background, and repeats the headings of long tables', async () => {
    const { folder } = newPlace();
    const items = Array.from({ length: 90 }, (_, index) =>
      itemOf({ brand: `Brand ${index}`, estimated_value: index + 1 }),
    );
    const file = join(folder, 'page.html');
    await writeFile(file, htmlPage(inventoryReport(items)));
    const { page } = await open(file, 794, 'dark');
    await page.emulateMediaType('print');
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(794);
    await page.pdf({ path: join(folder, 'page.pdf'), format: 'A4', printBackground: true });
    await page.close();
    const text = await runProgram(pdftotext ?? '', ['-layout', join(folder, 'page.pdf'), '-']);
    expect(text.match(/^ +\d+ ?\/ ?\d+$/gm)?.length).toBeGreaterThan(2);
    const tables = 6;
    expect(text.match(/Average/g)?.length).toBeGreaterThan(tables);
  });
});
