import type { Plugin } from 'rolldown';

/** Modules of bundled packages that never run here, and what stands in their place. */
const LEFT_OUT: { request: RegExp; of: RegExp; code: string }[] = [
  // exceljs: CSV is csv-stringify's.
  {
    request: /^\.\.\/csv\/csv$/,
    of: /\/exceljs\/lib\/doc\/workbook\.js$/,
    code: 'module.exports = class {};',
  },
  // archiver: files are not found by pattern.
  { request: /^readdir-glob$/, of: /\/archiver\//, code: 'module.exports = undefined;' },
  { request: /^glob$/, of: /\/archiver-utils\//, code: 'module.exports = undefined;' },
  // bottleneck: its limiters can live in Redis.
  { request: /^\.\/(IO)?RedisConnection$/, of: /\/bottleneck\//, code: 'module.exports = class {};' },
  // graphile-worker: a configuration file in the working folder, which could be a program, is not looked for.
  {
    request: /^cosmiconfig$/,
    of: /\/graphile-worker\//,
    code: 'export const cosmiconfigSync = () => ({ search: () => null });',
  },
];

/** Node warns of this outside of node_modules. */
const OUTDATED = /\bnew Buffer\((size|0|source)\)/g;

const PREFIX = '\0left-out:';

/** Leaves out what the bundled packages load and we never call. @throws if one of the places is not there any more */
export function adaptBundled(): Plugin {
  const met = new Set<number>();
  return {
    name: 'adapt-bundled',
    resolveId(request, importer) {
      const index = LEFT_OUT.findIndex(
        (each) => each.request.test(request) && each.of.test(importer?.replaceAll('\\', '/') ?? ''),
      );
      if (index === -1) return undefined;
      met.add(index);
      return `${PREFIX}${index}`;
    },
    load(id) {
      return id.startsWith(PREFIX) ? LEFT_OUT[Number(id.slice(PREFIX.length))]?.code : undefined;
    },
    transform: {
      filter: { id: /\/archiver-utils\/index\.js$/ },
      handler: (code) =>
        code.replace(OUTDATED, (_, argument: string) =>
          argument === 'source' ? 'Buffer.from(source)' : `Buffer.alloc(${argument})`,
        ),
    },
    buildEnd(error) {
      if (error !== undefined) return;
      const gone = LEFT_OUT.filter((_, index) => !met.has(index)).map(({ request }) => String(request));
      if (gone.length > 0) this.error(`Nothing requests ${gone.join(', ')} any more.`);
    },
  };
}
