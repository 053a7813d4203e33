/** The page in a real browser: whole jobs by mouse and by keyboard alone. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { CHROMIUM, drop, judged, leave, openChooser, tabTo, titled, USUAL } from './browser.ts';
import { arrive, press, primary, withPage } from './tour.ts';

async function chooseFile(page: Page, folder: string, text: string): Promise<void> {
  const list = join(folder, 'list.csv');
  writeFileSync(list, text);
  await tabTo(page, 'input[type=file]');
  const chooser = await openChooser(page);
  await Promise.all([page.waitForNavigation(), chooser.accept([list])]);
}

async function allowClipboard(page: Page, url: string): Promise<void> {
  await page
    .browserContext()
    .overridePermissions(new URL(url).origin, [
      'clipboard-read',
      'clipboard-write',
      'clipboard-sanitized-write',
    ]);
  await page.bringToFront();
}

describe.skipIf(CHROMIUM === undefined)('in Chromium', () => {
  test('a clean file needs fewer than 60 key presses from its choice to the result', async () => {
    await withPage(CHROMIUM ?? '', USUAL, async (page, { url, folder }) => {
      await page.goto(url);
      await press(page, 'form[action="/connect/practice"] button');
      await page.goto(new URL('/file', url).href);
      await chooseFile(page, folder, 'name,Year\nRobot,1985\nBear,1999\n');
      let keys = await tabTo(page, 'select[name=collection]');
      await page.keyboard.type('Main');
      keys += 'Main'.length;
      for (const next of [/\/columns$/, /\/plan$/, /\/result$/]) {
        keys += (await tabTo(page, '[data-primary]')) + 1;
        await page.keyboard.press('Enter');
        await arrive(page, next);
      }
      expect(keys).toBeLessThan(60);
    });
  });

  test('a whole import works by keyboard alone', async () => {
    await withPage(CHROMIUM ?? '', USUAL, async (page, { url, folder }) => {
      await page.goto(url);
      await tabTo(page, 'form[action="/connect/practice"] button');
      await leave(page, 'Enter');
      await tabTo(page, '[data-primary]');
      await leave(page, 'Enter');
      await chooseFile(page, folder, 'name,Year\nRobot,1985\nRocket,99x\nBear,1999\n');
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
      await judged(page, 'Mend the remaining rows');
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
      await allowClipboard(page, url);
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

  test('a cell with line breaks keeps them when it is opened, edited and pasted', async () => {
    await withPage(CHROMIUM ?? '', USUAL, async (page, { url, folder }) => {
      await page.goto(url);
      await press(page, 'form[action="/connect/practice"] button');
      await page.goto(new URL('/file', url).href);
      await chooseFile(page, folder, 'Note,name,Year\n"one\ntwo",Robot,99x\n,Bear,1999\n,Car,1998\n');
      await tabTo(page, 'select[name=collection]');
      await page.keyboard.type('Main');
      await tabTo(page, '[data-primary]');
      await page.keyboard.press('Enter');
      await arrive(page, /\/columns$/);
      await page.goto(page.url().replace(/\/columns$/, '/mend?reason=all'));
      const notes = () =>
        page.$$eval('.grid td[data-column="Note"]', (cells) =>
          cells.map((cell) => cell.getAttribute('data-text')),
        );
      const steps = () => page.$eval('#mend-steps', (list) => list.textContent);
      await tabTo(page, '.grid td[tabindex="0"]');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      expect(await page.$('.grid td.sent, .grid td.corrected')).toBeNull();
      await tabTo(page, '.grid td[tabindex="0"]');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.keyboard.press('End');
      await page.keyboard.type('!');
      await page.keyboard.press('Enter');
      await page.waitForFunction(`document.querySelector('.grid td.corrected:not(.sent)') !== null`);
      expect(await steps()).toContain('1');
      const edited = await notes();
      expect(edited[0]).toMatch(/^one!?\ntwo!?$/);
      await allowClipboard(page, url);
      await page.evaluate('navigator.clipboard.writeText(\'"three\\n""four"""\\tA\\r\\n"five"\\tB\\r\\n\')');
      await page.keyboard.down('Control');
      await page.keyboard.press('v');
      await page.keyboard.up('Control');
      await page.waitForFunction(`document.querySelectorAll('.grid td.corrected:not(.sent)').length >= 5`);
      expect(await notes()).toEqual([edited[0], 'three\n"four"', '"five"']);
    });
  });

  test.for(['en', 'de'] as const)('a collection is chosen for each unknown name, in %s', async (language) => {
    await withPage(CHROMIUM ?? '', { ...USUAL, language }, async (page, { url, folder }) => {
      await page.goto(url);
      await press(page, 'form[action="/connect/practice"] button');
      await page.goto(new URL('/file', url).href);
      const list = join(folder, 'rooms.csv');
      writeFileSync(list, 'Name,Collection\nRobot,Attic\nCar,Cellar\nBear,Attic\n');
      await tabTo(page, 'input[type=file]');
      const chooser = await openChooser(page);
      await Promise.all([page.waitForNavigation(), chooser.accept([list])]);
      await tabTo(page, 'select[name=collection]');
      await page.keyboard.type('Main');
      await primary(page);
      await arrive(page, /\/columns$/);
      expect(await page.$eval('fieldset.inline', (asked) => asked.textContent)).toContain(
        language === 'en'
          ? 'Choose a collection for each name? Otherwise all rows go to Main'
          : 'Für jeden Namen eine Sammlung wählen? Sonst kommen alle Zeilen nach Main',
      );
      await page.click('input[name="answer-B"][value="yes"]');
      await primary(page);
      await arrive(page, /\/words$/);
      expect(await page.$eval('.word-table', (table) => table.textContent)).toContain(
        language === 'en' ? 'Goes to the collection' : 'Kommt in die Sammlung',
      );
      await page.select('.word-table tr:nth-child(1) select', 'Trains');
      await page.select('.word-table tr:nth-child(2) select', 'Main');
      expect(await page.$eval('.ready-line', (line) => line.textContent)).toContain('3');
      await primary(page);
      await arrive(page, /\/plan$/);
      await primary(page);
      await arrive(page, /\/result$/);
      expect(await page.$eval('.figures', (figures) => figures.textContent)).toContain('3');
    });
  });

  test.for(['mouse', 'keyboard'] as const)(
    'changes from a list and duplicates work from the file to the undo, by %s alone',
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
      await withPage(
        CHROMIUM ?? '',
        USUAL,
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
            await titled(page, 'Undone');
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

  test('a table of 9 MB can be pasted', async () => {
    await withPage(CHROMIUM ?? '', USUAL, async (page, { url }) => {
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
});
