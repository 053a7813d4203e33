/** The page in a real browser, killed and reloaded at each step: nothing is lost, and nothing is sent twice. */
import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import { CHROMIUM, type Chooser, startKillable } from './browser.ts';
import { arrive, collectorsList, press, primary } from './tour.ts';

describe.skipIf(CHROMIUM === undefined)('a page that is killed and reloaded at each step', () => {
  test('loses nothing', async () => {
    const place = newPlace();
    const list = place.file('My list.csv', collectorsList(150));
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
    expect(shown.rows['created']).toBeGreaterThan(75);
  });

  test('keeps an imported file and its results when it switches to the practice account', async () => {
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

  test('changes each item once, from a list of changes and of duplicates', async () => {
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
