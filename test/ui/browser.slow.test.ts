/** The page in a real browser: whole jobs by mouse and by keyboard, kills in between, and what a screen reader needs. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Browser, type FileChooser, launch, type Page } from 'puppeteer-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { BIN, newPlace } from '../cli/run-shelflift.ts';
import { find } from '../reports/programs.ts';
import { arrive, collectorsList, type Look, PATIENCE_MS, press, primary, tour, withPage } from './tour.ts';

const chromium = find('chromium', 'chromium-browser', 'google-chrome');
const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** What axe-core finds, as one line each. It is a script of the test: the page's own policy would refuse it. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )) as Violation[];
  return found.flatMap(({ id, help, nodes }) =>
    nodes
      .slice(0, 3)
      .map(
        ({ html, failureSummary = '' }) =>
          `${id}: ${help}: ${html.slice(0, 160)} ${failureSummary.slice(0, 160)}`,
      ),
  );
}

describe.skipIf(chromium === undefined)('in Chromium', () => {
  const looks: Look[] = [
    { width: 1280, height: 900, theme: 'light', language: 'en' },
    { width: 1280, height: 900, theme: 'dark', language: 'de' },
    { width: 320, height: 740, theme: 'light', language: 'de' },
    { width: 320, height: 740, theme: 'dark', language: 'en' },
  ];
  test.for(looks)(
    'every screen is accessible, has one primary action and fits: $width px, $theme, $language',
    async (look) => {
      await withPage(chromium ?? '', look, async (page, place) => {
        const troubles: string[] = [];
        page.on('pageerror', (error) => troubles.push(String(error)));
        page.on('dialog', (dialog) => troubles.push(dialog.message()));
        page.on('request', (request) => {
          if (new URL(request.url()).host !== new URL(place.url).host) troubles.push(request.url());
        });
        await tour(page, place, async ({ name }) => {
          troubles.push(...(await violations(page)).map((text) => `${name}: ${text}`));
          const primaries = await page.$$('[data-primary]');
          if (primaries.length !== 1) troubles.push(`${name}: ${primaries.length} primary actions`);
          const across = await page.evaluate('document.documentElement.scrollWidth');
          if (Number(across) > look.width) troubles.push(`${name}: ${String(across)} px wide`);
        });
        expect(troubles).toEqual([]);
      });
    },
  );

  test('a whole import by keyboard alone', async () => {
    const look: Look = { width: 1280, height: 900, theme: 'light', language: 'en' };
    await withPage(chromium ?? '', look, async (page, { url, folder }) => {
      await page.goto(url);
      await tabTo(page, 'form[action="/connect/practice"] button');
      await leave(page, 'Enter');
      await tabTo(page, '[data-primary]');
      await leave(page, 'Enter');
      const list = join(folder, 'list.csv');
      writeFileSync(list, 'name,Year\nRobot,1985\nRocket,99x\nBear,1999\n');
      await tabTo(page, 'input[type=file]');
      const chooser = await openChooser(page);
      await Promise.all([page.waitForNavigation(), chooser.accept([list])]);
      await tabTo(page, 'select[name=collection]');
      await page.keyboard.type('Main');
      await tabTo(page, '[data-primary]');
      await page.keyboard.press('Enter');
      await arrive(page, /\/columns$/);
      await tabTo(page, '[data-primary]');
      await leave(page, 'Enter');
      // The row of 99x is mended in the grid: typing replaces the cell, Enter keeps it, Ctrl+Z takes it back. The row
      // stays where it is, and the screen is not loaded again.
      await page.evaluate('document.body.dataset.same = "yes"');
      await tabTo(page, '.grid td[tabindex="0"]');
      await page.keyboard.type('1996');
      await page.keyboard.press('Enter');
      await judged(page, 'Nothing is left');
      await page.keyboard.down('Control');
      await page.keyboard.press('z');
      await page.keyboard.up('Control');
      await judged(page, 'Mend what is left');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      expect(await page.$('.grid td > input')).toBeNull();
      await page.keyboard.type('1997');
      await page.keyboard.press('Enter');
      await judged(page, 'Nothing is left');
      expect(await page.evaluate('document.body.dataset.same')).toBe('yes');
      // Copied in a spreadsheet, pasted with Ctrl+V into the cell that has the focus and those beside and below it.
      await page.goto(page.url().replace(/\/mend.*/, '/mend?reason=all'));
      await page
        .browserContext()
        .overridePermissions(new URL(url).origin, [
          'clipboard-read',
          'clipboard-write',
          'clipboard-sanitized-write',
        ]);
      await page.bringToFront();
      await tabTo(page, '.grid td[tabindex="0"]');
      await page.evaluate('navigator.clipboard.writeText("Rabbit\\t1988\\nRaven\\t1989\\n")');
      await page.keyboard.down('Control');
      await page.keyboard.press('v');
      await page.keyboard.up('Control');
      await page.waitForFunction(`document.querySelectorAll('.grid td.corrected:not(.sent)').length >= 4`);
      const cells = await page.$$eval('.grid tbody tr', (rows) =>
        rows.map((row) => [...row.querySelectorAll('td[data-column]')].map((cell) => cell.textContent)),
      );
      expect(cells).toEqual([
        ['Rabbit', '1988'],
        ['Raven', '1989'],
        ['Bear', '1999'],
      ]);
      await tabTo(page, '[data-primary]');
      await leave(page, 'Enter');
      await tabTo(page, '[data-primary]');
      await page.keyboard.press('Enter');
      await arrive(page, /\/result$/);
      expect(await page.$eval('.figures', (list) => list.textContent)).toContain('3');
    });
  });

  test.for(['mouse', 'keyboard'] as const)(
    'changes from a list and duplicates, from the file to the undo, by %s alone',
    async (by) => {
      await using sandbox = await startSandbox();
      await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
      const { value } = await client.listCollections({ page: 1 });
      const names = ['Robot', 'Rocket', 'Bear', 'Twin', 'Twin'];
      for (const [at, name] of names.entries())
        await client.createItem({
          name,
          collection_id: value.data[0]?.id ?? '',
          ...(at === 4 ? { condition: 'loose_good', tags: ['boxed'] } : {}),
        });
      const statuses = () =>
        sandbox.control
          .items()
          .map(({ name, status }) => `${name} ${status}`)
          .sort();
      const before = statuses();
      const account = { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key };
      const look: Look = { width: 1280, height: 900, theme: 'light', language: 'en' };
      await withPage(
        chromium ?? '',
        look,
        async (page, { url, folder }) => {
          const act = async (selector: string) => {
            if (by === 'mouse') await page.click(selector);
            else {
              await tabTo(page, selector);
              await page.keyboard.press('Enter');
            }
          };
          const go = async (selector: string) => {
            await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), act(selector)]);
          };
          const ids = new Map(sandbox.control.items().map(({ name, id }) => [name, id]));
          const list = join(folder, 'sold.csv');
          writeFileSync(list, `id,status\n${ids.get('Robot') ?? ''},sold\n${ids.get('Bear') ?? ''},sell\n`);
          const send = async (text: string) => {
            await act('[data-primary]');
            await arrive(page, /\/result$/);
            expect(await page.$eval('.figures', (figures) => figures.textContent)).toContain(text);
          };
          const takeBack = async () => {
            await act('form[action$="/undo"] button');
            await arrive(page, /\/plan$/);
            await act('[data-primary]');
            // The undo is a job of its own.
            await titled(page, 'Taken back');
            expect(statuses()).toEqual(before);
            await page.goto(url.replace(/\?.*/, ''));
          };

          await page.goto(url);
          await go('a[href="/file?do=change"]');
          if (by === 'mouse') await Promise.all([page.waitForNavigation(), drop(page, '.drop', list)]);
          else {
            await tabTo(page, 'input[type=file]');
            const chooser = await openChooser(page);
            await Promise.all([page.waitForNavigation(), chooser.accept([list])]);
          }
          await act('[data-primary]');
          await arrive(page, /\/columns$/);
          await go('[data-primary]');
          await arrive(page, /\/plan$/);
          expect(await page.$eval('main', (main) => main.textContent)).toContain('For sale');
          await send('2changed');
          expect(statuses()).toContain('Robot sold');
          await takeBack();

          await go('a[href="/duplicates"]');
          await go('[data-primary]');
          await page.waitForSelector('form[action="/duplicates/plan"]');
          if (by === 'mouse') await page.click('input[value=complete]');
          else {
            await tabTo(page, 'input[name=keep]');
            await page.keyboard.press('ArrowDown');
          }
          await act('[data-primary]');
          await arrive(page, /\/plan$/);
          await send('1changed');
          const archived = sandbox.control.items().filter(({ status }) => status === 'archived');
          // The most complete one has stayed.
          expect(archived.map(({ name, condition }) => [name, condition ?? null])).toEqual([['Twin', null]]);
          await takeBack();
        },
        account,
      );
    },
  );

  test('a table of 9 MB is pasted', async () => {
    const look: Look = { width: 1280, height: 900, theme: 'light', language: 'en' };
    await withPage(chromium ?? '', look, async (page, { url }) => {
      await page.goto(url);
      await press(page, 'form[action="/connect/practice"] button');
      await page.goto(new URL('/file', url).href);
      await page.evaluate(`(() => {
        document.querySelector('details.paste').open = true;
        const line = 'Robot with a long name\\tAcme & Söhne\\t12,50\\n';
        document.querySelector('#table').value = 'Name\\tBrand\\tValue\\n' + line.repeat(9e6 / line.length);
      })()`);
      await page.click('.paste button');
      await arrive(page, /^\/file\/[0-9a-f]{16}$/);
      expect(await page.evaluate('document.body.innerText')).toContain('Robot with a long name');
    });
  }, 120_000);

  test('killed at each step and started again, and a reload at each step: nothing is lost', async () => {
    const place = newPlace();
    const list = place.file('My list.csv', collectorsList(600));
    const ui = await startKillable(place.environment, ['--sandbox']);
    let { page } = ui;
    const again = async () => {
      page = await ui.again();
    };
    await primary(page);
    const input = (await page.waitForSelector('input[type=file]')) as unknown as Chooser;
    await Promise.all([page.waitForNavigation(), input.uploadFile(list)]);
    await again();
    expect(await page.$eval('main', (main) => main.textContent)).toContain('Fire engine 3');
    await page.select(
      'select[name=collection]',
      await page.$$eval(
        'select[name=collection] option',
        (all) => all.find((each) => each.textContent === 'Main')?.value ?? '',
      ),
    );
    await primary(page);
    await arrive(page, /\/columns$/);
    await again();
    await primary(page);
    // Where judging takes longer than a person waits for, it leads on by itself.
    await arrive(page, /\/(words|mend)$/);
    await page.goto(page.url().replace(/\/mend$/, '/words'));
    await again();
    await primary(page);
    await again();
    await page.goto(page.url().replace(/\/(words|mend|plan)$/, '/plan'));
    await again();
    await page.click('[data-primary]');
    await arrive(page, /\/(sending|result)$/);
    await setTimeout(300);
    const job = /\/job\/([^/]+)/.exec(page.url())?.[1] ?? '';
    await again();
    await page.goto(new URL('/', page.url()).href);
    await page.goto(new URL(`/job/${job}/result`, page.url()).href);
    const goOn = await page.$('form[action$="/resume"] button[data-primary]');
    if (goOn !== null) {
      await press(page, 'form[action$="/resume"] button[data-primary]');
      await arrive(page, /\/result$/);
    }
    await ui.end();
    const shown = JSON.parse((await place.run(['jobs', 'show', job, '--sandbox', '--json'])).stdout) as {
      state: string;
      rows: Record<string, number>;
    };
    expect(shown.state).toBe('done');
    expect(shown.rows['pending']).toBe(0);
    const out = join(place.folder, 'all.csv');
    await place.run(['export', 'items', '--sandbox', '--out', out]);
    const names = readFileSync(out, 'utf8')
      .split('\n')
      .filter((line) => /Space shuttle \d+|Race car \d+/.test(line));
    const twice = names.map((line) => /(Space shuttle|Race car) \d+/.exec(line)?.[0] ?? '');
    expect(new Set(twice).size).toBe(twice.length);
    expect(shown.rows['created']).toBeGreaterThan(300);
  });

  test('an imported file and its results outlive the practice account that the page shows next', async () => {
    await using sandbox = await startSandbox();
    const place = newPlace();
    const list = place.file('toys.csv', 'name\nRobot\n');
    const account = { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key };
    const ui = await startKillable({ ...place.environment, ...account }, []);
    let { page } = ui;
    await primary(page);
    const input = (await page.waitForSelector('input[type=file]')) as unknown as Chooser;
    await Promise.all([page.waitForNavigation(), input.uploadFile(list)]);
    const file = new URL(page.url()).pathname;
    await page.select(
      'select[name=collection]',
      await page.$$eval(
        'select[name=collection] option',
        (all) => all.find((each) => each.textContent === 'Main')?.value ?? '',
      ),
    );
    await primary(page);
    await arrive(page, /\/columns$/);
    await primary(page);
    await arrive(page, /\/plan$/);
    await page.click('[data-primary]');
    await arrive(page, /\/result$/);
    const result = new URL(page.url()).pathname;
    await page.goto(new URL('/connect', page.url()).href);
    // The answers of the check move what is below them.
    await page.waitForSelector('.lights');
    await press(page, 'form[action="/connect/practice"] button');
    const spool = join(place.folder, '.state/shelflift/ui/spool');
    const then = Date.now() / 1000 - 2 * 24 * 3600;
    for (const id of readdirSync(spool)) utimesSync(join(spool, id), then, then);
    // Opened two days later, it looks at all files at once.
    page = await ui.again();
    await setTimeout(1000);
    expect(`/file/${readdirSync(spool).join()}`).toBe(file);
    await rm(join(spool, '..', 'account.json'));
    page = await ui.again();
    await page.goto(new URL(result, page.url()).href);
    const files = await page.$$eval('a[href*="/files/"]', (links) => links.map(({ href }) => href));
    const status = await page.evaluate(`fetch(${JSON.stringify(files[0])}).then(({ status }) => status)`);
    expect(status).toBe(200);
    await ui.end();
  });

  test('a change, and duplicates: killed and reloaded at each step, each item is changed once', async () => {
    await using sandbox = await startSandbox({ rateLimit: '20/1s' });
    const numbers = Array.from({ length: 90 }, (_, at) => at);
    const ids = sandbox.control.insertItems(
      numbers.map((at) => ({ name: `Car ${Math.floor(at / 3)}`, status: 'keep' })),
    );
    const place = newPlace();
    const rows = ids.filter((_, at) => at % 3 === 0).map((id) => `${id},sold`);
    const list = place.file('sold.csv', `id,status\n${rows.join('\n')}\n`);
    const account = { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key };
    const ui = await startKillable({ ...place.environment, ...account }, []);
    const countOf = (wanted: string) =>
      sandbox.control.items().filter(({ status }) => status === wanted).length;
    /** From the plan to the result, killed on the way. */
    const send = async (page: Page) => {
      await page.click('[data-primary]');
      await arrive(page, /\/(sending|result)$/);
      const job = /\/job\/([^/]+)/.exec(page.url())?.[1] ?? '';
      page = await ui.again();
      await page.goto(new URL(`/job/${job}/result`, page.url()).href);
      if ((await page.$('form[action$="/resume"] button[data-primary]')) !== null) {
        await press(page, 'form[action$="/resume"] button[data-primary]');
        await arrive(page, /\/result$/);
      }
      return page;
    };

    let { page } = ui;
    await page.goto(new URL('/file?do=change', page.url()).href);
    const input = (await page.waitForSelector('input[type=file]')) as unknown as Chooser;
    await Promise.all([page.waitForNavigation(), input.uploadFile(list)]);
    page = await ui.again();
    await page.click('[data-primary]');
    await arrive(page, /\/columns$/);
    page = await ui.again();
    await primary(page);
    await arrive(page, /\/plan$/);
    page = await ui.again();
    page = await send(page);
    expect([countOf('sold'), countOf('keep')]).toEqual([30, 60]);

    await page.goto(new URL('/duplicates', page.url()).href);
    page = await ui.again();
    await primary(page);
    await page.waitForSelector('form[action="/duplicates/plan"]');
    page = await ui.again();
    await primary(page);
    await page.waitForSelector('form[action="/duplicates/plan"]');
    await page.click('[data-primary]');
    await arrive(page, /\/plan$/);
    page = await ui.again();
    await send(page);
    // Of each car one was sold, and two are owned: one of these goes.
    const archived = sandbox.control.items().filter(({ status }) => status === 'archived');
    expect(archived).toHaveLength(30);
    expect(new Set(archived.map(({ name }) => name)).size).toBe(30);
    await ui.end();
  });
});

