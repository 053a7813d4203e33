/**
 * The page with a file of 1,000,000 rows, in a real browser: how soon its rows are shown, how long a jump and an edit
 * take, and what the tab and the server keep in memory. `PAGE_ROWS` measures another number of rows.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { launch, type Page } from 'puppeteer-core';
import { find } from '../../test/reports/programs.ts';
import { median } from '../measure.ts';

export const name = 'page';

const ROWS = Number(process.env['PAGE_ROWS'] ?? 1_000_000);
const EDITS = 15;
const JUMPS = 7;

export async function run(): Promise<string> {
  const chromium = find('chromium', 'chromium-browser', 'google-chrome');
  if (chromium === undefined) return 'Chromium is not installed.';
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-page-'));
  const file = join(folder, 'collection.csv');
  await writeList(file);
  const cli = resolve(import.meta.dirname, '../../src/cli/bin.ts');
  const child = spawn(process.execPath, [cli, 'ui', '--sandbox', '--no-open', '--json', '--port', '0'], {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_CONFIG_HOME: join(folder, 'config'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await launch({ executablePath: chromium, args: ['--no-sandbox', '--lang=en'] });
  try {
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    await page.setViewport({ width: 1280, height: 900 });
    const empty = await tabMemory(page);
    const facts = await measure(page, url, file);
    const peak = memoryOf(child.pid ?? 0, 'VmHWM');
    return table([
      ...facts,
      ['server, greatest memory', `${peak} MB`],
      ['tab, memory of its own after all that (an empty tab)', `${await tabMemory(page)} MB (${empty} MB)`],
    ]);
  } finally {
    await browser.close();
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(page: Page, url: string, file: string): Promise<[string, string][]> {
  await page.goto(url);
  await page.goto(new URL('/file', url).href);
  const input = (await page.waitForSelector('input[type=file]')) as unknown as {
    uploadFile(path: string): Promise<void>;
  };
  await Promise.all([page.waitForNavigation(), input.uploadFile(file)]);
  // The redirect is the upload; what follows is the screen with the first rows.
  const shown = Number(
    await page.evaluate(
      `(({ redirectEnd, domContentLoadedEventEnd }) => domContentLoadedEventEnd - redirectEnd)(performance.getEntriesByType('navigation')[0])`,
    ),
  );
  const main = await page.$$eval(
    'select[name=collection] option',
    (all) => all.find((each) => each.textContent === 'Main')?.value ?? '',
  );
  await page.select('select[name=collection]', main);
  const before = performance.now();
  await page.click('[data-primary]');
  while (!page.url().endsWith('/columns')) await setTimeout(50);
  const read = performance.now() - before;
  const job = new URL(page.url()).pathname.split('/')[2] ?? '';
  const open = await timed(page, `/job/${job}/mend`);
  await page.goto(new URL(`/job/${job}/mend?reason=all`, url).href);
  const jumps: number[] = [];
  for (let at = 0; at < JUMPS; at += 1) jumps.push(await jump(page, Math.round(ROWS * 0.9) + at * 1000));
  const edits: number[] = [];
  await page.goto(new URL(`/job/${job}/mend`, url).href);
  for (let at = 0; at < EDITS; at += 1) {
    edits.push(
      Number(
        await page.evaluate(`new Promise((done) => {
          const cell = document.querySelectorAll('table.grid tbody tr')[${at}].querySelector('td.bad');
          const row = cell.parentElement.id;
          cell.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true }));
          const input = cell.querySelector('input');
          input.value = cell.dataset.column === 'Year' ? '1990' : '20';
          const begun = performance.now();
          new MutationObserver((_, observer) => {
            if (document.getElementById(row)?.querySelector('.corrected') === null) return;
            observer.disconnect();
            requestAnimationFrame(() => done(performance.now() - begun));
          }).observe(document.body, { childList: true, subtree: true });
          input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
        })`),
      ),
    );
  }
  const plan = await timed(page, `/job/${job}/plan`);
  return [
    [`first rows of ${Math.round(statSync(file).size / 1e6)} MB, after the upload's end`, ms(shown)],
    [`all rows read, judged and planned`, `${(read / 1000).toFixed(1)} s`],
    ['the rows to mend, by reason, for the first time', ms(open)],
    [
      `jump to row ${(ROWS * 0.9).toLocaleString('en-US')}: median (greatest)`,
      `${ms(median(jumps))} (${ms(Math.max(...jumps))})`,
    ],
    [
      'edit of a cell, judged and shown: median (greatest)',
      `${ms(median(edits))} (${ms(Math.max(...edits))})`,
    ],
    ['the plan', ms(plan)],
  ];
}

/** From the press of the button until the row is there. */
async function jump(page: Page, row: number): Promise<number> {
  return Number(
    await page.evaluate(`new Promise((done) => {
      const form = document.querySelector('form.jump');
      form.querySelector('[name=row]').value = '${row}';
      const begun = performance.now();
      new MutationObserver((_, observer) => {
        if (document.querySelector('[data-row="${row}"]') === null) return;
        observer.disconnect();
        requestAnimationFrame(() => done(performance.now() - begun));
      }).observe(document.body, { childList: true, subtree: true });
      form.requestSubmit();
    })`),
  );
}

