import type { SandboxSwitches } from '../../sandbox/options.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { addFlags, type FlagsOf } from '../flags.ts';
import { message } from '../../messages/message.ts';
import { print, printJson } from '../show/output.ts';
import { say } from '../show/say.ts';
import { table } from '../show/words.ts';

export const sandboxCommand: CommandBody<FlagsOf<'sandbox'>> = {
  builder: (yargs) =>
    addFlags(yargs, 'sandbox').example(
      examples({
        '$0 sandbox --seed 7 --rate-limit 100/60s': 'toys, and a rate limit',
        '$0 sandbox --fault drop-after-commit=0.05 --plan-limit 1000': 'to see how an import handles faults',
      }),
    ),
  handler: async (flags) => {
    const switches: SandboxSwitches = {
      port: flags.port,
      host: flags.host,
      data: flags.data,
      seed: flags.seed,
      seedItems: flags['seed-items'],
      currency: flags.currency,
      rateLimit: flags['rate-limit'],
      limiter: flags.limiter,
      headers: flags.headers,
      planLimit: flags['plan-limit'],
      latency: flags.latency,
      customFields: flags['custom-fields'],
      order: flags.order,
      storing: flags.storing === undefined ? undefined : [flags.storing].flat(),
      listLag: flags['list-lag'],
      clockOffset: flags['clock-offset'],
      fault: flags.fault === undefined ? undefined : [flags.fault].flat(),
      faultSeed: flags['fault-seed'],
    };
    const { stopSignal } = await import('../stop-signal.ts');
    const { parseSandboxOptions } = await import('../../sandbox/options.ts');
    const { startSandbox } = await import('../../sandbox/sandbox.ts');
    const { describeSandbox } = await import('../../sandbox/describe.ts');
    const options = parseSandboxOptions(switches);
    await using sandbox = await startSandbox(options);
    using stop = stopSignal(() => undefined);
    if (flags.json === true)
      printJson({ url: sandbox.url, key: sandbox.key, control: `${sandbox.url}/__sandbox/state` });
    else {
      const lines = describeSandbox(sandbox, options).map(({ label, value }) => [
        `  ${say(label)}`,
        typeof value === 'string' ? value : say(value),
      ]);
      print(`${say(message('sandbox_runs', {}))}\n${table(lines)}`);
      print(
        `\n${say(message('in_other_terminal', {}))}\n  export SHELFLIFT_API_URL=${sandbox.url} SHELFLIFT_API_KEY=${sandbox.key}`,
      );
    }
    await new Promise<void>((resolve) =>
      stop.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
  },
};
