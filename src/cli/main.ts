/** The command line: each command is a file that parses, calls one library function, and prints. */
import { readFileSync } from 'node:fs';
import yargs from 'yargs';
import { ExitCode, UsageError } from '../errors.ts';

import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import { jobsCommand } from './commands/jobs.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { templateCommand } from './commands/template.ts';
import { globalOptions } from './globals.ts';
import { reportError } from './output.ts';

export async function main(argv: string[]): Promise<void> {
  // `| head` closes the pipe early: that ends the output, it is no defect.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    throw error;
  });
  const flags = { json: argv.includes('--json'), verbose: argv.includes('--verbose') };
  try {
    await parser(argv).parseAsync();
  } catch (error) {
    process.exitCode = reportError(error, flags);
  }
}

function parser(argv: string[]) {
  const base = yargs(argv)
    .scriptName('shelflift')
    .usage('$0 <command>\n\nMoves whole collections between spreadsheets and the Collection Inventory API.')
    // Flags of one value are written as they are in DESIGN §2: `--no-settle` is a name, and arrays do not swallow files.
    .parserConfiguration({
      'boolean-negation': false,
      'greedy-arrays': false,
      'dot-notation': false,
      'parse-positional-numbers': false,
      'camel-case-expansion': false,
    })
    .version(version())
    .help()
    .strict()
    .recommendCommands()
    .demandCommand(1, 'Name a command.')
    .wrap(Math.min(110, process.stdout.columns ?? 100))
    .exitProcess(false)
    .fail((message, error) => {
      if (error !== undefined && error !== null) throw error;
      throw new UsageError('usage', message, {
        remedy: 'shelflift --help shows the commands; shelflift COMMAND --help its flags.',
      });
    });
  return globalOptions(base)
    .command(importCommand)
    .command(jobsCommand)

    .command(exportCommand)
    .command(templateCommand)
    .command(sandboxCommand)
    .example('$0 sandbox --seed 7', 'a server of the API to try things on')
    .example('$0 import toys.csv --collection Main --dry-run', 'see what an import would do')
    .example('$0 export items --out items.xlsx', 'everything as a workbook')
    .epilogue(exitCodes());
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
