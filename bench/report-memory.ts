/**
 * Preloaded into every measured process: tells its peak memory and its time of the processor when it ends. On Linux the memory is VmHWM, which is this
 * program's own; maxRSS also counts what the process was forked from.
 */
import { existsSync, readFileSync } from 'node:fs';

const STATUS = '/proc/self/status';

process.on('exit', () => {
  const own = existsSync(STATUS) ? /VmHWM:\s+(\d+)/.exec(readFileSync(STATUS, 'utf8'))?.[1] : undefined;
  const kilobytes = own === undefined ? process.resourceUsage().maxRSS : Number(own);
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write(
    `\npeak-mb=${Math.round(kilobytes / 1024)}\nprocessor-s=${((userCPUTime + systemCPUTime) / 1e6).toFixed(2)}\n`,
  );
});
