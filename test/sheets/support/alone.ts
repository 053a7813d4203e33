import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { OpenOptions } from '../../../src/sheets/table.ts';

const run = promisify(execFile);

export interface ReadAlone {
  /** Code of the error that ended the reading; `read` where none did. */
  code: string;
  rows: number;
  /** The most memory that the process had, MB. */
  megabytes: number;
  /** Time of the processor, seconds. */
  seconds: number;
}

/** Reads a file in a process of its own, so that its memory can be seen. Fails where it takes over a minute. */
export async function readAlone(file: string, options: OpenOptions = {}): Promise<ReadAlone> {
  const module = new URL('../../../src/sheets/open-table.ts', import.meta.url).href;
  const memory = new URL('../../../bench/peak-memory.mjs', import.meta.url).href;
  const script = `
    const { openTables } = await import(${JSON.stringify(module)});
    let rows = 0;
    let code = 'read';
    try {
      for (const table of await openTables(${JSON.stringify(file)}, ${JSON.stringify(options)}))
        for await (const batch of table.batches) rows += batch.length;
    } catch (error) {
      if (error.code === undefined) throw error;
      code = error.code;
    }
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const { peakMegabytes } = await import(${JSON.stringify(memory)});
    console.log(JSON.stringify({ code, rows, megabytes: peakMegabytes(), seconds: (userCPUTime + systemCPUTime) / 1e6 }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { timeout: 300_000 });
  return JSON.parse(stdout) as ReadAlone;
}
