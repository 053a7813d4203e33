/** In CI the sums are read from a file; at a desk the terminal is enough. */
export function reports(name: 'fast' | 'slow'): (string | [string, { outputFile: string }])[] {
  const folder = process.env['VITEST_REPORT_DIR'];
  return folder === undefined ? ['default'] : ['default', ['json', { outputFile: `${folder}/${name}.json` }]];
}
