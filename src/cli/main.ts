/** The command line: each command is a file that parses, calls one library function, and prints. */
import { readFileSync } from 'node:fs';
import { UsageError } from '../errors.ts';
import { ExitCode } from '../exit-code.ts';
import { examples } from './examples.ts';
import type { GlobalFlags } from './flags.ts';

export async function main(argv: string[]): Promise<void> {
  // `| head` closes the pipe early: that ends the output, it is no defect.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    // The terminal has gone (SIGHUP): what is under way is finished all the same.
    if (error.code === 'EIO') return;
    if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') throw error;
    process.stderr.write('error: the disk is full: the output is not whole\n  Make room, and try again.\n');
    process.exit(ExitCode.parked);
  });
  // A job goes on when nobody listens to its progress any more (`2>&1 | head`).
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
  // Scripts ask this often, and it needs no parser.
  if (argv.length === 1 && argv[0] === '--version') {
    process.stdout.write(`${version()}\n`);
    return;
  }
  // Replaced by what the parser reads, unless the parser is what fails.
  const flags: GlobalFlags = { json: argv.includes('--json'), verbose: argv.includes('--verbose') };
  try {
    await (await parser(argv))
      .middleware((read) => {
        Object.assign(flags, read);
        checkFilled(read, argv);
      })
      .parseAsync();
  } catch (error) {
    const { reportError } = await import('./show/output.ts');
    process.exitCode = reportError(error instanceof Mistyped ? await error.described() : error, flags);
  }
}

/** An empty value is mostly a variable of the shell that is not set, and never what was meant. */
function checkFilled(read: Readonly<Record<string, unknown>>, argv: readonly string[]): void {
  for (const [flag, value] of Object.entries(read)) {
    const isEmpty = [value].flat().some((each) => each === '');
    const isGiven = argv.some((word) => word === `--${flag}` || word.startsWith(`--${flag}=`));
    if (!isEmpty || !isGiven) continue;
    throw new UsageError('usage', `--${flag} is empty`, {
      remedy: 'Give it a value, or leave it out. Is a variable of the shell not set?',
    });
  }
}

/** What the parser stumbled over, until words are found for it. */
class Mistyped extends Error {
  readonly #help: string;
  readonly #argv: readonly string[];

  constructor(message: string, help: string, argv: readonly string[]) {
    super(message);
    this.#help = help;
    this.#argv = argv;
  }

  async described(): Promise<Error> {
    const { describeMistake } = await import('./mistakes.ts');
    return describeMistake(this.message, this.#help, this.#argv);
  }
}

async function parser(argv: string[]) {
  const [{ default: yargs }, { addGlobalFlags }, { addCommands }] = await Promise.all([
    import('yargs'),
    import('./flags.ts'),
    import('./commands/index.ts'),
  ]);
  const base = yargs(argv)
    .scriptName('shelflift')
    .usage('$0 <command>\n\nMoves whole collections between spreadsheets and the Collection Inventory API.')
    // Flags of one value are written as they are in design §2: `--no-settle` is a name, and arrays do not swallow files.
    .parserConfiguration({
      'boolean-negation': false,
      'greedy-arrays': false,
      'dot-notation': false,
      'parse-positional-numbers': false,
      'camel-case-expansion': false,
    })
    // Its words are matched by mistakes.ts, and ours are English everywhere.
    .locale('en')
    .version(version())
    .help()
    .strict()
    .recommendCommands()
    .demandCommand(1, 'Name a command.')
    .wrap(Math.min(110, process.stdout.columns ?? 100))
    .exitProcess(false)
    .fail((message, error, failed) => {
      // The parser's own errors are about the command line; all others come from a command.
      const own = message ?? (error?.name === 'YError' ? error.message : undefined);
      if (own === undefined) throw error;
      throw new Mistyped(own, String(failed.help()), argv);
    })
    .example(
      examples({
        '$0 import toys.csv --collection Main --dry-run --sandbox': 'try it: nothing leaves this machine',
        '$0 import toys.csv --collection Main --dry-run': 'see what an import would do',
        '$0 export items --out items.xlsx': 'everything as a workbook',
      }),
    )
    .epilogue(exitCodes());
  withoutHelpAhead(base);
  const withGlobals = addGlobalFlags(base);
  await addCommands(withGlobals, argv);
  return withGlobals
    .group(['version', 'help'], 'Global:')
    .completion('completion', 'a script that makes the shell complete commands and flags');
}

/**
 * yargs 18 lays out the whole help as soon as a command runs, in case that it fails: a twentieth of the time of a short
 * command. Ours show it for mistakes that are found before that, and it is laid out then. Its types do not tell of this.
 */
function withoutHelpAhead(parser: object): void {
  const { getInternalMethods } = parser as {
    getInternalMethods?: () => { getUsageInstance?: () => { cacheHelpMessage?: () => void } };
  };
  const usage = getInternalMethods?.call(parser).getUsageInstance?.();
  if (usage?.cacheHelpMessage !== undefined) usage.cacheHelpMessage = () => undefined;
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

function exitCodes(): string {
  return [
    'Exit codes:',
    `  ${ExitCode.ok}    done (also: applied before, paused)`,
    `  ${ExitCode.usage}    wrong use, configuration or file; nothing was sent`,
    `  ${ExitCode.rows}    some rows are invalid, refused or held`,
    `  ${ExitCode.limit}    parked at the plan's item limit`,
    `  ${ExitCode.unauthorised}    the key was not accepted`,
    `  ${ExitCode.parked}    parked: the API is not there, or the disk is full`,
    `  ${ExitCode.interrupted}  interrupted; resumable`,
  ].join('\n');
}
