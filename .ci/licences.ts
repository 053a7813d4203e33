/**
 * `npm run licences [-- FOLDER]`: the packages that a user gets with shelflift, and their licences. Fails where one has
 * none, or where there are too many.
 *
 * Looks at what `npm install` put into FOLDER; without it, at what this project's lock file says that it would. What dist
 * has code of is checked as it is bundled (deploy/bundle/licences.ts), and listed in dist/third-party-licences.txt.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceOf } from '../deploy/bundle/licence-of.ts';

const MAX_PACKAGES = 99;
const root = join(import.meta.dirname, '..');
const [folder] = process.argv.slice(2);

const lines = (folder === undefined ? locked() : installed(folder)).flatMap((path) => licenceOf(path) ?? []);
lines.sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
for (const { name, version, licence } of lines) console.log(`${name} ${version}: ${licence ?? 'NO LICENCE'}`);

const without = lines.filter(({ licence }) => licence === undefined);
const many = lines.length > MAX_PACKAGES ? `, which are more than ${MAX_PACKAGES}` : '';
console.log(`${lines.length} packages${many}; ${without.length} without a licence`);
if (lines.length === 0 || many !== '' || without.length > 0) process.exitCode = 1;

/** A package of development that is optional for users is not among those that they get. */
function locked(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true }>;
  };
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true && existsSync(join(root, path)))
    .map(([path]) => join(root, path));
}

function installed(place: string): string[] {
  const pattern = '**/node_modules/{*,@*/*}/package.json';
  return globSync(pattern, { cwd: place }).map((file) => join(place, file, '..'));
}
