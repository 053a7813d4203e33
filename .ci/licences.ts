/**
 * `npm run licences [-- FOLDER]`: the packages that a user gets with shelflift, and their licences. Fails where one has
 * none, or where there are too many.
 *
 * Looks at what `npm install` put into FOLDER; without it, at what this project's lock file says that it would. What dist
 * has code of is checked as it is bundled (deploy/bundle/licences.ts), and listed in dist/third-party-licences.txt.
 */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MOST_PACKAGES = 99;
const root = join(import.meta.dirname, '..');
const [folder] = process.argv.slice(2);

const packages = folder === undefined ? locked() : installed(folder);
const lines = packages.map(({ path, name, version }) => ({ name, version, licence: licenceOf(path) }));
lines.sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
for (const { name, version, licence } of lines) console.log(`${name} ${version}: ${licence ?? 'NO LICENCE'}`);

const without = lines.filter(({ licence }) => licence === undefined);
const many = lines.length > MOST_PACKAGES ? `, which are more than ${MOST_PACKAGES}` : '';
console.log(`${lines.length} packages${many}; ${without.length} without a licence`);
if (lines.length === 0 || many !== '' || without.length > 0) process.exitCode = 1;

interface Found {
  path: string;
  name: string;
  version: string;
}

/** A package of development that is optional for users is not among those that they get. */
function locked(): Found[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true; version: string }>;
  };
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true && existsSync(join(root, path)))
    .map(([path, { version }]) => ({
      path: join(root, path),
      name: path.replace(/^.*node_modules\//, ''),
      version,
    }));
}

function installed(place: string): Found[] {
  const pattern = '**/node_modules/{*,@*/*}/package.json';
  return globSync(pattern, { cwd: place }).flatMap((file) => {
    const path = join(place, file, '..');
    const { name, version } = manifest(path);
    // A package's own folders may hold a package.json that only says how its files are read.
    return name === undefined || version === undefined ? [] : [{ path, name, version }];
  });
}

/** As the package says it, or the first line of its licence's text. */
function licenceOf(path: string): string | undefined {
  const { license } = manifest(path);
  if (license !== undefined) return license;
  const file = readdirSync(path).find((name) => /^(licen[cs]e|copying)/i.test(name));
  return file === undefined ? undefined : readFileSync(join(path, file), 'utf8').trim().split('\n')[0];
}

function manifest(path: string): Partial<Record<'name' | 'version' | 'license', string>> {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as ReturnType<typeof manifest>;
}
