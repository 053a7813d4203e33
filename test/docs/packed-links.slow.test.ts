import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

test('links on packaged pages lead to packaged files', () => {
  const listed = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = JSON.parse(listed) as { files: { path: string }[] }[];
  const files = (packed?.files ?? []).map(({ path }) => path);
  const pages = files.filter((path) => path.endsWith('.md'));
  expect(pages).toContain('README.md');
  const broken = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8').replaceAll(/```.*?```/gs, '');
    return [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, link = '']) => normalize(join(dirname(page), link)))
      .filter((target) => !files.some((file) => file === target || file.startsWith(target)))
      .map((target) => `${page}: ${target}`);
  });
  expect(broken).toEqual([]);
});
