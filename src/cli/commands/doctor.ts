import type { Finding } from '../../doctor/check.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import type { GlobalFlags } from '../flags.ts';
import { print, printJson } from '../show/output.ts';
import { commandsOf } from '../show/actions.ts';
import { say } from '../show/say.ts';
import { english, message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

const SIGNS: Record<Finding['state'], Message> = {
  ok: message('verbatim', { text: 'ok' }),
  failed: message('sign_failed', {}),
  warning: message('sign_warning', {}),
  unknown: message('verbatim', { text: '?' }),
};

export const doctorCommand: CommandBody<GlobalFlags> = {
  builder: (yargs) =>
    yargs.example(
      examples({
        '$0 doctor': 'reads a little from the API, and writes nothing there',
        '$0 doctor --sandbox --json': 'for scripts; here with the sandbox',
      }),
    ),
  handler: async (flags) => {
    const { withReporter } = await import('../session.ts');
    const { examine } = await import('../doctor/examine.ts');
    const { verdict } = await import('../../doctor/check.ts');
    const findings = await withReporter(flags, (around) => examine(flags, process.env, around));
    const { report, exitCode } = verdict(findings, (actions) => commandsOf(actions, flags, english));
    process.exitCode = exitCode;
    if (flags.json === true) {
      printJson(report);
      return;
    }
    for (const { check, state, found, actions = [] } of findings) {
      print(`${say(SIGNS[state]).padEnd(8)}${check.padEnd(24)}${say(found)}`);
      if (actions.length > 0) print(`${' '.repeat(32)}→ ${commandsOf(actions, flags)}`);
    }
  },
};
