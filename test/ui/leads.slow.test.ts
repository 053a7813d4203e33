/** A person who presses only the primary button of each screen, in a real browser: where does the page lead? */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { makeBook } from '../sheets/support/make-book.ts';
import { type Chooser, CHROMIUM } from './browser.ts';
import { arrive, type ScreenSettings, PATIENCE_MS, press, withPage } from './tour.ts';

const SAMPLES = join(import.meta.dirname, '../../samples');

/** As toy shops keep one: a title, headings of groups with their sums, `Stk.`, `OVP`, rough prices, dollars in between. */
function shopList(): string {
  const makers = ['Märklin', 'Playmobil', 'Schuco', 'Siku', 'Wiking'];
  const things = ['Feuerwehr', 'Kran', 'Traktor', 'Lokomotive', 'Ritterburg', 'Kipper'];
  const states = ['gut', 'sehr gut', 'neuwertig', 'bespielt', 'OVP'];
  const lines = ['Spielwaren Krüger, Bestand;;;;;;', 'Stand 31.10.2024;;;;;;', ';;;;;;'];
  lines.push('Art.-Nr.;Bezeichnung;Hersteller;Jahr;Zustand;Stk.;VK');
  let row = 0;
  for (const maker of makers) {
    for (let at = 0; at < 29; at += 1) {
      row += 1;
      const price = row % 13 === 5 ? 'ca. 20 €' : row % 37 === 7 ? '$ 25.00' : `${(row % 40) + 4},50 €`;
      const pieces = row % 11 === 3 ? 2 : row % 29 === 5 ? 3 : 1;
      lines.push(
        `${1000 + row};${things[row % things.length]} ${row};${maker};${1970 + (row % 40)};${states[row % states.length]};${pieces};${price}`,
      );
    }
    lines.push(`;Zwischensumme ${maker};;;;31;512,50 €`);
  }
  lines.push(';Summe;;;;155;2.562,50 €');
  return `${lines.join('\n')}\n`;
}

interface Walk {
  /** Presses of the primary button, and decisions, from the file to the result. */
  clicks: number;
  screens: string[];
  /** Fields without an answer that keep a screen. */
  decisions: string[];
  sent: number;
}

const MAX_CLICKS = 14;

/** Presses the primary button until it leads home, or for too long; answers only what a screen requires. */
async function walk(page: Page, file: string, look: (name: string) => Promise<void>): Promise<Walk> {
  const input = await page.waitForSelector('input[type=file]');
  await Promise.all([
    page.waitForNavigation(),
    (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(file),
  ]);
  const screens: string[] = [];
  const decisions: string[] = [];
  let found = { clicks: MAX_CLICKS, sent: 0 };
  for (let clicks = 0; ; clicks += 1) {
    const name = await settled(page);
    await look(`${clicks}-${name}`);
    screens.push(name);
    if (name === 'result') {
      const sent = await page.$eval('.figures .create .value', ({ textContent }) => textContent ?? '');
      found = { clicks, sent: Number(sent.replaceAll(/\D/g, '')) };
    }
    if (name === '' || clicks === MAX_CLICKS) return { ...found, screens, decisions };
    const open = (await page.$('form:has([data-primary]) :is(select, input):invalid')) as Handle | null;
    if (open !== null) {
      decisions.push(await open.evaluate(answer));
      continue;
    }
    const before = await page.evaluate('performance.timeOrigin');
    await page.click('[data-primary]');
    // A link within the screen, or a part of it that changes, is no way on.
    for (let waits = 0; waits < 50 && (await origin(page)) === before; waits += 1) await setTimeout(100);
  }
}

/** puppeteer's types know elements only together with those of the DOM. */
interface Field {
  type: string;
  name: string;
  value: string;
  options: { value: string }[];
  form: { elements: { namedItem(name: string): Iterable<{ click(): void }> } };
}
interface Handle {
  evaluate(work: (field: Field) => string): Promise<string>;
}

/** Chooses the first of a list, or the last answer to a question before the one that answers nothing. */
function answer(field: Field): string {
  if (field.type === 'radio') [...field.form.elements.namedItem(field.name)].at(-2)?.click();
  else field.value = field.options[1]?.value ?? '';
  return field.name;
}

async function origin(page: Page): Promise<unknown> {
  return page.evaluate('performance.timeOrigin').catch(() => undefined);
}

/** Runs lead on by themselves. */
async function settled(page: Page): Promise<string> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await setTimeout(200)) {
    const name = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    if (name === 'reading' || name === 'sending' || name === 'next') continue;
    await page.waitForSelector('footer.foot');
    if (new URL(page.url()).pathname.split('/').at(-1) === name)
      return /^[0-9a-f]{16}$/.test(name) ? 'file' : name;
  }
  throw new Error(`still at ${page.url()}`);
}

