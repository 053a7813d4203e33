/**
 * Preloaded into every measured process: tells its peak memory and its time of the processor when it ends. In plain
 * JavaScript, because Node's type stripping would add 18 MB to what is measured.
 */
import { peakMegabytes } from './peak-memory.mjs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write(
    `\npeak-mb=${Math.round(peakMegabytes())}\nprocessor-s=${((userCPUTime + systemCPUTime) / 1e6).toFixed(2)}\n`,
  );
});
