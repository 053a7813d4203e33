import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

/** Collects the licence of each package that the bundle has code of. @throws for one without a licence */
export function bundledLicences(fileName: string): Plugin {
  return {
    name: 'bundled-licences',
    generateBundle(_options, bundle) {
      const folders = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const id of chunk.moduleIds) {
          const folder = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
          if (folder !== undefined) folders.add(folder);
        }
      }
      const notices = [...folders].map(noticeOf).toSorted((a, b) => a.localeCompare(b, 'en'));
      const source = `The code of shelflift contains code of these packages.\n\n${[...new Set(notices)].join('\n')}`;
      this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    'name' | 'version' | 'license',
    string | undefined
  >;
  if (license === undefined) throw new Error(`${name}@${version} has no licence: it cannot be bundled.`);
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const rule = '-'.repeat(80);
  return `${rule}\n${name} ${version} (${license})\n${rule}\n\n${texts.join('\n\n') || `Licence: ${license}`}\n`;
}