const look: ScreenSettings = { width: 1280, height: 800, theme: 'light', language: 'en' };

async function lead(file: string, content?: string): Promise<Walk> {
  let walked: Walk | undefined;
  await withPage(CHROMIUM ?? '', look, async (page, { url, folder }) => {
    await page.goto(url);
    await press(page, 'form[action="/connect/practice"] button');
    await page.goto(new URL('/file', url).href);
    const path = content === undefined ? join(SAMPLES, file) : join(folder, file);
    if (content !== undefined) writeFileSync(path, content);
    walked = await walk(page, path, async (name) => {
      if (process.env['SHOTS'])
        await page.screenshot({ path: `${process.env['SHOTS']}/${file}-${name}.png`, fullPage: true });
    });
  });
  if (walked === undefined) throw new Error('the page did not open');
  return walked;
}

test.skipIf(CHROMIUM === undefined)(
  'a workbook with marked cells is downloaded from Mend, and mends its job when it is uploaded again',
  async () => {
    await withPage(CHROMIUM ?? '', look, async (page, { url, folder }) => {
      await page.goto(url);
      await press(page, 'form[action="/connect/practice"] button');
      await page.goto(new URL('/file', url).href);
      const text = (reference: string, value: string) => `<c r="${reference}" t="str"><v>${value}</v></c>`;
      const list = (third: string) =>
        makeBook({
          sheets: `<sheetData><row r="1">${text('A1', 'name')}${text('B1', 'brand')}</row><row r="2">${text('A2', 'Robot')}${text('B2', 'Acme')}</row><row r="3">${third}${text('B3', 'Acme')}</row></sheetData>`,
        });
      writeFileSync(join(folder, 'toys.xlsx'), list(''));
      writeFileSync(join(folder, 'corrected.xlsx'), list(text('A3', 'Rocket')));
      await choose(page, 'form.upload input[type=file]', join(folder, 'toys.xlsx'));
      await page.select('select[name=collection]', await firstCollection(page));
      await press(page, '[data-primary]');
      await arrive(page, /\/columns$/);
      await press(page, '[data-primary]');
      await arrive(page, /\/mend$/);
      await page.click('#own-workbook summary');
      const bytes = await page.evaluate(
        `fetch(document.querySelector('#own-workbook a[download]').href).then(async (answer) => (await answer.arrayBuffer()).byteLength)`,
      );
      expect(bytes).toBeGreaterThan(500);
      await choose(page, '#returned', join(folder, 'corrected.xlsx'));
      await arrive(page, /\/plan$/);
      expect(await page.$eval('.figures .create .value', ({ textContent }) => textContent)).toBe('2');
    });
  },
);

/** A file is sent as soon as it is chosen. */
async function choose(page: Page, selector: string, path: string): Promise<void> {
  const input = (await page.waitForSelector(selector)) as unknown as Chooser;
  await Promise.all([page.waitForNavigation(), input.uploadFile(path)]);
}

function firstCollection(page: Page): Promise<string> {
  return page.$$eval(
    'select[name=collection] option',
    (all) => all.find((each) => each.value !== '')?.value ?? '',
  );
}

describe.skipIf(CHROMIUM === undefined)('the primary button alone', () => {
  const clean = readFileSync(join(SAMPLES, 'with-mistakes.csv'), 'latin1').split('\n').slice(0, 4).join('\n');
  test.for([
    { file: 'clean.csv', content: clean, sent: 3, clicks: 6 },
    { file: 'untidy-1000.csv', content: undefined, sent: 980, clicks: 10 },
    { file: 'with-mistakes.csv', content: undefined, sent: 20, clicks: 10 },
    { file: 'Bestand.csv', content: shopList(), sent: 140, clicks: 10 },
  ])('sends $sent rows of $file in at most $clicks clicks', async ({ file, content, sent, clicks }) => {
    const walked = await lead(file, content);
    expect(walked.sent).toBeGreaterThanOrEqual(sent);
    expect(walked.clicks).toBeLessThanOrEqual(clicks);
    // From the result, it leads home: past the rows that are left, and not around in circles.
    expect(walked.screens.at(-1)).toBe('');
  });
});
