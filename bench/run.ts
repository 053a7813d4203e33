/**
 * `npm run bench [-- NAME…]`: measures against named peers, in one run, in turn, and prints ratios.
 *
 * Every entry is a folder with an index.ts that exports `name` and `run`. What it prints is Markdown; `--write`
 * puts it into bench/RESULTS.md.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, platform } from 'node:os';
import { join } from 'node:path';

interface Entry {
  name: string;
  run: () => Promise<string>;
}

const here = import.meta.dirname;
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const write = process.argv.includes('--write');

const sections: string[] = [];
for (const folder of readdirSync(here).sort()) {
  const file = join(here, folder, 'index.ts');
  if (!existsSync(file)) continue;
  const entry = (await import(file)) as Entry;
  if (asked.length > 0 && !asked.includes(entry.name)) continue;
  process.stderr.write(`measuring: ${entry.name} …\n`);
  sections.push(`## ${entry.name}\n\n\`npm run bench -- ${entry.name}\`\n\n${await entry.run()}`);
}
if (sections.length === 0) {
  process.stderr.write(`no such benchmark: ${asked.join(', ')}\n`);
  process.exit(2);
}
const machine = `Node ${process.versions.node}, ${platform()}, ${cpus().length} cores.`;
const text = `# Measured\n\n${machine} Medians of several runs, the two sides in turn. Machines are noisy: read the ratios, and measure again beside your own.\n\n${sections.join('\n\n')}\n`;
process.stdout.write(text);
if (write) writeFileSync(join(here, 'RESULTS.md'), text);
