/** Tabs of one browser: more of them than it opens connections, and tabs that are older than the page behind them. */
import type { Browser, Page } from 'puppeteer-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { openUi } from '../../src/ui/server.ts';
import { CHROMIUM } from './browser.ts';
import { ended, openPage } from './open-page.ts';
import { arrive, PATIENCE_MS, startBrowser } from './tour.ts';

async function openBrowser(): Promise<Browser> {
  const browser = await startBrowser(CHROMIUM ?? '');
  onTestFinished(() => browser.close());
  return browser;
}

async function openTab(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(url);
  return page;
}

describe.skipIf(CHROMIUM === undefined)('tabs', () => {
  test('ten can show one running job; they keep a pasted table and work again after a restart', async () => {
    await using api = await startSandbox({ rateLimit: '1/1s' });
    const environment = { SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key };
    const first = await openPage({ environment });
    const visit = await first.enter();
    const rows = Array.from({ length: 500 }, (_, at) => `Robot ${at + 1}`);
    const file = (await visit.upload('toys.csv', `name\n${rows.join('\n')}\n`)).headers.location ?? '';
    const collection = /<option value="([^"]+)"[^>]*>Main</.exec((await visit.get(file)).text)?.[1] ?? '';
    await visit.post(`${file}/read`, { collection });
    const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
    await visit.post(`${job}/send`, { how: 'all' });

    const again = {
      choice: {},
      port: first.port,
      settings: { timeoutMs: 30_000 },
      environment: { ...first.environment, ...environment },
    };
    const browser = await openBrowser();
    const at = (path: string) => new URL(path, first.url).href;
    // The page that runs gives a link of its own to whoever starts it again.
    await openTab(browser, (await openUi(again)).url);
    const tabs: Page[] = [];
    while (tabs.length < 10) tabs.push(await openTab(browser, at(`${job}/sending`)));
    // Nine were opened, and hidden by the next one; all are still there when they are looked at.
    for (const tab of [tabs[0], tabs[9]]) {
      await tab?.bringToFront();
      await tab?.waitForSelector('.progress-line');
    }
    const [sending, old, paste] = [tabs[9], tabs[0], tabs[1]];
    if (sending === undefined || old === undefined || paste === undefined) throw new Error('no tab');
    await paste.goto(at('/file'));
    const table = 'Name\tBrand\nRobot\tAcme\n';
    await paste.evaluate(`(() => {
      document.querySelector('details.paste').open = true;
      document.querySelector('#table').value = ${JSON.stringify(table)};
    })()`);

    await sending.bringToFront();
    await first.served[Symbol.asyncDispose]();
    await sending.waitForSelector('.lost:not([hidden])');
    await paste.bringToFront();
    await paste.click('.paste button');
    await paste.waitForFunction(`document.querySelector('.paste [role=alert]').textContent !== ''`);
    expect(await paste.$eval('#table', (area) => (area as unknown as { value: string }).value)).toBe(table);

    const { url, served } = await openUi(again);
    onTestFinished(() => served?.[Symbol.asyncDispose]());
    // Without the new link, the browser may see nothing.
    await old.bringToFront();
    const isOutside = `document.querySelector('h1')?.textContent.includes('not open in this browser')`;
    // A tab that is seen again loads itself: going elsewhere meanwhile would end one of the two.
    await old.waitForFunction(isOutside);
    await old.goto(at('/history'));
    await old.waitForFunction(isOutside);
    await openTab(browser, url);
    await old.bringToFront();
    await old.waitForFunction(`document.querySelector('h1')?.textContent === 'History'`);
    await sending.bringToFront();
    await arrive(sending, /\/result$/);
    await paste.bringToFront();
    await paste.click('.paste button');
    await arrive(paste, /^\/file\/[0-9a-f]{16}$/);
  });
});
