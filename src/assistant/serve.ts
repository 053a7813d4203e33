import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Assisted, assistantServer } from './server.ts';

/** Serves an assistant on standard input and output, until it leaves or the signal aborts. */
export async function serveAssistant(assisted: Assisted, signal: AbortSignal): Promise<void> {
  const left = once(process.stdin, 'close', { signal }).catch(() => undefined);
  const served = serveStdio(() => assistantServer(assisted));
  await left;
  await served.close();
}
