/** Every screen of the page in a real browser: what a screen reader needs, one way on, and nothing to scroll sideways. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { CHROMIUM } from './browser.ts';
import { showAs, tour, withPage } from './tour.ts';

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

/** Buttons of a bar that stays at the lower edge of the window: seen whole, or not at all. */
const CUT_OFF = `[...document.querySelectorAll('.bar-actions :is(a, button)')].filter((button) => {
  const { top, bottom, height } = button.getBoundingClientRect();
  return height > 0 && top < innerHeight && bottom > innerHeight;
}).map(({ textContent }) => textContent.trim())`;

describe.skipIf(CHROMIUM === undefined)('every screen', () => {
  // Both widths, both themes and both languages, in two walks.
  test.for([
    { language: 'en', wide: 'light', narrow: 'dark' },
    { language: 'de', wide: 'dark', narrow: 'light' },
  ] as const)(
    'is accessible, has one primary action and fits its window, in $language',
    async ({ language, wide, narrow }) => {
      const looks = [
        { width: 320, height: 740, theme: narrow },
        { width: 1280, height: 800, theme: wide },
      ] as const;
      await withPage(CHROMIUM ?? '', { ...looks[1], language }, async (page, place) => {
        const troubles: string[] = [];
        page.on('pageerror', (error) => troubles.push(String(error)));
        page.on('dialog', (dialog) => troubles.push(dialog.message()));
        page.on('request', (request) => {
          if (new URL(request.url()).host !== new URL(place.url).host) troubles.push(request.url());
        });
        await tour(page, place, async ({ name }) => {
          const primaries = await page.$$('[data-primary]');
          if (primaries.length !== 1) troubles.push(`${name}: ${primaries.length} primary actions`);
          // As wide as a window of 1280 px that is magnified to 200 %.
          await showAs(page, { width: 640, height: 450, theme: wide });
          const across = await page.evaluate('document.documentElement.scrollWidth');
          if (Number(across) > 640) troubles.push(`${name}: ${String(across)} px wide at 640 px`);
          for (const look of looks) {
            await showAs(page, look);
            const at = `${name}, ${look.width} px, ${look.theme}`;
            troubles.push(...(await violations(page)).map((text) => `${at}: ${text}`));
            const wideAs = Number(await page.evaluate('document.documentElement.scrollWidth'));
            if (wideAs > look.width) troubles.push(`${at}: ${wideAs} px wide`);
            if (look.width > 1000)
              troubles.push(
                ...((await page.evaluate(CUT_OFF)) as string[]).map((text) => `${at}: ${text} is cut off`),
              );
          }
        });
        expect(troubles).toEqual([]);
      });
    },
  );
});
