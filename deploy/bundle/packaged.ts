import type { Plugin } from 'rolldown';

/** Replaces the modules in src/packaged/ by what they export now: they read files, which a bundle does not have. */
export function packaged(): Plugin {
  return {
    name: 'packaged',
    load: {
      filter: { id: /\/src\/packaged\/[^/]+\.ts$/ },
      handler: async (id) => {
        const values = Object.entries((await import(id)) as Record<string, unknown>);
        return values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join('\n');
      },
    },
  };
}
