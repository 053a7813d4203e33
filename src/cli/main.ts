/** The command line: each command is a file that parses, calls one library function, and prints. */
import { UsageError } from '../base/errors.ts';
import { ExitCode } from '../base/exit-code.ts';
import { VERSION } from '../packaged/version.ts';
import { examples } from './examples.ts';
import type { GlobalFlags } from './flags.ts';
import { byHand, message } from '../messages/message.ts';

export async function main(argv: string[]): Promise<void> {
  // `| head` closes the pipe early: that ends the output and is not a defect.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    // The terminal is gone (SIGHUP); finish what is in progress.
    if (error.code === 'EIO') return;
    if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') throw error;
    process.stderr.write(
      'error: The disk is full, and the output is incomplete.\n  Free some space and try again.\n',
    );
    process.exit(ExitCode.parked);
  });
  // A job continues even if nobody reads its progress (`2>&1 | head`).
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
  // Scripts ask for this often, and it needs no parser.
  if (argv.length === 1 && argv[0] === '--version') {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  // Replaced by the parsed flags, unless parsing fails.
  const flags: GlobalFlags = {
    json: argv.includes('--json'),
    verbose: argv.includes('--verbose'),
    ...languageIn(argv),
  };
  try {
    await (await parser(argv))
      .middleware((read) => {
        Object.assign(flags, read);
        checkFilled(read, argv);
        return chooseLook(flags);
      })
      .parseAsync();
  } catch (error) {
    const { reportError } = await import('./show/output.ts');
    // The parser failed before the look was chosen.
    if (error instanceof Mistyped) await chooseLook(flags);
    process.exitCode = reportError(error instanceof Mistyped ? await error.described() : error, flags);
  }
}

/** The language that the words of a call name, for mistakes in the other words. */
function languageIn(argv: readonly string[]): Pick<GlobalFlags, 'language'> {
  const given = /(?:^| )--language[ =](en|de)(?: |$)/.exec(argv.join(' '))?.[1];
  return given === 'en' || given === 'de' ? { language: given } : {};
}

/** Chooses the language and the colours of the output. */
async function chooseLook(flags: GlobalFlags): Promise<void> {
  const [{ languageOf, speakIn }, { useColour }] = await Promise.all([
    import('./show/say.ts'),
    import('./show/paint.ts'),
  ]);
  useColour(flags.color);
  // Programs match English.
  const isForProgram = flags.json === true || ('progress' in flags && flags.progress === 'json');
  await speakIn(isForProgram ? 'en' : languageOf(flags.language, process.env, process.stderr.isTTY));
}

/** An empty value is usually an unset shell variable, and never intended. */
function checkFilled(read: Readonly<Record<string, unknown>>, argv: readonly string[]): void {
  for (const [flag, value] of Object.entries(read)) {
    const isEmpty = [value].flat().some((each) => each === '');
    const isGiven = argv.some((word) => word === `--${flag}` || word.startsWith(`--${flag}=`));
    if (!isEmpty || !isGiven) continue;
    throw new UsageError('usage', message('option_empty', { option: `--${flag}` }, byHand('give_value', {})));
  }
}

/** A parser error that was not yet described in words. */
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
  const [{ default: yargs }, { addGlobalFlags, withStdinNamed }, { addCommands }] = await Promise.all([
    import('yargs'),
    import('./flags.ts'),
    import('./commands/index.ts'),
  ]);
  const isOfCommand = argv.includes('--help') && argv[0]?.startsWith('-') === false;
  const base = yargs(withStdinNamed(argv))
    .scriptName('shelflift')
    .usage('$0 <command>\n\nMoves whole collections between spreadsheets and the Collection Inventory API.')
    // As in design §2: `--no-settle` is a name of its own, and arrays do not swallow files.
    .parserConfiguration({
      'boolean-negation': false,
      'greedy-arrays': false,
      'dot-notation': false,
      'parse-positional-numbers': false,
      'camel-case-expansion': false,
    })
    // mistakes.ts matches these messages, and all others are English too.
    .locale('en')
    .version(VERSION)
    .help('help', isOfCommand ? 'Show help. Options of all commands: shelflift --help' : 'Show help')
    .strict()
    .recommendCommands()
    .demandCommand(1, 'Name a command.')
    .wrap(Math.min(110, process.stdout.columns ?? 100))
    .exitProcess(false)
    .fail((message, error, failed) => {
      // The parser's errors are about the command line; all others come from a command.
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
  const withGlobals = addGlobalFlags(base, isOfCommand);
  await addCommands(withGlobals, argv);
  return withGlobals
    .group(['version', 'help'], 'Global:')
    .completion('completion', 'Print a script that makes the shell complete commands and flags.');
}

/**
 * yargs 18 lays out the whole help as soon as a command runs, in case it fails: this took a twentieth of the time of a
 * short command. Our commands show help only for mistakes that are found earlier, and it is laid out then. The types of
 * yargs do not describe this.
 */
function withoutHelpAhead(parser: object): void {
  const { getInternalMethods } = parser as {
    getInternalMethods?: () => { getUsageInstance?: () => { cacheHelpMessage?: () => void } };
  };
  const usage = getInternalMethods?.call(parser).getUsageInstance?.();
  if (usage?.cacheHelpMessage !== undefined) usage.cacheHelpMessage = () => undefined;
}

function exitCodes(): string {
  return [
    'Exit codes:',
    `  ${ExitCode.ok}    done (also: already applied, paused)`,
    `  ${ExitCode.usage}    wrong usage, configuration or file; nothing was sent`,
    `  ${ExitCode.rows}    some rows are invalid, refused or held`,
    `  ${ExitCode.limit}    parked at the plan's item limit`,
    `  ${ExitCode.unauthorized}    the key was not accepted`,
    `  ${ExitCode.parked}    parked: the API cannot be reached, or the disk is full`,
    `  ${ExitCode.interrupted}  interrupted; resumable`,
  ].join('\n');
}
