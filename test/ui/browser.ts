/** What tests of the page in a real browser share: the keyboard, the mouse, and a page that can be killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Browser, FileChooser, Page } from 'puppeteer-core';
import { onTestFinished } from 'vitest';
import { BIN } from '../cli/run-shelflift.ts';
import { find } from '../reports/programs.ts';
import { type ScreenSettings, PATIENCE_MS, startBrowser } from './tour.ts';

export const CHROMIUM = find('chromium', 'chromium-browser', 'google-chrome');

/** As most people see it. */
export const USUAL: ScreenSettings = { width: 1280, height: 900, theme: 'light', language: 'en' };

/** The page as a process that is killed. Ends with the test. */
export async function startKillable(environment: NodeJS.ProcessEnv, argv: readonly string[]) {
  const browser = await startBrowser(CHROMIUM ?? '');
  onTestFinished(() => browser.close());
  let served = await start(environment, argv);
  onTestFinished(() => void served.child.kill('SIGKILL'));
  const ui = {
    page: await open(browser, served.url),
    /** Kills the process, starts it again, and opens and reloads the same screen with the new link. */
    async again(): Promise<Page> {
      const { pathname } = new URL(ui.page.url());
      served.child.kill('SIGKILL');
      await once(served.child, 'close');
      served = await start(environment, argv);
      await ui.page.close();
      ui.page = await open(browser, served.url);
      await ui.page.goto(new URL(pathname, served.url).href);
      await ui.page.reload();
      return ui.page;
    },
    async end(): Promise<void> {
      served.child.kill('SIGTERM');
      await once(served.child, 'close');
    },
  };
  return ui;
}

/** A file input, which puppeteer's types know only together with those of the DOM. */
export interface Chooser {
  uploadFile(path: string): Promise<void>;
}

/** Drops a file as a person does who drags it from a folder. */
export async function drop(page: Page, selector: string, file: string): Promise<void> {
  const zone = await page.$(selector);
  const box = await zone?.boundingBox();
  if (box === null || box === undefined) throw new Error(`${selector} is not on ${page.url()}`);
  const session = await page.createCDPSession();
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at, data });
}

/** Presses Tab until the element has the focus, as a person without a mouse does. @returns how often */
export async function tabTo(page: Page, selector: string): Promise<number> {
  for (let presses = 0; presses < 200; presses += 1) {
    const isThere = await page.evaluate(
      `document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`,
    );
    if (isThere === true) return presses;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${selector} cannot be reached by keyboard on ${page.url()}`);
}

/** The browser listens for choosers a moment after it was asked to: the key may come too early. */
export async function openChooser(page: Page): Promise<FileChooser> {
  const choosing = page.waitForFileChooser();
  for (;;) {
    await page.keyboard.press('Enter');
    const chooser = await Promise.race([choosing, setTimeout(500, undefined)]);
    if (chooser !== undefined) return chooser;
  }
}

/** Waits until the title begins so: parts of a screen change without leaving it. */
export async function titled(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    `document.querySelector('h1')?.textContent.startsWith(${JSON.stringify(text)}) === true`,
  );
}

/** Waits until the grid has been judged anew, and has the focus again: its rows may be others now. */
export async function judged(page: Page, title: string): Promise<void> {
  await titled(page, title);
  await page.waitForFunction(`document.activeElement?.matches('.grid td') === true`);
}

/** Presses a key that leads to another screen. */
export async function leave(page: Page, key: 'Enter'): Promise<void> {
  await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), page.keyboard.press(key)]);
}

async function start(
  environment: NodeJS.ProcessEnv,
  argv: readonly string[],
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [BIN, 'ui', ...argv, '--no-open', '--json', '--port', '0'], {
    env: environment,
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { url } = JSON.parse(line.toString()) as { url: string };
  return { child, url };
}

async function open(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(url);
  return page;
}
