/** Preloaded into every measured process: tells its peak memory and its time of the processor when it ends. */
import { peakMegabytes } from './peak-memory.ts';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write(
    `\npeak-mb=${Math.round(peakMegabytes())}\nprocessor-s=${((userCPUTime + systemCPUTime) / 1e6).toFixed(2)}\n`,
  );
});
