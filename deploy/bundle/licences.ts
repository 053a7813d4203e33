import type { Plugin } from 'rolldown';
import { licenceOf } from './licence-of.ts';

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
  const { name, version, licence, texts } = licenceOf(folder) ?? { name: folder, version: '', texts: [] };
  if (licence === undefined) throw new Error(`${name} ${version} has no licence: it cannot be bundled.`);
  const rule = '-'.repeat(80);
  return `${rule}\n${name} ${version} (${licence})\n${rule}\n\n${texts.join('\n\n') || `Licence: ${licence}`}\n`;
}
