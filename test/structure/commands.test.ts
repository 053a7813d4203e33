/** The engine names no command and no option of the command line: what can be done is an action, which `cli` spells out. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const SRC = new URL('../../src/', import.meta.url);

const COMMAND =
  /\bshelflift (?:diff|doctor|dupes|export|import|jobs|profile|report|schedule|set|store|template|ui|why|worker)\b/;
const FLAG = /(?<=[\s"'`(])--[a-z][a-z-]+/;

/** Styles have names like options; rclone has options of its own; the sandbox is a program whose options these are. */
const OTHERS = new Set([
  'reports/html/style.ts',
  'sandbox/options.ts',
  'worker/delivery/rclone.ts',
  'worker/remote/rclone.ts',
]);

/** Help of options, which a schema carries; and comments. */
const HELP = /\.describe\(\s*(["'`])(?:(?!\1)[\s\S])*\1\s*,?\s*\)/g;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const RCLONE = /\brclone\('[^)]*\)/g;

test('no text outside src/cli names a command or an option of the command line', () => {
  const found = globSync('**/*.ts', { cwd: SRC })
    .filter((file) => !file.startsWith('cli/') && !OTHERS.has(file))
    .flatMap((file) => {
      const code = readFileSync(new URL(file, SRC), 'utf8');
      const texts = [COMMENT, HELP, RCLONE].reduce((rest, pattern) => rest.replaceAll(pattern, ''), code);
      return texts
        .split('\n')
        .filter((line) => COMMAND.test(line) || FLAG.test(line))
        .map((line) => `${file}: ${line.trim()}`);
    });
  expect(found).toEqual([]);
});
