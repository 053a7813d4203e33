/** Preloaded into every measured process: tells its peak memory when it ends. */
process.on('exit', () =>
  process.stderr.write(`\npeak-mb=${Math.round(process.resourceUsage().maxRSS / 1024)}\n`),
);
