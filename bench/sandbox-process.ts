/** A sandbox in a process of its own, so that a benchmark measures the client and not itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

export interface SandboxProcess extends AsyncDisposable {
  env: { SHELFLIFT_API_URL: string; SHELFLIFT_API_KEY: string };
}

export async function startSandboxProcess(switches: string[]): Promise<SandboxProcess> {
  const cli = resolve(import.meta.dirname, '../src/cli/bin.ts');
  const child = spawn(process.execPath, [cli, 'sandbox', '--port', '0', '--json', ...switches], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const { url, key } = JSON.parse(line) as { url: string; key: string };
  return {
    env: { SHELFLIFT_API_URL: url, SHELFLIFT_API_KEY: key },
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}
