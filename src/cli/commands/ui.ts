import { resolve } from 'node:path';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { addFlags, type FlagsOf } from '../flags.ts';
import { message } from '../../messages/message.ts';
import { print, printJson } from '../show/output.ts';
import { say } from '../show/say.ts';
import { defined } from '../../base/defined.ts';

export const uiCommand: CommandBody<FlagsOf<'ui'>> = {
  builder: (yargs) =>
    addFlags(yargs, 'ui').example(
      examples({
        '$0 ui': 'everything in the browser',
        '$0 ui toys.xlsx': 'begins with this file',
        '$0 ui --sandbox': 'to practise, without an account',
      }),
    ),
  handler: async (flags) => {
    const { clientSettings } = await import('../session.ts');
    const { readOptions } = await import('../read-options.ts');
    const { UiOptions, WaitOptions } = await import('../options.ts');
    const { stopSignal } = await import('../stop-signal.ts');
    const { CONFIG_FILE } = await import('../worker/worker-session.ts');
    const { openUi } = await import('../../ui/server.ts');
    const { port, file } = readOptions(UiOptions, flags);
    const { store, sandbox, profile, 'api-url': apiUrl } = flags;
    using stop = stopSignal((text) => process.stderr.write(`${text}\n`));
    const { url, served } = await openUi({
      choice: {
        ...defined({ sandbox, profile, 'api-url': apiUrl }),
      },
      environment: process.env,
      settings: await clientSettings(flags),
      waits: readOptions(WaitOptions, flags),
      ...defined({ store, port, file }),
      configFile: resolve(flags.config ?? CONFIG_FILE),
    });
    await using page = served;
    if (flags.json === true) printJson({ url });
    else print(`${say(message(page === undefined ? 'page_already_runs' : 'page_runs', {}))}\n  ${url}`);
    if (flags['no-open'] !== true) {
      const { openFile } = await import('../open-file.ts');
      if (!(await openFile(url)) && flags.json !== true)
        process.stderr.write(`${say(message('no_browser_found', {}))}\n`);
    }
    if (page === undefined) return;
    if (stop.signal.aborted) return;
    const stopped = new Promise<void>((resolve) =>
      stop.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    await Promise.race([stopped, page.left]);
  },
};
