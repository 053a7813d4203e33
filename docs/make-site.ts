/**
 * `npm run docs:site`: the pages, and the reference of the library from its docblocks, as a site in site/ that needs no
 * server. Fails for a link that leads nowhere.
 *
 * TypeDoc is in a package of its own, docs/site, because it needs TypeScript 6.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const builder = join(import.meta.dirname, 'site');
const site = join(import.meta.dirname, '../site');

rmSync(site, { recursive: true, force: true });
run('npm', 'ci', '--no-audit', '--no-fund', '--silent');
run(process.execPath, 'node_modules/typedoc/bin/typedoc', '--options', 'typedoc.json', '--logLevel', 'Warn');

const pages = new Map(
  readdirSync(site, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .map((file) => [join(site, file), readFileSync(join(site, file), 'utf8')]),
);
const broken = [...pages].flatMap(([page, html]) =>
  [...html.matchAll(/\s(?:href|src)="(?!https?:|mailto:|data:)([^"]*)"/g)]
    .map(([, link = '']) => link)
    .filter((link) => !leadsSomewhere(page, link))
    .map((link) => `${relative(site, page)}: ${link}`),
);
if (broken.length > 0) {
  console.error(`These links lead nowhere:\n${[...new Set(broken)].join('\n')}`);
  process.exitCode = 1;
} else console.log(`${pages.size} pages: open site/index.html`);

/** Ends this process where the program fails, which has told why. */
function run(program: string, ...args: string[]): void {
  const { status } = spawnSync(program, args, { cwd: builder, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor = ''] = decodeURIComponent(link.replaceAll('&amp;', '&')).split('#');
  const target = path === '' ? page : join(dirname(page), path);
  const html = pages.get(target);
  if (html === undefined) return existsSync(target);
  return anchor === '' || html.includes(`id="${anchor}"`);
}
