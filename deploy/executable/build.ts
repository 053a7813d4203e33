/**
 * `npm run build:executable`: one file for Linux that needs no Node, `dist-executable/shelflift`. It is Node with the package
 * inside (single executable application), for the processor of this machine.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';
import { code } from '../bundle/code.ts';

/** The first line of releases that can build one without a further tool is 26. */
const NODE = '26.9.0';

const root = join(import.meta.dirname, '../..');
const out = join(root, 'dist-executable');
const work = mkdtempSync(join(tmpdir(), 'shelflift-executable-'));
try {
  const files = join(work, 'files');
  await build([
    code({ cwd: root, input: { 'cli/bin': 'src/cli/bin.ts' }, external: [], dir: join(files, 'dist') }),
    { cwd: root, input: join(import.meta.dirname, 'main.mjs'), platform: 'node', output: { dir: work } },
  ]);
  // What the package brings beside its code (src/base/package-files.ts), and what a person may want to read.
  for (const path of ['package.json', 'LICENSE', 'templates', 'samples', 'src/ui/assets'])
    cpSync(join(root, path), join(files, path), { recursive: true });
  for (const path of ['htmx.org/dist/htmx.min.js', 'htmx-ext-sse/dist/sse.min.js']) {
    const [name = ''] = path.split('/');
    for (const each of [path, join(name, 'package.json'), join(name, 'LICENSE')]) {
      const target = join(files, 'node_modules', each);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(root, 'node_modules', each), target);
    }
  }
  const node = installedNode();
  cpSync(join(node, 'LICENSE'), join(files, 'node-licence.txt'));

  const paths = globSync('**', { cwd: files }).filter((path) => statSync(join(files, path)).isFile());
  const digest = createHash('sha256');
  for (const path of paths.sort()) digest.update(path).update(readFileSync(join(files, path)));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  writeFileSync(join(work, 'digest'), `${version}-${digest.digest('hex').slice(0, 16)}`);

  mkdirSync(out, { recursive: true });
  const executable = join(out, 'shelflift');
  rmSync(executable, { force: true });
  const settings = {
    main: join(work, 'main.js'),
    mainFormat: 'module',
    output: executable,
    disableExperimentalSEAWarning: true,
    // Loading the package's files is an experimental option of node:vm.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    execArgvExtension: 'none',
    assets: {
      digest: join(work, 'digest'),
      ...Object.fromEntries(paths.map((path) => [path, join(files, path)])),
    },
  };
  writeFileSync(join(work, 'sea.json'), JSON.stringify(settings));
  run(join(node, 'bin/node'), ['--build-sea', join(work, 'sea.json')]);
  console.log(`${executable}: ${Math.round(statSync(executable).size / 1e6)} MB, with Node ${NODE}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** As npm brings it: what it fetches, it checks. @returns the package's folder */
function installedNode(): string {
  const name = `node-linux-${process.arch}`;
  run('npm', [
    'install',
    '--silent',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--prefix',
    work,
    `${name}@${NODE}`,
  ]);
  return join(work, 'node_modules', name);
}

function run(command: string, argv: string[]): void {
  const { status, error } = spawnSync(command, argv, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ended with ${status}.`);
}
