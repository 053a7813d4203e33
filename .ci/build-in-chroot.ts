/**
 * `node .ci/build-in-chroot.ts BASE WORK`: follows deploy/Dockerfile without mounts, which builders of images need, and
 * prints the folder of the image. Stages that only make files for it are made by the programs of this machine, since
 * TypeScript does not start without /proc; the image itself begins as BASE and runs its commands in there.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const [base = '', work = ''] = process.argv.slice(2);
const context = join(import.meta.dirname, '..');
/** Folders of the stages by name; the image's is the one without. */
const stages: Record<string, string> = {};
let stage = '';
let folder = '/';

const inStage = (path: string): string => join(stages[stage] ?? '', path);

const steps: Record<string, (rest: string) => void> = {
  FROM(rest) {
    stage = / AS (\w+)$/.exec(rest)?.[1] ?? '';
    stages[stage] = join(work, `stage-${stage}`);
    folder = '/';
    if (stage === '') execFileSync('cp', ['-a', base, inStage('')]);
  },
  WORKDIR(rest) {
    folder = rest;
    mkdirSync(inStage(folder), { recursive: true });
  },
  COPY(rest) {
    const [, from, paths = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(rest) ?? [];
    const sources = paths.split(' ');
    const to = inStage(join(folder, sources.pop() ?? ''));
    mkdirSync(to, { recursive: true });
    for (const source of sources) {
      const path = join(from === undefined ? context : (stages[from] ?? ''), source);
      // Of a folder, the content.
      execFileSync('cp', ['-a', statSync(path).isDirectory() ? `${path}/.` : path, to]);
    }
  },
  RUN(rest) {
    const stdio: ['ignore', NodeJS.WriteStream, 'inherit'] = ['ignore', process.stderr, 'inherit'];
    if (stage === '')
      execFileSync('chroot', [inStage(''), 'sh', '-ec', `cd ${folder} && ${rest}`], { stdio });
    else execFileSync('sh', ['-ec', rest], { cwd: inStage(folder), stdio });
  },
};

/** For whoever runs a container. */
const SETTINGS = ['ENV', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'];

const lines = readFileSync(join(context, 'deploy/Dockerfile'), 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n');
for (const line of lines.filter((each) => each !== '')) {
  const [, instruction = '', rest = ''] = /^(\w+) +(.*)$/.exec(line) ?? [];
  if (SETTINGS.includes(instruction)) continue;
  const step = steps[instruction];
  if (step === undefined) throw new Error(`deploy/Dockerfile has a step that is not known here: ${line}`);
  step(rest);
}
console.log(inStage(''));
