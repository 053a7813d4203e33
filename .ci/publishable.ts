/**
 * Before `npm publish`: fails while package.json lacks an address that is known only to whoever publishes. npm shows them on
 * the package's page, and the links of the packed README are relative to the repository.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as object;
const missing = ['repository', 'homepage', 'bugs'].filter((field) => !Object.hasOwn(manifest, field));
if (missing.length > 0) {
  console.error(
    `package.json has no ${missing.join(', no ')}: add the public addresses of the project, then publish.`,
  );
  process.exitCode = 1;
}
