/** Walks through the page in a real browser as a person does, and stops on each screen. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { openUi } from '../../src/ui/server.ts';

/** For whatever the browser or a page does; answers that were lost with a kill are looked up after a minute. */
export const PATIENCE_MS = 240_000;

export interface ScreenSettings {
  width: number;
  height: number;
  theme: 'light' | 'dark';
  language: 'en' | 'de';
}

export interface Stop {
  /** Short name of the screen, for files and messages. */
  name: string;
  page: Page;
}

/** A collector's list: own words, an approximate price, a year before 1968, notes. */
export function collectorsList(rows: number): string {
  const brands = ['Kenner', 'Mattel', 'LEGO', 'Playmobil', 'Hasbro', 'Tomy'];
  const things = ['Robot', 'Rocket', 'Fire engine', 'Knight', 'Dragon', 'Space shuttle', 'Bear', 'Race car'];
  const conditions = ['loose mint', 'loose good', 'mint on card', 'damaged', 'C7'];
  const lines = Array.from({ length: rows }, (_, row) => {
    const year = row % 17 === 3 ? 1959 : 1975 + (row % 30);
    const price = row % 13 === 5 ? 'ca. 20' : `${(row % 40) + 4},50`;
    const note = row % 5 === 0 ? 'Box slightly worn' : '';
    return `${things[row % things.length] ?? ''} ${row + 1};${brands[row % brands.length] ?? ''};${year};${conditions[row % conditions.length] ?? ''};${price};${note}`;
  });
  return `Name;Brand;Year;Condition;Value;Notes\n${lines.join('\n')}\n`;
}

/** One that animates nothing: it would paint a moving bar sixty times a second for as long as a run takes. */
export function startBrowser(executablePath: string, ...args: string[]): Promise<Browser> {
  return launch({
    executablePath,
    args: ['--no-sandbox', '--force-prefers-reduced-motion', ...args],
    timeout: PATIENCE_MS,
  });
}

/** Keeps a page from hearing that its run has ended. */
const STAY = `document.addEventListener('htmx:sseBeforeMessage', (event) => {
  if (event.detail.type === 'ended') event.stopImmediatePropagation();
}, true)`;

/** Opens a browser and a page without an account, or with that of the environment, for as long as `work` takes. */
export async function withPage(
  chromium: string,
  look: ScreenSettings,
  work: (page: Page, place: { url: string; folder: string }) => Promise<void>,
  account: NodeJS.ProcessEnv = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-tour-'));
  const environment = {
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    ...account,
  };
  const { url, served } = await openUi({
    choice: {},
    port: 0,
    settings: { timeoutMs: 30_000, maxRate: 20 },
    environment,
  });
  let browser: Browser | undefined;
  try {
    browser = await startBrowser(chromium, `--lang=${look.language}`);
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.setExtraHTTPHeaders({ 'Accept-Language': look.language });
    await showAs(page, look);
    await work(page, { url, folder });
  } finally {
    await browser?.close();
    await served?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In a window of another size, or another theme: the screen is not loaded again. */
export async function showAs(
  page: Page,
  { width, height, theme }: Pick<ScreenSettings, 'width' | 'height' | 'theme'>,
): Promise<void> {
  await page.setViewport({ width, height, deviceScaleFactor: 1 });
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
}

/** Presses what is marked as the screen's one action, and waits for the next screen. */
export async function primary(page: Page): Promise<void> {
  await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), page.click('[data-primary]')]);
}

export async function press(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), page.click(selector)]);
}

/** Waits until the address matches: runs lead on by themselves. */
export async function arrive(page: Page, pattern: RegExp): Promise<void> {
  const givingUpAt = Date.now() + PATIENCE_MS;
  while (!pattern.test(new URL(page.url()).pathname)) {
    if (Date.now() > givingUpAt) throw new Error(`still at ${page.url()}, not at ${pattern.source}`);
    await setTimeout(50);
  }
  await page.waitForSelector('footer.foot');
}

