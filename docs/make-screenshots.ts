/**
 * Pictures of every screen of the page, wide and narrow, light and dark: `node docs/make-screenshots.ts [LOOK]`; needs
 * Chromium. They go into docs/page/, and the three of the README beside it.
 *
 * LOOK is the name of one of the looks below; without it, all are made.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { find } from '../test/reports/programs.ts';
import { type Look, tour, withPage } from '../test/ui/tour.ts';

const chromium = find('chromium', 'chromium-browser', 'google-chrome');
if (chromium === undefined) throw new Error('Chromium is not installed.');
const README = ['file', 'mend', 'plan'];
const LOOKS: Record<string, Look> = {
  'wide-light': { width: 1280, height: 900, theme: 'light', language: 'en' },
  'wide-dark': { width: 1280, height: 900, theme: 'dark', language: 'de' },
  'narrow-light': { width: 360, height: 780, theme: 'light', language: 'de' },
  'narrow-dark': { width: 360, height: 780, theme: 'dark', language: 'en' },
};
/** Of a longer screen, the rest looks like its beginning. */
const MAX_HIGH = 1600;

const folder = join(import.meta.dirname, 'page');
mkdirSync(folder, { recursive: true });
const wanted = process.argv[2];
for (const [look, shape] of Object.entries(LOOKS)) {
  if (wanted !== undefined && wanted !== look) continue;
  await withPage(chromium, shape, (page, place) =>
    tour(page, place, async ({ name }) => {
      const whole = Number(await page.evaluate('document.documentElement.scrollHeight'));
      const height = Math.max(shape.height, Math.min(whole, MAX_HIGH));
      // What sticks to the foot of the window stands where it belongs.
      await page.setViewport({ width: shape.width, height });
      const path = join(folder, `${name}-${look}.webp`);
      await page.screenshot({ path, type: 'webp', quality: 40 });
      await page.setViewport({ width: shape.width, height: shape.height });
      if (look !== 'wide-light' || !README.includes(name)) return;
      await page.screenshot({ path: join(import.meta.dirname, `page-${name}.png`) });
    }),
  );
}