/** The page as a process that is killed. Ends with the test. */
async function startKillable(environment: NodeJS.ProcessEnv, argv: readonly string[]) {
  const browser = await launch({
    executablePath: chromium ?? '',
    args: ['--no-sandbox'],
    timeout: PATIENCE_MS,
  });
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
interface Chooser {
  uploadFile(path: string): Promise<void>;
}

/** Drops a file as a person does who drags it from a folder. */
async function drop(page: Page, selector: string, file: string): Promise<void> {
  const zone = await page.$(selector);
  const box = await zone?.boundingBox();
  if (box === null || box === undefined) throw new Error(`${selector} is not on ${page.url()}`);
  const session = await page.createCDPSession();
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at, data });
}

/** Presses Tab until the element has the focus, as a person without a mouse does. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    const isThere = await page.evaluate(
      `document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`,
    );
    if (isThere === true) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${selector} cannot be reached by keyboard on ${page.url()}`);
}

/** The browser listens for choosers a moment after it was asked to: the key may come too early. */
async function openChooser(page: Page): Promise<FileChooser> {
  const choosing = page.waitForFileChooser();
  for (;;) {
    await page.keyboard.press('Enter');
    const chooser = await Promise.race([choosing, setTimeout(500, undefined)]);
    if (chooser !== undefined) return chooser;
  }
}

/** Waits until the title begins so: parts of a screen change without leaving it. */
async function titled(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    `document.querySelector('h1')?.textContent.startsWith(${JSON.stringify(text)}) === true`,
  );
}

/** Waits until the grid has been judged anew, and has the focus again: its rows may be others now. */
async function judged(page: Page, title: string): Promise<void> {
  await titled(page, title);
  await page.waitForFunction(`document.activeElement?.matches('.grid td') === true`);
}

async function leave(page: Page, key: 'Enter'): Promise<void> {
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