/** From the click on a link to its screen. */
async function timed(page: Page, path: string): Promise<number> {
  const href = new URL(path, page.url()).href;
  await Promise.all([page.waitForNavigation(), page.evaluate(`location.assign(${JSON.stringify(href)})`)]);
  return Number(
    await page.evaluate(`performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd`),
  );
}

/** Of the tab's process: what it does not share with others. */
async function tabMemory(page: Page): Promise<number> {
  const own = await page.createCDPSession();
  await own.send('HeapProfiler.collectGarbage');
  const session = await page.browser().target().createCDPSession();
  const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as {
    processInfo: { type: string; id: number }[];
  };
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => privateOf(id));
  return Math.max(...sizes);
}

function privateOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kb = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+)/gm)].reduce(
    (sum, [, size]) => sum + Number(size),
    0,
  );
  return Math.round(kb / 1000);
}

function memoryOf(pid: number, key: string): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN) / 1000);
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}

function table(rows: [string, string][]): string {
  const title = `**${ROWS.toLocaleString('en-US')} rows of 6 columns; 1 in 22 has a problem**`;
  return [title, '', '| | |', '|---|---|', ...rows.map(([what, value]) => `| ${what} | ${value} |`)].join(
    '\n',
  );
}

/** A collector's list: years before 1968, approximate prices. */
async function writeList(file: string): Promise<void> {
  const brands = ['Kenner', 'Mattel', 'LEGO', 'Playmobil', 'Hasbro', 'Tomy'];
  const things = ['Robot', 'Rocket', 'Fire engine', 'Knight', 'Dragon', 'Space shuttle', 'Bear', 'Race car'];
  const conditions = ['mint on card', 'loose mint', 'loose good', 'damaged'];
  const out = createWriteStream(file);
  out.write('Name;Brand;Year;Condition;Value;Notes\n');
  for (let row = 0; row < ROWS; ) {
    let text = '';
    for (const end = Math.min(ROWS, row + 10_000); row < end; row += 1) {
      const year = row % 50 === 3 ? 1959 : 1975 + (row % 30);
      const price = row % 40 === 5 ? 'ca. 20' : `${(row % 40) + 4},50`;
      text += `${things[row % 8] ?? ''} ${row + 1};${brands[row % 6] ?? ''};${year};${conditions[row % 4] ?? ''};${price};${row % 5 === 0 ? 'Box slightly worn' : ''}\n`;
    }
    if (!out.write(text)) await once(out, 'drain');
  }
  out.end();
  await finished(out);
}
