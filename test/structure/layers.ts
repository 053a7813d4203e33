/** Which folder of src may import which: the directions of ARCHITECTURE.md. */
/* oxlint-disable unicorn/no-useless-spread -- groups keep the table short */

/** `base`, `messages` and `packaged` may be imported by all, and are not listed. */
export const LAYERS: Record<string, readonly string[]> = {
  base: ['messages'],
  messages: [],
  packaged: [],
  sheets: [],
  api: [],
  ledger: [],
  listing: ['api'],
  mapping: ['sheets', 'api'],
  where: ['api', 'mapping'],
  import: ['sheets', 'api', 'ledger', 'listing', 'mapping', 'where'],
  export: ['sheets', 'api', 'ledger', 'listing', 'mapping', 'where'],
  reports: ['sheets', 'api', 'ledger', 'listing', 'mapping', 'where', 'export'],
  sandbox: ['api'],
  account: ['api', 'ledger', 'sheets', 'sandbox'],
  doctor: ['api', 'ledger', 'sheets', 'account'],
  worker: ['sheets', 'api', 'ledger', 'listing', 'mapping', 'where', 'import', 'export', 'reports'],
  library: [
    'sheets',
    'api',
    'ledger',
    'listing',
    'mapping',
    'where',
    'import',
    'export',
    'reports',
    'worker',
  ],
  assistant: ['library'],
  ui: [
    'sheets',
    'api',
    'ledger',
    'listing',
    'mapping',
    'where',
    'import',
    'export',
    'reports',
    'worker',
    'library',
    'account',
    'doctor',
  ],
  cli: [
    'sheets',
    'api',
    'ledger',
    'listing',
    'mapping',
    'where',
    'import',
    'export',
    'reports',
    'worker',
    'library',
    'account',
    'doctor',
    'ui',
    'assistant',
    'sandbox',
  ],
};

/** The entries of the package, which export what the folders have, and are imported by none. */
export const ENTRIES: readonly string[] = ['index.ts', 'client.ts', 'sandbox.ts'];

/** Of src/import: each folder imports only those before it. */
export const STEPS: readonly string[] = [
  'engine',
  'job',
  'changes',
  'items',
  'history',
  'gates',
  'review',
  'results',
  'undo',
  'similar',
  'stage',
  'set',
  'plan',
  'settle',
  'write',
  'jobs',
  'correction',
];

/** The folders that wrap a package; no other imports it. */
export const PACKAGES: Record<string, readonly string[]> = {
  'node:sqlite': ['ledger', 'sandbox'],
  pg: ['ledger', 'worker'],
  kysely: ['ledger', 'sandbox', 'worker'],
  exceljs: ['sheets', 'reports'],
  'csv-parse': ['sheets'],
  'csv-stringify': ['sheets', 'reports'],
  bottleneck: ['api'],
  undici: ['api', 'worker/remote', 'worker/sources'],
  hono: ['sandbox', 'ui', 'library'],
  '@hono/node-server': ['sandbox', 'ui', 'library'],
  yargs: ['cli'],
  '@modelcontextprotocol/server': ['assistant'],
};

/** Single files of a folder that others may import, where the rest of it is not for them. */
export const ONLY: Record<string, Record<string, readonly string[]>> = {
  sandbox: { api: ['schemas.ts', 'resources.ts'] },
};
