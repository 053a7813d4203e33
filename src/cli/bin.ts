#!/usr/bin/env node
// Kept free of everything that an old Node cannot parse, so that it can say which one is needed.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `shelflift needs Node 24 or newer, and this is Node ${process.versions.node}.\n` +
      'Install it from https://nodejs.org, or run: npx -p node@24 -p shelflift shelflift …\n',
  );
  process.exit(2);
}
const { main } = await import('./main.ts');
await main(process.argv.slice(2));
