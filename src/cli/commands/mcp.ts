import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { addFlags, type FlagsOf } from '../flags.ts';

export const mcpCommand: CommandBody<FlagsOf<'mcp'>> = {
  builder: (yargs) =>
    addFlags(yargs, 'mcp').example(
      examples({
        '$0 mcp --root collection': 'the command that an assistant starts',
        '$0 mcp --root collection --sandbox': 'to practise, without an account',
      }),
    ),
  handler: async (flags) => {
    const { clientSettings } = await import('../session.ts');
    const { openTarget } = await import('../../account/target.ts');
    const { storeOf } = await import('../../account/store-of.ts');
    const { stopSignal } = await import('../stop-signal.ts');
    const { say } = await import('../show/say.ts');
    const { Roots } = await import('../../assistant/roots.ts');
    const { openShelf } = await import('../../library/shelf.ts');
    const { serveAssistant } = await import('../../assistant/server.ts');
    const { commandOf } = await import('../show/actions.ts');
    const { openEventLog, openLogFile } = await import('../../base/log.ts');
    const tell = (text: string) => void process.stderr.write(`${text}\n`);
    using stop = stopSignal(tell);
    const roots = await Roots.open([flags.root].flat());
    await using target = await openTarget(flags, process.env, {
      say: (note) => tell(say(note)),
      signal: stop.signal,
    });
    using log = flags['log-file'] === undefined ? undefined : openLogFile(flags['log-file']);
    await using shelf = await openShelf({
      ...target.client,
      ...(await clientSettings(flags)),
      store: storeOf(flags, process.env),
    });
    await serveAssistant(
      {
        shelf,
        roots,
        host: new URL(target.client.apiUrl).host,
        key: target.client.key,
        command: (action) => commandOf(action, flags),
        log: log === undefined ? undefined : openEventLog((line) => log.write(line)),
      },
      stop.signal,
    );
  },
};
