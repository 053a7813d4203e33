/**
 * `npm run bench [-- NAME…]`: measures against named peers, in one run, in turn, and prints ratios.
 *
 * Every entry is a folder with an index.ts that exports `name` and `run`. What it prints is Markdown; `--write`
 * puts each entry's section into bench/RESULTS.md, and leaves the others as they are. On a busy machine it only
 * prints what it would have written.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, platform } from 'node:os';
import { join } from 'node:path';

interface Entry {
  name: string;
  run: () => Promise<string>;
}

const here = import.meta.dirname;
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const write = process.argv.includes('--write');
/** What else the machine does, as a share of its cores; 0 where the system does not tell. */
const busy = (loadavg()[0] ?? 0) / availableParallelism();
const MAX_BUSY = 0.25;

const results = join(here, 'RESULTS.md');
const known = existsSync(results)
  ? readFileSync(results, 'utf8')
      .split(/^(?=## )/mu)
      .slice(1)
  : [];
const sections: string[] = [];
let measured = 0;
for (const folder of readdirSync(here).sort()) {
  const file = join(here, folder, 'index.ts');
  if (!existsSync(file)) continue;
  const entry = (await import(file)) as Entry;
  if (asked.length > 0 && !asked.includes(entry.name)) {
    const kept = known.find((section) => section.startsWith(`## ${entry.name}\n`));
    if (write && kept !== undefined) sections.push(kept.trimEnd());
    continue;
  }
  measured += 1;
  process.stderr.write(`measuring: ${entry.name} …\n`);
  sections.push(`## ${entry.name}\n\n\`npm run bench -- ${entry.name}\`\n\n${await entry.run()}`);
}
if (measured === 0) {
  process.stderr.write(`no such benchmark: ${asked.join(', ')}\n`);
  process.exit(2);
}
const machine = `Node ${process.versions.node}, ${platform()}, ${cpus().length} cores.`;
const text = `# Measured\n\n${machine} Medians of several runs, the two sides in turn. Machines are noisy: read the ratios, and measure again beside your own.\n\n${sections.join('\n\n')}\n`;
process.stdout.write(text);
if (write && busy <= MAX_BUSY) writeFileSync(results, text);
else if (write) {
  process.stderr.write(
    `not recorded: before the first run other programs kept ${Math.round(busy * 100)} % of the cores busy\n`,
  );
  process.exit(1);
}
