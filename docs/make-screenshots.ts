/**
 * Pictures of every screen of the page: `node docs/make-screenshots.ts [FOLDER]`; needs Chromium.
 *
 * Without a folder, only the three of the README are written, into docs/.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { find } from '../test/reports/programs.ts';
import { type Look, tour, withPage } from '../test/ui/tour.ts';

const chromium = find('chromium', 'chromium-browser', 'google-chrome');
if (chromium === undefined) throw new Error('Chromium is not installed.');
const [, , folder] = process.argv;
const README = ['file', 'mend', 'plan'];

const wide: Look = { width: 1280, height: 900, theme: 'light', language: 'en' };
const looks: Record<string, Look> =
  folder === undefined
    ? { '': wide }
    : {
        '-wide-light': wide,
        '-wide-dark': { ...wide, theme: 'dark', language: 'de' },
        '-narrow-light': { width: 360, height: 780, theme: 'light', language: 'de' },
        '-narrow-dark': { width: 360, height: 780, theme: 'dark', language: 'en' },
      };

if (folder !== undefined) mkdirSync(folder, { recursive: true });
for (const [suffix, look] of Object.entries(looks)) {
  await withPage(chromium, look, (page, place) =>
    tour(page, place, async ({ name }) => {
      if (folder === undefined && !README.includes(name)) return;
      const path =
        folder === undefined
          ? new URL(`page-${name}.png`, import.meta.url).pathname
          : join(folder, `${name}${suffix}.png`);
      await page.screenshot({ path, fullPage: folder !== undefined });
    }),
  );
}
