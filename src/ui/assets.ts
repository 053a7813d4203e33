/** The files that pages load, all from this package: style, script, htmx and its extension for server-sent events. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { packageFile } from '../base/package-files.ts';

const own = (name: string) => packageFile(`src/ui/assets/${name}`);
const require = createRequire(packageFile('package.json'));

const IMAGES = [
  'mark.svg',
  'icon-in.svg',
  'icon-change.svg',
  'icon-twice.svg',
  'icon-report.svg',
  'icon-clock.svg',
];

const FILES: Readonly<Record<string, { path: () => string; type: string }>> = {
  'style.css': { path: () => own('style.css'), type: 'text/css; charset=utf-8' },
  'page.js': { path: () => own('page.js'), type: 'text/javascript; charset=utf-8' },
  ...Object.fromEntries(IMAGES.map((name) => [name, { path: () => own(name), type: 'image/svg+xml' }])),
  'htmx.js': {
    path: () => require.resolve('htmx.org/dist/htmx.min.js'),
    type: 'text/javascript; charset=utf-8',
  },
  'sse.js': {
    path: () => require.resolve('htmx-ext-sse/dist/sse.min.js'),
    type: 'text/javascript; charset=utf-8',
  },
};

const read = new Map<string, Promise<Buffer>>();

/** Undefined for an unknown name: only these files can be read. */
export async function asset(name: string): Promise<{ body: Buffer; type: string } | undefined> {
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (file === undefined) return undefined;
  const body = read.get(name) ?? readFile(file.path());
  read.set(name, body);
  return { body: await body, type: file.type };
}
