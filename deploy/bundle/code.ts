import type { BuildOptions, Plugin } from 'rolldown';
import { adaptBundled } from './adapt.ts';
import { bundledLicences } from './licences.ts';
import { packaged } from './packaged.ts';

/** The JavaScript of these entries and all packages in it but `external`, with their licences, in `dir`. */
export function code({
  cwd,
  input,
  external,
  dir,
  plugins = [],
}: {
  cwd: string;
  input: Record<string, string>;
  external: readonly string[];
  dir: string;
  plugins?: Plugin[];
}): BuildOptions {
  return {
    cwd,
    input,
    platform: 'node',
    // Each is looked for, and done without where it is not installed: pg's and ssh2's native parts.
    external: [...external, 'pg-native', 'cpu-features', /\.node$/],
    plugins: [packaged(), adaptBundled(), bundledLicences('third-party-licences.txt'), ...plugins],
    // As Node builds its own undici: without a second parser, which is experimental.
    transform: { define: { esbuildDetection: '"1"' } },
    output: { dir, chunkFileNames: '[name]-[hash].js' },
    checks: { pluginTimings: false },
  };
}