/** From an empty start to a job that is done and planned to be taken back; calls back on each screen. */
export async function tour(
  page: Page,
  { url, folder }: { url: string; folder: string },
  stop: (at: Stop) => Promise<void>,
): Promise<void> {
  await page.goto(url);
  await stop({ name: 'connect', page });
  await press(page, 'form[action="/connect/practice"] button');
  await stop({ name: 'home-empty', page });
  await page.goto(new URL('/connect', url).href);
  await page.waitForSelector('.lights');
  await stop({ name: 'connected', page });
  await primary(page);
  await primary(page);
  await stop({ name: 'file-choose', page });
  const list = join(folder, 'My collection.csv');
  writeFileSync(list, collectorsList(60));
  const input = await page.waitForSelector('input[type=file]');
  await Promise.all([
    page.waitForNavigation(),
    (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(list),
  ]);
  await stop({ name: 'file', page });
  await page.select('select[name=collection]', await collection(page, 'Main'));
  await primary(page);
  await arrive(page, /^\/job\/.*\/(columns|plan)$/);
  const job = new URL(page.url()).pathname.split('/')[2] ?? '';
  for (const screen of ['columns', 'words', 'mend', 'plan']) {
    await page.goto(new URL(`/job/${job}/${screen}`, url).href);
    await stop({ name: screen, page });
  }
  // The rows may be sent while somebody still looks at this screen: it leads on when that has been done.
  const { identifier } = await page.evaluateOnNewDocument(STAY);
  await primary(page);
  await arrive(page, /^\/job\/.*\/(sending|result)$/);
  if (page.url().endsWith('/sending')) await stop({ name: 'sending', page });
  await page.removeScriptToEvaluateOnNewDocument(identifier);
  await page.reload();
  await arrive(page, /\/result$/);
  await stop({ name: 'result', page });
  await press(page, 'form[action$="/undo"] button');
  await arrive(page, /\/plan$/);
  await stop({ name: 'undo', page });
  await decisions(page, { url, folder }, stop);
  await page.goto(new URL('/reports', url).href);
  await press(page, 'button[value=look]');
  await stop({ name: 'reports-look', page });
  for (const screen of ['quit', 'history', 'duplicates', 'reports', 'automatic', '']) {
    await page.goto(new URL(`/${screen}`, url).href);
    await stop({ name: screen === '' ? 'home' : screen, page });
  }
}

/** Two items of one name, of which a change means one; and a change that somebody else has overtaken. */
async function decisions(
  page: Page,
  { url, folder }: { url: string; folder: string },
  stop: (at: Stop) => Promise<void>,
): Promise<void> {
  const bring = async (name: string, list: string, isChange: boolean): Promise<string> => {
    const file = join(folder, name);
    writeFileSync(file, list);
    await page.goto(new URL(isChange ? '/file?do=change' : '/file', url).href);
    const input = await page.waitForSelector('input[type=file]');
    await Promise.all([
      page.waitForNavigation(),
      (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(file),
    ]);
    if (isChange) await page.click('input[name=match][value=name]');
    else await page.select('select[name=collection]', await collection(page, 'Main'));
    await primary(page);
    await arrive(page, /^\/job\/.*\/(columns|words|mend|plan)$/);
    const plan = new URL(`/job/${new URL(page.url()).pathname.split('/')[2] ?? ''}/plan`, url).href;
    await page.goto(plan);
    return plan;
  };
  const send = async () => {
    await primary(page);
    await arrive(page, /\/result$/);
  };
  await bring('twins.csv', 'name,brand,estimated_value\nTwin,Acme,5\nTwin,Acme,50\nRover,Old,7\n', false);
  await send();
  const plan = await bring('changes.csv', 'name,brand,status\nTwin,Kenner,sold\nRover,Mine,sold\n', true);
  await stop({ name: 'plan-choose', page });
  await bring('overtaken.csv', 'name,brand\nRover,Theirs\n', true);
  await send();
  await page.goto(plan);
  await send();
  await stop({ name: 'result-held', page });
}

async function collection(page: Page, name: string): Promise<string> {
  return page.$$eval(
    'select[name=collection] option',
    (options, wanted) => options.find((option) => option.textContent === wanted)?.value ?? '',
    name,
  );
}
