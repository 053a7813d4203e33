import type { Argv } from 'yargs';
import type { SandboxSwitches } from '../../sandbox/options.ts';
import type { HeaderStyle, LimiterKind } from '../../sandbox/settings.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import type { GlobalFlags } from '../globals.ts';
import { print, printJson } from '../show/output.ts';
import { table } from '../show/words.ts';

// Said again here, because --help and shell completion should not load a server; a test holds them together.
const LIMITERS = ['fixed', 'sliding', 'bucket'] as const satisfies readonly LimiterKind[];
const HEADERS = [
  'draft3',
  'draft3-on-429',
  'policy',
  'structured',
  'retry-after',
  'epoch',
  'none',
] as const satisfies readonly HeaderStyle[];
const STORING = ['trim-names', 'collapse-spaces', 'round-values', 'sort-tags', 'normalise-unicode'] as const;
const FAULTS = [
  'drop-after-commit',
  'drop-before',
  'error-500',
  'html-502',
  'cut-body',
  'stall',
  'late-commit',
] as const;

/** What sandbox --help offers, by flag. */
export const SANDBOX_WORDS = { limiter: LIMITERS, headers: HEADERS, storing: STORING, fault: FAULTS };

interface SandboxFlags extends GlobalFlags {
  port: number;
  host?: string;
  data?: string;
  seed?: number;
  'seed-items'?: number;
  currency?: string;
  'rate-limit'?: string;
  limiter?: string;
  headers?: string;
  'plan-limit'?: number;
  latency?: string;
  'custom-fields'?: string;
  order?: string;
  storing?: string | string[];
  'clock-offset'?: string;
  fault?: string | string[];
  'fault-seed'?: number;
}

export const sandboxCommand: CommandBody<SandboxFlags> = {
  builder: (yargs) =>
    yargs
      .option('port', {
        type: 'number',
        default: 4747,
        describe: 'port; 0 takes a free one',
        requiresArg: true,
      })
      .option('host', { type: 'string', describe: 'address to listen on [127.0.0.1]', requiresArg: true })
      .option('data', {
        type: 'string',
        describe: 'SQLite file that keeps the data [in memory]',
        requiresArg: true,
      })
      .option('seed', {
        type: 'number',
        describe: 'fill with invented toys, the same for the same number',
        requiresArg: true,
      })
      .option('seed-items', { type: 'number', describe: 'how many [500]', requiresArg: true })
      .option('currency', { type: 'string', describe: 'currency of item values', requiresArg: true })
      .option('rate-limit', {
        type: 'string',
        describe: 'requests in a time, such as 100/60s [none]',
        requiresArg: true,
      })
      .option('limiter', { choices: LIMITERS, describe: 'kind of rate limit [fixed]' })
      .option('headers', { choices: HEADERS, describe: 'rate limit headers [draft3]' })
      .option('plan-limit', { type: 'number', describe: 'most items of a team [none]', requiresArg: true })
      .option('latency', {
        type: 'string',
        describe: 'time an answer takes, such as 20ms',
        requiresArg: true,
      })
      .option('custom-fields', { choices: ['replace', 'merge'], describe: 'what PATCH does [replace]' })
      .option('order', { choices: ['created', 'updated'], describe: 'what "newest first" means [created]' })
      .option('storing', {
        choices: STORING,
        describe: 'what is changed before it is stored (repeatable)',
      })
      .option('clock-offset', {
        type: 'string',
        describe: "how far the server's clock is off, such as -2h",
        requiresArg: true,
      })
      .option('fault', {
        type: 'string',
        describe: `KIND=PROBABILITY (repeatable); kinds: ${FAULTS.join(', ')}`,
        requiresArg: true,
      })
      .option('fault-seed', { type: 'number', describe: 'the same faults again', requiresArg: true })
      .example(
        examples({
          '$0 sandbox --seed 7 --rate-limit 100/60s': 'toys, and a rate limit',
          '$0 sandbox --fault drop-after-commit=0.05 --plan-limit 1000': 'to see how an import copes',
        }),
      ) as unknown as Argv<SandboxFlags>,
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
      const lines = describeSandbox(sandbox, options).map(({ label, value }) => [`  ${label}`, value]);
      print(`The sandbox is running; Ctrl-C ends it.\n${table(lines)}`);
      print(
        `\nIn another terminal:\n  export SHELFLIFT_API_URL=${sandbox.url} SHELFLIFT_API_KEY=${sandbox.key}`,
      );
    }
    await new Promise<void>((resolve) =>
      stop.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
  },
};
