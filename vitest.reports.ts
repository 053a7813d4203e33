import type { Reporter } from 'vitest/node';

/** Names each test that this machine or user cannot run, with the reason. */
const skips: Reporter = {
  onTestRunEnd(modules) {
    for (const module of modules)
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        if (result.state === 'skipped' && result.note !== undefined)
          console.log(`Skipped, because ${result.note}: ${module.relativeModuleId} > ${test.fullName}`);
      }
  },
};

/** In CI the sums are read from a file; at a desk the terminal is enough. */
export function reports(name: 'fast' | 'slow'): (string | Reporter | [string, { outputFile: string }])[] {
  const folder = process.env['VITEST_REPORT_DIR'];
  const json: [string, { outputFile: string }][] =
    folder === undefined ? [] : [['json', { outputFile: `${folder}/${name}.json` }]];
  return ['default', skips, ...json];
}
