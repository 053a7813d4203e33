import type { CommandModule } from 'yargs';
import type { Finding } from '../doctor/check.ts';
import { examples } from '../examples.ts';
import type { GlobalFlags } from '../globals.ts';
import { print, printJson } from '../output.ts';

const SIGNS: Record<Finding['state'], string> = {
  ok: 'ok      ',
  failed: 'FAILED  ',
  warning: 'look    ',
  unknown: '?       ',
};

export const doctorCommand: CommandModule<object, GlobalFlags> = {
  command: 'doctor',
  describe: 'checks address, key, scopes, limits and store, and says what to do',
  builder: (yargs) =>
    yargs.example(
      examples({
        '$0 doctor': 'reads a little from the API, and writes nothing there',
        '$0 doctor --sandbox --json': 'for scripts; here of the sandbox',
      }),
    ),
  handler: async (flags) => {
    const { withReporter } = await import('../session.ts');
    const { examine } = await import('../doctor/examine.ts');
    const { isFailure } = await import('../doctor/check.ts');
    const findings = await withReporter(flags, (around) => examine(flags, process.env, around));
    const first = findings.find(isFailure);
    process.exitCode = first?.exitCode ?? 0;
    if (flags.json === true) {
      printJson({
        ok: first === undefined,
        checks: findings.map(({ check, state, detail, remedy }) => ({ check, state, detail, remedy })),
        ...(first === undefined
          ? {}
          : { error: { code: first.code, message: `${first.check}: ${first.detail}` } }),
      });
      return;
    }
    for (const { check, state, detail, remedy } of findings) {
      print(`${SIGNS[state]}${check.padEnd(24)}${detail}`);
      if (remedy !== undefined && state !== 'ok') print(`${' '.repeat(32)}→ ${remedy}`);
    }
  },
};
